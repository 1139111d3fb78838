/* stacks.c - as many allocation sites as there are ways through two functions. */
#include <emscripten.h>
#include <stdlib.h>

enum { MOST = 1 << 17 };

static void *kept[MOST];
static int count;
static volatile int returned; /* keeps calls from becoming jumps */

static void go(unsigned path, int depth, size_t size);

__attribute__((noinline)) static void left(unsigned path, int depth, size_t size)
{
    go(path, depth, size);
    returned = 1;
}

__attribute__((noinline)) static void right(unsigned path, int depth, size_t size)
{
    go(path, depth, size);
    returned = 2;
}

__attribute__((noinline)) static void keep(size_t size)
{
    if (count < MOST)
        kept[count++] = malloc(size);
}

static void go(unsigned path, int depth, size_t size)
{
    if (depth == 0)
        keep(size);
    else if (path & 1)
        left(path >> 1, depth - 1, size);
    else
        right(path >> 1, depth - 1, size);
}

/* A block at each of the ways from..to; the block of way w has 16 + w % 1000 bytes. */
EMSCRIPTEN_KEEPALIVE void fill(unsigned from, unsigned to, int depth)
{
    for (unsigned path = from; path < to; path++)
        go(path, depth, 16 + path % 1000);
}

EMSCRIPTEN_KEEPALIVE void empty(void)
{
    while (count > 0)
        free(kept[--count]);
}

int main(void)
{
    void *freed = malloc(100);
    free(freed);
    return 0;
}

/* stacks.c - allocates on every path through eight functions: many allocation sites. */
#include <emscripten.h>
#include <stdlib.h>

enum { MOST = 1 << 17 };

static void *kept[MOST];
static int count;
static volatile int returned; /* keeps calls from becoming jumps */

__attribute__((noinline)) static void keep(size_t size)
{
    if (count < MOST)
        kept[count++] = malloc(size);
    returned = -1;
}

static inline void go(unsigned path, int depth, size_t size);

#define WAY(n)                                                                                     \
    __attribute__((noinline)) static void way##n(unsigned path, int depth, size_t size)            \
    {                                                                                              \
        go(path / 8, depth - 1, size);                                                             \
        returned = n;                                                                              \
    }
WAY(0)
WAY(1)
WAY(2)
WAY(3)
WAY(4)
WAY(5)
WAY(6)
WAY(7)

__attribute__((always_inline)) static inline void go(unsigned path, int depth, size_t size)
{
    if (depth == 0)
        return keep(size);
    switch (path % 8) {
    case 0: way0(path, depth, size); break;
    case 1: way1(path, depth, size); break;
    case 2: way2(path, depth, size); break;
    case 3: way3(path, depth, size); break;
    case 4: way4(path, depth, size); break;
    case 5: way5(path, depth, size); break;
    case 6: way6(path, depth, size); break;
    case 7: way7(path, depth, size); break;
    }
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

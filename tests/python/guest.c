/* guest.c - a WASI program: guest N [exit|trap] calls itself N deep, allocates, and ends as it is
 * told. It writes without stdio, which would look at what standard output is. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *volatile kept;

__attribute__((noinline)) static void finish(const char *how)
{
    if (strcmp(how, "exit") == 0)
        exit(3);
    if (strcmp(how, "trap") == 0)
        __builtin_trap();
}

__attribute__((noinline)) static int work(int n, const char *how)
{
    char *block = malloc(100 * (size_t)n + 1);
    int sum = n;
    memset(block, n, (size_t)n);
    if (n > 0)
        sum += work(n - 1, how) + work(n - 1, "return");
    else
        finish(how);
    if (n & 1)
        free(block);
    else
        kept = block;
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3;
    int sum = work(n, argc > 2 ? argv[2] : "return");
    char digit = (char)('0' + sum % 10);
    return write(1, &digit, 1) == 1 ? 0 : 1;
}

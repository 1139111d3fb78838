/* program.c - a WASI program that allocates, and exits from within functions. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static char *keep(int size)
{
    return malloc(size);
}

__attribute__((noinline)) static void use(int size)
{
    free(keep(size));
}

__attribute__((noinline)) static void end(int status)
{
    exit(status);
}

int main(int count, char **arguments)
{
    for (int i = 1; i <= 10; i++)
        use(100 * i);
    char *kept = keep(1000);
    printf("%d arguments %d\n", count - 1, kept != NULL);
    end(count > 1 ? atoi(arguments[1]) : 0);
}

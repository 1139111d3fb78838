/* callers.c - a program with a known number of calls from each line to each function. */
#include <stdio.h>

__attribute__((noinline)) static int work(int n)
{
    volatile int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}

static inline __attribute__((always_inline)) int inlined(int n)
{
    return work(n) + 1; /* inlined: work(5), 10 times */
}

__attribute__((noinline)) static int down(int n)
{
    if (n == 0)
        return work(3);     /* at the end: once */
    return 1 + down(n - 1); /* itself: 6 times */
}

__attribute__((noinline)) static int many(int (*f)(int))
{
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += work(20); /* often: 10 times */
    sum += work(100);    /* once */
    for (int i = 0; i < 10; i++)
        sum += inlined(5); /* by way of another: 10 times */
    for (int i = 0; i < 4; i++)
        sum += f(40); /* by a pointer: 4 times */
    return sum;
}

int main(int argc, char **argv)
{
    (void)argv;
    printf("%d\n", many(argc < 9 ? work : down) + down(6));
    return 0;
}

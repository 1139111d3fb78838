/* a.c - a function cmp of its own, as b.c has. */
#include <stdlib.h>

int sort_b(int n);

__attribute__((noinline)) static int cmp(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    int numbers[] = { 3, 1, 2 }, sum = 0;
    for (int i = 0; i < 5; i++)
        sum += cmp(&numbers[0], &numbers[i % 3]);
    return sort_b(3) + sum < 0;
}

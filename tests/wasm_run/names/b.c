/* b.c - see a.c. */
__attribute__((noinline)) static int cmp(const int *a, const int *b)
{
    return *b - *a;
}

int sort_b(int n)
{
    int numbers[] = { 1, 2 };
    while (n-- > 0)
        numbers[0] += cmp(&numbers[0], &numbers[1]);
    return numbers[0];
}

/* program.c - a program with a known number of executions of each line. */
#include <stdio.h>

static int step(int n)
{
    if (n % 2)
        return 3 * n + 1; /* odd */
    return n / 2;         /* even */
}

int main(void)
{
    int steps = 0;
    for (int n = 27; n != 1; steps++)
        n = step(n); /* 111 times: 41 odd, 70 even */
    printf("%d\n", steps);
    return 0;
}

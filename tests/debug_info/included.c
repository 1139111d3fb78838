/* included.c - functions whose bodies, and tables, are in another file: #include within a function.
 */
#include <stdio.h>

static int add(int a, int b)
{
    return a + b;
}

static int dispatch(int op, int value)
{
    switch (op) {
#include "included.inc"
    }
    return value;
}

int main(void)
{
    int value = 1;
    for (int i = 0; i < 300; i++)
        value = dispatch(i % 4, value);
    printf("%d\n", value);
    return 0;
}

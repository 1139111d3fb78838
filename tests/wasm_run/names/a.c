/* a.c - has its own function cmp, like b.c, and functions with names of Rust's compilers that only
 * differ in their hash. */
#include <stdlib.h>

int sort_b(int n);

__attribute__((noinline)) static int cmp(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

#define RUST(symbol) __asm__(symbol)
__attribute__((noinline)) int push_of_bytes(int n)
    RUST("_ZN5alloc3vec12Vec$LT$T$GT$4push17h0123456789abcdefE");
__attribute__((noinline)) int push_of_words(int n)
    RUST("_ZN5alloc3vec12Vec$LT$T$GT$4push17hfedcba9876543210E");
__attribute__((noinline)) int clamp(int n) RUST("_RNvNtCs1234_7mycrate4math5clamp");

int push_of_bytes(int n)
{
    return n + 1;
}

int push_of_words(int n)
{
    return n + 2;
}

int clamp(int n)
{
    return n > 100 ? 100 : n;
}

int main(void)
{
    int numbers[] = { 3, 1, 2 }, sum = 0;
    for (int i = 0; i < 5; i++)
        sum += cmp(&numbers[0], &numbers[i % 3]);
    for (int i = 0; i < 7; i++)
        sum = push_of_bytes(clamp(sum));
    for (int i = 0; i < 11; i++)
        sum = push_of_words(sum);
    return sort_b(3) + sum < 0;
}

/* vectors.c - loops that clang turns into SIMD instructions, and tail calls: see run.sh. */
#include <stddef.h>
#include <stdint.h>

void scale(float *restrict to, const float *restrict from, size_t n);
uint32_t sum_bytes(const uint8_t *bytes, size_t n);
uint32_t is_even(uint32_t n);
uint32_t is_odd(uint32_t n);

void scale(float *restrict to, const float *restrict from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i] * 1.5f + to[i];
}

uint32_t sum_bytes(const uint8_t *bytes, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += bytes[i];
    return sum;
}

__attribute__((noinline)) uint32_t is_even(uint32_t n)
{
    if (n == 0)
        return 1;
    __attribute__((musttail)) return is_odd(n - 1);
}

__attribute__((noinline)) uint32_t is_odd(uint32_t n)
{
    if (n == 0)
        return 0;
    __attribute__((musttail)) return is_even(n - 1);
}

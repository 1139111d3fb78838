/* swap.c - a program for Solana's VM, with two named sections. */
#define TOLL_STATIC_SYSCALLS
#include "toll_guest.h"

typedef unsigned long long u64;
typedef unsigned char u8;

static __attribute__((noinline)) u64 price(const u8 *data, u64 size)
{
    u64 sum = 0;
    for (u64 i = 0; i < size; i++)
        sum = sum * 31 + data[i];
    return sum;
}

/* The input: no accounts, then the instruction's data behind its size
 * (https://solana.com/docs/programs/faq#input-parameter-serialization). */
u64 entrypoint(const u8 *input)
{
    u64 size = *(const u64 *)(input + 8);
    toll_start("price");
    u64 sum = price(input + 16, size);
    toll_end("price");
    toll_start("pay");
    volatile u64 paid = sum;
#ifdef CHANGE
    paid;
#endif
    toll_end("pay");
    return paid == 0;
}

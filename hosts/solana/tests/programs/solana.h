/* solana.h - what the programs here need of the runtime. The input is laid out as in
 * https://solana.com/docs/programs/faq#input-parameter-serialization */
#ifndef SOLANA_H
#define SOLANA_H

#include "toll_guest.h"

typedef unsigned long long u64;
typedef unsigned char u8;

typedef struct instruction {
    const u8 *program_id;
    const void *accounts;
    u64 account_count;
    const u8 *data;
    u64 data_size;
} instruction;

u64 sol_invoke_signed_c(const instruction *call, const void *accounts, int account_count,
                        const void *seeds, int seed_count);

typedef struct program_input {
    const u8 *account_key; /* of the first account; 0: there is none */
    const u8 *data;
    u64 data_size;
} program_input;

static inline program_input read_input(const u8 *at)
{
    program_input input = { 0, 0, 0 };
    u64 count = *(const u64 *)at;
    at += 8;
    for (u64 i = 0; i < count; i++) {
        const u8 *key = at + 8;
        u64 size = *(const u64 *)(key + 32 + 32 + 8);
        if (i == 0)
            input.account_key = key;
        at = key + 32 + 32 + 8 + 8 + ((size + 7) & ~7ull) + 10240 + 8;
    }
    input.data_size = *(const u64 *)at;
    input.data = at + 8;
    return input;
}

/* Some compute units. */
static __attribute__((noinline)) u64 work(u64 n)
{
    volatile u64 sum = 0;
    for (u64 i = 0; i < n; i++)
        sum += i;
    return sum;
}

#endif

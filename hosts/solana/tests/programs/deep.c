/* deep.c - invokes itself, which is its first account, as often as the first byte of the
 * instruction's data says. */
#include "solana.h"

u64 entrypoint(const u8 *bytes)
{
    program_input input = read_input(bytes);
    struct {
        const u8 *key;
        u8 is_writable, is_signer;
    } itself = { input.account_key, 0, 0 };
    u8 more = input.data[0], fewer = more - 1;
    instruction call = { input.account_key, &itself, 1, &fewer, 1 };
    work(more);
    return more ? sol_invoke_signed_c(&call, 0, 0, 0, 0) : 0;
}

/* other.c - another program than plain.c. */
#include "solana.h"

u64 entrypoint(const u8 *bytes)
{
    return work(read_input(bytes).data_size) ? 0 : 1;
}

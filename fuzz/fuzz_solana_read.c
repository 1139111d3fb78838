/* fuzz_solana_read.c - the reader of Solana program logs under fuzzing: what it makes of them is
 * written as pprof and read back. See fuzz_format.h. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_round_trip(data, size, "solana", "pprof");
}

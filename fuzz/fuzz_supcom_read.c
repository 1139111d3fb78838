/* fuzz_supcom_read.c - the reader of game logs under fuzzing: what it makes of them is written as
 * pprof and read back. See fuzz_format.h. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_round_trip(data, size, "supcom", "pprof");
}

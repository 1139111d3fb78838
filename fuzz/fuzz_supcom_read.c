/* fuzz_supcom_read.c - fuzzes the reader of game logs: its profile is written as pprof and read
 * back. See fuzz_format.h. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_round_trip(data, size, "supcom", "pprof");
}

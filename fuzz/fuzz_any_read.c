/* fuzz_any_read.c - recognising the content, and gzip, under fuzzing. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_round_trip(data, size, NULL, "pprof");
}

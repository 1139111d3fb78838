/* fuzz_any_read.c - fuzzes recognising formats by content, and gzip. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_round_trip(data, size, NULL, "pprof");
}

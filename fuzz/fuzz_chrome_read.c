/* fuzz_chrome_read.c - the reader of Chrome traces under fuzzing; it writes only from a timeline,
 * so what it read is written as pprof. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_round_trip(data, size, "chrome", "pprof");
}

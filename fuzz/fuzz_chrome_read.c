/* fuzz_chrome_read.c - fuzzes the reader of Chrome traces. The writer needs a timeline, so the
 * profile is written as pprof. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_round_trip(data, size, "chrome", "pprof");
}

/* fuzz_emscripten_read.c - the reader of Emscripten's heap profiler under fuzzing. See
 * fuzz_format.h. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_round_trip(data, size, "emscripten", "pprof");
}

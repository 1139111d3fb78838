/* fuzz_perfview_read.c - fuzzes the reader of perfview. See fuzz_format.h. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_round_trip(data, size, "perfview", "perfview");
}

/* fuzz_folded_read.c - fuzzes the reader of folded. See fuzz_format.h. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_round_trip(data, size, "folded", "folded");
}

/* fuzz_solana_read.c - fuzzes the reader of Solana program logs: its profile is written as pprof
 * and read back. See fuzz_format.h. With each transaction by itself the sums are the same. */
#include "fuzz_format.h"

static uint64_t units_of(const toll_profile *p)
{
    uint32_t column = toll_profile_find_column(p, "compute units");
    uint64_t sum = 0;
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++)
        sum += (uint64_t)toll_profile_self(p, n, column);
    return sum;
}

static void hold_transactions(const uint8_t *data, size_t size)
{
    const toll_solana_options solana = { .size = sizeof solana, .by_transaction = 1 };
    const toll_reader_options reader = { "solana", &solana, NULL };
    toll_profile *p, *merged;
    toll_status status = fuzz_read_with(
        NULL, data, size, "solana",
        (toll_format_options){ .readers = &reader, .reader_count = 1, .strict = 1 }, &p);
    if (status)
        return;
    if (fuzz_read(NULL, data, size, "solana", &merged) == TOLL_OK) {
        fuzz_require(units_of(p) == units_of(merged), "another sum of transactions");
        toll_profile_free(merged);
    }
    toll_output *out = fuzz_write(NULL, p, "pprof");
    if (out)
        fuzz_see_output("transactions", out);
    toll_output_free(out);
    toll_profile_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hold_transactions(data, size);
    return fuzz_round_trip(data, size, "solana", "pprof");
}

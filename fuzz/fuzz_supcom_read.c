/* fuzz_supcom_read.c - fuzzes the reader of game logs: its profile is written as pprof and read
 * back. See fuzz_format.h. It is also read with lines of calls folded, and strictly. */
#include "fuzz_format.h"

static void see_folded(const uint8_t *data, size_t size, int strict)
{
    const toll_supcom_options supcom = { .size = sizeof supcom, .fold_call_lines = !strict };
    const toll_reader_options reader = { "supcom", &supcom, NULL };
    toll_profile *p;
    if (fuzz_read_with(
            NULL, data, size, "supcom",
            (toll_format_options){ .readers = &reader, .reader_count = 1, .strict = strict }, &p))
        return;
    toll_output *out = fuzz_write(NULL, p, "pprof");
    if (out)
        fuzz_see_output("folded lines", out);
    toll_output_free(out);
    toll_profile_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    see_folded(data, size, 0);
    see_folded(data, size, 1);
    return fuzz_round_trip(data, size, "supcom", "pprof");
}

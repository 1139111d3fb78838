/* fuzz_diff_code.c - fuzzes differences of two profiles: in each column the sum of the difference
 * is the difference of the sums; functions are aligned without changing a sum; text, JSON and
 * Markdown are well-formed. */
#include "fuzz_profile.h"

typedef toll_status (*report_fn)(const toll_profile *, const toll_profile *, const toll_profile *,
                                 const toll_report_options *, toll_output *, toll_error *);

static uint64_t sum_of_type(const toll_profile *p, toll_value_type type)
{
    uint32_t column = toll_profile_find_value_type(p, type);
    return column == TOLL_NONE ? 0 : fuzz_sum(p, column);
}

static void hold_sums(const toll_profile *before, const toll_profile *after,
                      const toll_profile *difference)
{
    for (uint32_t c = 0; c < toll_profile_column_count(difference); c++) {
        toll_value_type type = toll_profile_column(difference, c);
        uint64_t wanted = sum_of_type(after, type) - sum_of_type(before, type);
        fuzz_require(fuzz_sum(difference, c) == wanted, "another sum");
    }
}

static void hold_report(const toll_allocator *a, report_fn report, const toll_profile *before,
                        const toll_profile *after, const toll_profile *difference,
                        const toll_report_options *o)
{
    toll_output *out;
    size_t size;
    fuzz_require(toll_output_to_memory(a, 0, &out, NULL) == TOLL_OK, "no output");
    toll_status status = report(before, after, difference, o, out, NULL);
    fuzz_require(status == TOLL_OK || status == TOLL_E_OVERFLOW || status == TOLL_E_NOT_FOUND,
                 "no report");
    if (status == TOLL_OK) {
        const char *text = fuzz_text(out, &size);
        fuzz_see_output(report == toll_report_diff        ? "text"
                        : report == toll_report_diff_json ? "json"
                                                          : "markdown",
                        out);
        fuzz_require_printable(text, size);
        if (report == toll_report_diff_json)
            fuzz_require_json(a, text, size);
    }
    toll_output_free(out);
}

typedef toll_status (*series_fn)(const toll_profile *const *, size_t, const toll_series_options *,
                                 toll_output *, toll_error *);

/* A series of the two, as snapshots or as ages: text, Markdown and JSON are well-formed. */
static void hold_series(const toll_allocator *a, const toll_profile *const *both, bool are_ages,
                        size_t seed)
{
    static const series_fn reports[] = { toll_report_series, toll_report_series_markdown,
                                         toll_report_series_json };
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        toll_output *out;
        size_t size;
        const toll_series_options o = { .size = sizeof o,
                                        .are_ages = are_ages,
                                        .rows = seed % 4,
                                        .only_leaks = seed / 4 % 2,
                                        .short_names = seed / 8 % 2 };
        fuzz_require(toll_output_to_memory(a, 0, &out, NULL) == TOLL_OK, "no output");
        toll_status status = reports[i](both, 2, &o, out, NULL);
        fuzz_require(status == TOLL_OK || status == TOLL_E_OVERFLOW || status == TOLL_E_NOT_FOUND,
                     "no series");
        if (status == TOLL_OK) {
            const char *text = fuzz_text(out, &size);
            fuzz_see_output("series", out);
            fuzz_require_printable(text, size);
            if (reports[i] == toll_report_series_json)
                fuzz_require_json(a, text, size);
        }
        toll_output_free(out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_profile *after = fuzz_profile(&a, fuzz_part(data, size, 0, 2));
    toll_profile *before = fuzz_profile(&a, fuzz_part(data, size, 1, 2));
    toll_profile *moved, *difference;
    fuzz_require(toll_profile_align(before, after, &moved, NULL) == TOLL_OK, "not aligned");
    const toll_profile *aligned = moved ? moved : before;
    static const char *const values[] = { NULL, NULL, "ticks", "time", "inuse_space" };
    toll_report_options o = { .size = sizeof o,
                              .value = values[size % 5],
                              .rows = size % 4,
                              .short_names = size / 4 % 2,
                              .keep_outside = size / 8 % 2 };
    if (toll_profile_diff(aligned, after, &difference, NULL) == TOLL_OK) {
        hold_sums(before, after, difference);
        hold_report(&a, toll_report_diff, aligned, after, difference, &o);
        hold_report(&a, toll_report_diff_json, aligned, after, difference, &o);
        hold_report(&a, toll_report_diff_markdown, aligned, after, difference, &o);
        toll_profile_free(difference);
    }
    const toll_profile *both[] = { aligned, after };
    hold_series(&a, both, false, size);
    hold_series(&a, both, true, size);
    toll_profile_free(moved);
    toll_profile_free(before);
    toll_profile_free(after);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}

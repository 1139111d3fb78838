/* fuzz_annotate_code.c - fuzzes listings, of one profile and of two, with a source and without: the
 * text is printable, the other form is JSON, and a profile with lines has a listing. */
#include "fuzz_profile.h"

enum { NONE, ONE_LINE, WITH_NUL, SOURCES };

/* Gives the same source for every file; `user` points to its kind. */
static toll_status give_source(void *user, const char *file, const char **text, size_t *size,
                               toll_error *err)
{
    static const char nul[] = "one\0two\n\x1b[31m\n\xff\nlast";
    (void)file;
    (void)err;
    unsigned kind = *(const unsigned *)user;
    *text = kind == NONE ? NULL : kind == ONE_LINE ? "int x;" : nul;
    *size = kind == NONE ? 0 : kind == ONE_LINE ? 6 : sizeof nul - 1;
    return TOLL_OK;
}

typedef toll_status (*listing_fn)(const toll_profile *, const toll_profile *,
                                  const toll_annotate_options *, toll_output *, toll_error *);

static void hold_listing(const toll_allocator *a, listing_fn list, const toll_profile *p,
                         const toll_profile *before, const toll_annotate_options *options)
{
    toll_output *out;
    size_t size;
    toll_error err = { TOLL_OK, "" };
    fuzz_require(toll_output_to_memory(a, 0, &out, NULL) == TOLL_OK, "no output");
    if (list(p, before, options, out, &err)) {
        fuzz_require(err.text[0] != 0, "a failure without a message");
        fuzz_see_text("failures", err.text);
    } else {
        const char *text = fuzz_text(out, &size);
        fuzz_see_output(list == toll_report_annotate ? "text" : "json", out);
        if (!options->color)
            fuzz_require_printable(text, size);
        if (list == toll_report_annotate_json)
            fuzz_require_json(a, text, size);
    }
    toll_output_free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    unsigned kind = (unsigned)(size % SOURCES);
    toll_annotate_options options = {
        .size = sizeof options, .source = give_source, .source_user = &kind, .full = size % 5 == 0
    };
    options.threshold = size % 7 < 3 ? 0.1 : 0;
    options.top = size % 11 == 0 ? 3 : 0;
    static const char *const what[] = { NULL, NULL, NULL, "main", "f", "a;b" };
    static const char *const values[] = { NULL,         NULL,         NULL,  "ticks",
                                          "line ticks", "executions", "time" };
    options.what = what[size / 2 % 6];
    options.value = values[size / 3 % 7];
    options.rows = size % 4;
    options.short_names = size / 4 % 2;
    options.keep_outside = size / 8 % 2;
    options.color = size % 9 == 0;
    toll_profile *p = fuzz_profile(&a, fuzz_part(data, size, 0, 2));
    toll_profile *before = fuzz_profile(&a, fuzz_part(data, size, 1, 2));
    toll_profile *compared = size % 2 ? before : NULL;
    hold_listing(&a, toll_report_annotate, p, compared, &options);
    hold_listing(&a, toll_report_annotate_json, p, compared, &options);
    toll_profile_free(p);
    toll_profile_free(before);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}

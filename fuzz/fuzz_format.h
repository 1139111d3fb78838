/* fuzz_format.h - the checks for every reader: no crash and no leak, memory within the budget; the
 * profile passes toll_profile_check; and a file written from it can be read, and is then written
 * again with the same bytes. */
#ifndef TOLL_FUZZ_FORMAT_H
#define TOLL_FUZZ_FORMAT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <toll/toll.h>

enum { FUZZ_BUDGET = 64 << 20 };

static inline void fuzz_require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

/* Report a result that a target has got from an input; `what` is a literal that names its kind. A
 * replay (replay.c) compares the sums of all results with earlier ones. Under a fuzzing engine this
 * does nothing. */
#ifdef FUZZ_REPLAY
enum { FUZZ_SEES = 1 };
void fuzz_see(const char *what, const void *data, size_t size);
#else
enum { FUZZ_SEES = 0 };
static inline void fuzz_see(const char *what, const void *data, size_t size)
{
    (void)what, (void)data, (void)size;
}
#endif

static inline void fuzz_see_text(const char *what, const char *text)
{
    fuzz_see(what, text, strlen(text));
}

static inline void fuzz_see_number(const char *what, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    fuzz_see_text(what, text);
}

static inline void fuzz_see_failure(toll_status status, const toll_error *err)
{
    fuzz_see_number("failures", (uint64_t)status);
    if (status)
        fuzz_see_text("failures", err->text);
}

static inline void fuzz_see_output(const char *what, toll_output *out)
{
    size_t size;
    const void *data = toll_output_data(out, &size);
    if (FUZZ_SEES)
        fuzz_see(what, data, size);
}

static inline void fuzz_see_warning(void *unused, const char *text)
{
    (void)unused;
    fuzz_see_text("warnings", text);
}

static inline toll_status fuzz_read_with(const toll_allocator *a, const void *data, size_t size,
                                         const char *format, toll_format_options options,
                                         toll_profile **out)
{
    toll_input *in;
    *out = NULL;
    toll_status s = toll_input_from_memory(a, data, size, "input", &in, NULL);
    if (s)
        return s;
    toll_error err = { TOLL_OK, "" };
    options.size = sizeof options;
    options.warn = fuzz_see_warning;
    s = toll_profile_read(in, format, &options, NULL, out, &err);
    fuzz_see_failure(s, &err);
    toll_input_free(in);
    return s;
}

static inline toll_status fuzz_read(const toll_allocator *a, const void *data, size_t size,
                                    const char *format, toll_profile **out)
{
    return fuzz_read_with(a, data, size, format, (toll_format_options){ .strict = 0 }, out);
}

static inline toll_output *fuzz_write_with(const toll_allocator *a, const toll_profile *p,
                                           const char *format, toll_format_options options)
{
    toll_output *out;
    if (toll_output_to_memory(a, 0, &out, NULL))
        return NULL;
    options.size = sizeof options;
    options.warn = fuzz_see_warning;
    if (toll_profile_write(p, NULL, format, &options, out, NULL) || toll_output_commit(out, NULL)) {
        toll_output_free(out);
        return NULL;
    }
    return out;
}

static inline toll_output *fuzz_write(const toll_allocator *a, const toll_profile *p,
                                      const char *format)
{
    return fuzz_write_with(a, p, format, (toll_format_options){ .strict = 0 });
}

/* speedscope omits negative values, which may leave frames without a stack. */
static inline int fuzz_all_positive(const toll_profile *p)
{
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++)
        for (uint32_t c = 0; c < toll_profile_column_count(p); c++)
            if (toll_profile_self(p, n, c) < 0)
                return 0;
    return 1;
}

typedef toll_status (*fuzz_report_fn)(const toll_profile *, const toll_report_options *,
                                      toll_output *, toll_error *);

static inline void fuzz_see_report(const toll_allocator *a, const char *what, fuzz_report_fn report,
                                   const toll_profile *p)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    if (toll_output_to_memory(a, 0, &out, NULL))
        return;
    toll_status status = report(p, NULL, out, &err);
    fuzz_see_failure(status, &err);
    if (!status && !toll_output_commit(out, NULL))
        fuzz_see_output(what, out);
    toll_output_free(out);
}

/* Report what is written with options of writers: the last value, labels, and few stacks. */
static inline void fuzz_see_options(const toll_allocator *a, const toll_profile *p)
{
    static const char *const formats[] = { "pprof", "folded", "perfview", "svg", "callgrind" };
    uint32_t columns = toll_profile_column_count(p);
    for (size_t i = 0; columns && i < sizeof formats / sizeof *formats; i++) {
        const toll_format_options options = { .value = toll_profile_column(p, columns - 1).type,
                                              .labels = "run=1,host=a",
                                              .title = "a <title>",
                                              .most_stacks = 3,
                                              .stack_bytes = 200 };
        toll_output *out = fuzz_write_with(a, p, formats[i], options);
        if (out)
            fuzz_see_output("options", out);
        toll_output_free(out);
    }
}

/* Report the profile in all formats and all reports, except for the page, most of which does not
 * depend on the profile. */
static inline void fuzz_see_profile(const toll_allocator *a, const toll_profile *p)
{
    const toll_format *format;
    if (!FUZZ_SEES)
        return;
    for (unsigned i = 0; (format = toll_format_at(i)) != NULL; i++) {
        toll_output *out = NULL;
        if (format->writes && strcmp(format->name, "html") != 0)
            out = fuzz_write(a, p, format->name);
        if (out)
            fuzz_see_output(format->name, out);
        toll_output_free(out);
    }
    fuzz_see_options(a, p);
    fuzz_see_report(a, "top", toll_report_top, p);
    fuzz_see_report(a, "tree", toll_report_tree, p);
    fuzz_see_report(a, "json", toll_report_json, p);
    fuzz_see_report(a, "markdown", toll_report_markdown, p);
}

/* Read as `read`, write as `write`, read that, write again: the same bytes. */
static inline int fuzz_round_trip(const uint8_t *data, size_t size, const char *read,
                                  const char *write)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_profile *p, *q;
    if (fuzz_read(&a, data, size, read, &p) == TOLL_OK) {
        toll_error err;
        toll_status sound = toll_profile_check(p, 1, &err);
        fuzz_require(sound == TOLL_OK || sound == TOLL_E_OVERFLOW || sound == TOLL_E_NOMEM,
                     "an unsound profile");
        fuzz_see_failure(sound, &err);
        fuzz_see_profile(&a, p);
        toll_output *first = fuzz_write(&a, p, write);
        if (first && toll_profile_column_count(p) &&
            (strcmp(write, "speedscope") != 0 || fuzz_all_positive(p))) {
            size_t n, m;
            const void *bytes = toll_output_data(first, &n);
            toll_status s = fuzz_read(&a, bytes, n, write, &q);
            fuzz_require(s == TOLL_OK || s == TOLL_E_NOMEM || s == TOLL_E_OVERFLOW,
                         "what was written does not read back");
            toll_output *second = s ? NULL : fuzz_write(&a, q, write);
            /* Characters that folded lines cannot contain are replaced, which may change the order
             * of names once. */
            if (second && strcmp(write, "folded") != 0) {
                const void *again = toll_output_data(second, &m);
                fuzz_require(n == m && (n == 0 || memcmp(bytes, again, n) == 0),
                             "other bytes the second time");
            }
            toll_output_free(second);
            toll_profile_free(q);
        }
        toll_output_free(first);
        toll_profile_free(p);
    }
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif

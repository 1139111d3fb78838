/* fuzz_timeline_read.c - fuzzes the reader of timelines. What it reads is written as a timeline,
 * which must have the same events. */
#include "fuzz_format.h"

static toll_status read_both(const toll_allocator *a, const void *data, size_t size,
                             toll_timeline **t, toll_profile **p)
{
    toll_input *in;
    *t = NULL;
    *p = NULL;
    toll_status s = toll_input_from_memory(a, data, size, "input", &in, NULL);
    if (s)
        return s;
    toll_error err = { TOLL_OK, "" };
    s = toll_profile_read(in, "timeline", NULL, t, p, &err);
    fuzz_see_failure(s, &err);
    toll_input_free(in);
    return s;
}

static void same_events(const toll_timeline *t, const toll_timeline *u)
{
    toll_timeline_reader *r = NULL, *q = NULL;
    toll_timeline_event e, f;
    uint32_t threads = toll_profile_thread_count(toll_timeline_names(t));
    for (uint32_t i = 0; i < threads; i++) {
        if (!toll_timeline_read_thread(t, i, &r, NULL) &&
            !toll_timeline_read_thread(u, i, &q, NULL))
            for (int more = 1, other = 1; more == 1 && other == 1;) {
                more = toll_timeline_next(r, &e, NULL);
                other = toll_timeline_next(q, &f, NULL);
                fuzz_require(more >= 0 && more == other, "events are lost");
                fuzz_require(more != 1 || other != 1 ||
                                 (e.at == f.at && e.second == f.second && e.is_open == f.is_open &&
                                  e.is_call == f.is_call),
                             "an event has changed");
            }
        toll_timeline_reader_free(r);
        toll_timeline_reader_free(q);
        r = q = NULL;
    }
}

/* Report the events in the formats that have an order in time. */
static void see_timeline(const toll_allocator *a, const toll_profile *p, const toll_timeline *t)
{
    static const char *const formats[] = { "chrome", "speedscope", "perfetto", "folded" };
    for (size_t i = 0; FUZZ_SEES && t && i < sizeof formats / sizeof *formats; i++) {
        toll_output *out;
        if (toll_output_to_memory(a, 0, &out, NULL))
            continue;
        if (!toll_profile_write(p, t, formats[i], NULL, out, NULL) &&
            !toll_output_commit(out, NULL))
            fuzz_see_output(formats[i], out);
        toll_output_free(out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_timeline *t, *u;
    toll_profile *p, *q;
    toll_output *out = NULL;
    size_t n;
    if (read_both(&a, data, size, &t, &p) == TOLL_OK) {
        fuzz_require(toll_profile_check(p, 1, NULL) != TOLL_E_INVARIANT, "an unsound profile");
        fuzz_see_profile(&a, p);
        see_timeline(&a, p, t);
        if (!toll_output_to_memory(&a, 0, &out, NULL) &&
            !toll_profile_write(p, t, "timeline", NULL, out, NULL) &&
            !toll_output_commit(out, NULL)) {
            const void *bytes = toll_output_data(out, &n);
            fuzz_see_output("timeline", out);
            toll_status s = read_both(&a, bytes, n, &u, &q);
            fuzz_require(s == TOLL_OK || s == TOLL_E_NOMEM, "what was written does not read back");
            if (!s)
                same_events(t, u);
            toll_timeline_free(u);
            toll_profile_free(q);
        }
        toll_output_free(out);
    }
    toll_timeline_free(t);
    toll_profile_free(p);
    fuzz_require(budget.used == 0, "memory is not freed");
    return 0;
}

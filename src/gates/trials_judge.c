/* trials_judge.c - notes what makes measured times less sure than they look. See trials.h. */
#include "gates/trials.h"

#include "report/report_text.h"

#include <inttypes.h>

enum {
    SHORT_NS = 5000000, /* most of a shorter run is the start of a process */
    LEAST_JUDGED = 6    /* runs of which one can be an outlier */
};

/* An outlier is ten standard deviations or more from the median, these estimated by the median
 * deviation, times 1.4826: B. Iglewicz and D. Hoaglin, How to Detect and Handle Outliers (1993). */
#define FAR_AWAY 14.826
#define DRIFT_LEVEL 0.01

/* The wall time of a side's runs. */
typedef struct times {
    toll_sample sample;
    toll_median median;
    double limit; /* a run that took longer is an outlier */
} times;

static bool measure(const toll_trials *t, int side, times *out)
{
    const toll_trial_row *wall = &t->values.items[0];
    *out = (times){ { wall->values[side], wall->counts[side] }, wall->medians[side], 0 };
    toll_median median;
    int64_t *away = toll_mem_new(&t->mem, out->sample.count, sizeof *away);
    if (!away)
        return false;
    for (uint32_t i = 0; i < out->sample.count; i++) {
        int64_t by = out->sample.values[i] - out->median.median;
        away[i] = by < 0 ? -by : by;
    }
    bool good = toll_median_of(&t->mem, (toll_sample){ away, out->sample.count }, &median);
    out->limit = (double)out->median.median + FAR_AWAY * (double)median.median;
    toll_mem_free(&t->mem, away, out->sample.count, sizeof *away);
    return good;
}

static const char *ns_text(int64_t ns, char text[TOLL_VALUE_TEXT_SIZE])
{
    return toll_value_text(ns, "nanoseconds", text);
}

static void judge_outliers(toll_trials *t, int side, const times *s)
{
    char first[TOLL_VALUE_TEXT_SIZE], median[TOLL_VALUE_TEXT_SIZE], most[TOLL_VALUE_TEXT_SIZE];
    uint32_t count = 0;
    int64_t largest = 0;
    if (s->sample.count < LEAST_JUDGED)
        return;
    for (uint32_t i = 0; i < s->sample.count; i++) {
        int64_t ns = s->sample.values[i];
        count += (double)ns > s->limit;
        largest = ns > largest ? ns : largest;
    }
    ns_text(s->median.median, median);
    if ((double)s->sample.values[0] > s->limit)
        toll_trials_note(t,
                         "%s's first run took %s, and the median is %s: what it reads was in no "
                         "cache yet; say --warmup with a larger number",
                         t->titles[side], ns_text(s->sample.values[0], first), median);
    else if (count)
        toll_trials_note(t,
                         "%" PRIu32 " of %s's %" PRIu32 " runs %s, up to %s, where the median is "
                         "%s: did the machine have other work?",
                         count, t->titles[side], s->sample.count,
                         count == 1 ? "is an outlier" : "are outliers", ns_text(largest, most),
                         median);
}

/* Do the later runs differ from the earlier ones? The turns favour neither side then, but intervals
 * are too wide. */
static bool judge_drift(toll_trials *t, int side, const times *s)
{
    uint32_t half = s->sample.count / 2;
    toll_sample early = { s->sample.values, half },
                late = { s->sample.values + s->sample.count - half, half };
    toll_median before, after;
    char from[TOLL_VALUE_TEXT_SIZE], to[TOLL_VALUE_TEXT_SIZE];
    double p;
    if (half < LEAST_JUDGED)
        return true;
    if (!toll_rank_test(&t->mem, early, late, &p) || !toll_median_of(&t->mem, early, &before) ||
        !toll_median_of(&t->mem, late, &after))
        return false;
    if (p < DRIFT_LEVEL)
        toll_trials_note(t,
                         "%s drifts: the median of its earlier runs is %s, of its later ones %s; "
                         "is the machine's clock throttled, or do files grow?",
                         t->titles[side], ns_text(before.median, from), ns_text(after.median, to));
    return true;
}

static void judge_counts(toll_trials *t)
{
    double least = toll_rank_least_p(t->runs[0], t->runs[1]);
    if (least > 0.05)
        toll_trials_note(t,
                         "too few runs: p cannot be below %.3f; --runs 4 is the least that can "
                         "show a difference, and 10 or more are better",
                         least);
    else if (t->runs[0] < LEAST_JUDGED || t->runs[1] < LEAST_JUDGED)
        toll_trials_note(t, "medians have no interval: that takes 6 runs of each");
}

bool toll_trials_judge(toll_trials *t)
{
    bool good = true;
    judge_counts(t);
    for (int side = 0; good && side < TOLL_TRIAL_SIDES; side++) {
        times s;
        good = measure(t, side, &s);
        if (!good)
            break;
        if (s.median.median < SHORT_NS)
            toll_trials_note(t, "%s takes under 5 ms: much of that is the start of a process",
                             t->titles[side]);
        judge_outliers(t, side, &s);
        good = judge_drift(t, side, &s);
    }
    return good && !t->notes.failed;
}

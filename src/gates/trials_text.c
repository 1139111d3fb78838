/* trials_text.c - what is said of two programs' runs: the cells of a table, and a sentence. See
 * trials.h. */
#include "gates/trials.h"

#include "base/text.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PERCENT = 1000000 };

/* A share in hundredths of a percent, rounded. */
static int64_t hundredths(double part, double whole)
{
    double percent = 100 * part / whole;
    percent = percent > MOST_PERCENT ? MOST_PERCENT : percent;
    return (int64_t)(100 * percent + (percent < 0 ? -0.5 : 0.5));
}

/* The larger half of the interval, as a share of the median, as benchstat prints it. */
static void put_side(const toll_trial_row *row, int side, toll_trial_cells *c)
{
    const toll_median *m = &row->medians[side];
    char value[TOLL_VALUE_TEXT_SIZE];
    if (!row->counts[side])
        return;
    toll_value_text(m->median, row->unit, value);
    double below = (double)m->median - (double)m->low, above = (double)m->high - (double)m->median;
    if (row->is_exact || !m->has_interval || m->median <= 0)
        snprintf(c->sides[side], sizeof c->sides[side], "%s", value);
    else
        snprintf(c->sides[side], sizeof c->sides[side], "%s \xc2\xb1 %u%%", value,
                 (unsigned)(hundredths(below > above ? below : above, (double)m->median) + 50) /
                     100);
}

/* "-7.46%" */
static const char *share_text(double by, double before, char text[32])
{
    int64_t h = hundredths(by, before);
    uint64_t size = h < 0 ? 0 - (uint64_t)h : (uint64_t)h;
    snprintf(text, 32, "%s%" PRIu64 ".%02u%%", by < 0 ? "-" : "+", size / 100,
             (unsigned)(size % 100));
    return text;
}

static void put_change(const toll_trial_row *row, toll_trial_cells *c)
{
    int64_t a = row->medians[0].median, b = row->medians[1].median, by;
    char change[TOLL_SIGNED_TEXT_SIZE] = "", share[32] = "";
    if (!row->counts[0] || !row->counts[1]) {
        snprintf(c->change, sizeof c->change, row->counts[0] ? "only A" : "only B");
        return;
    }
    if (!toll_trial_differs(row)) {
        snprintf(c->change, sizeof c->change, "%s", row->is_exact ? "same" : "~");
        return;
    }
    if (a > 0)
        share_text((double)b - (double)a, (double)a, share);
    if ((row->is_exact || !*share) && toll_i64_sub(b, a, &by))
        toll_signed_text(by, row->unit, change);
    snprintf(c->change, sizeof c->change, *share && *change ? "%s (%s)" : "%s%s", change, share);
}

void toll_trial_cells_of(const toll_trial_row *row, toll_trial_cells *c)
{
    *c = (toll_trial_cells){ .p = "" };
    for (int side = 0; side < TOLL_TRIAL_SIDES; side++)
        put_side(row, side, c);
    put_change(row, c);
    snprintf(c->n, sizeof c->n, "%" PRIu32 "+%" PRIu32, row->counts[0], row->counts[1]);
    if (!row->counts[0] || !row->counts[1])
        return;
    if (row->is_exact)
        snprintf(c->p, sizeof c->p, "exact");
    else if (row->p < 0.0005)
        snprintf(c->p, sizeof c->p, "<0.001");
    else
        snprintf(c->p, sizeof c->p, "%.3f", row->p);
}

/* --- the sentence ------------------------------------------------------------------------------*/

/* The ratio, and the ends of its interval, with equally many digits. */
static void put_ratio(toll_ratio r, char is[32], char range[64])
{
    int digits = r.ratio < 1.1 ? 3 : r.ratio < 100 ? 2 : 0;
    snprintf(is, 32, "%.*f", digits, r.ratio);
    snprintf(range, 64, "%.*f to %.*f", digits, r.low, digits, r.high);
}

void toll_trial_put_sentence(const toll_trials *t, const toll_trial_row *row, toll_output *out)
{
    toll_ratio r = row->ratio;
    char is[32], range[64];
    if (!r.is_known || !r.has_interval) {
        toll_output_printf(out, "%s: too few runs to tell which is faster", row->name);
        return;
    }
    bool differs = toll_trial_differs(row), is_b = !differs || r.ratio >= 1;
    if (!is_b)
        r = (toll_ratio){ .ratio = 1 / r.ratio, .low = 1 / r.high, .high = 1 / r.low };
    put_ratio(r, is, range);
    if (differs)
        toll_output_printf(out, "%s: %s is %s times as fast as %s (95%%: %s)", row->name,
                           t->titles[is_b], is, t->titles[!is_b], range);
    else
        toll_output_printf(out,
                           "%s: no difference to be seen (p %.3f; %s is %s times as fast as %s)",
                           row->name, row->p, t->titles[1], range, t->titles[0]);
}

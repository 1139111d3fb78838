/* trials_json.c - writes the comparison of two programs' runs as JSON. See trials.h. */
#include "gates/trials.h"

#include "base/json_write.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <string.h>

static const char *const sides[TOLL_TRIAL_SIDES] = { "a", "b" };

static void put_side(const toll_trial_row *row, int side, toll_output *out)
{
    const toll_median *m = &row->medians[side];
    toll_output_printf(out, ",\"%s\":", sides[side]);
    if (!row->counts[side]) {
        toll_output_printf(out, "null");
        return;
    }
    toll_output_printf(out, "{\"median\":%" PRId64, m->median);
    if (m->has_interval)
        toll_output_printf(out, ",\"low\":%" PRId64 ",\"high\":%" PRId64, m->low, m->high);
    for (uint32_t i = 0; i < row->counts[side]; i++)
        toll_output_printf(out, "%s%" PRId64, i ? "," : ",\"runs\":[", row->values[side][i]);
    toll_output_printf(out, "]}");
}

static void put_row(const toll_trial_row *row, toll_output *out)
{
    toll_output_printf(out, "{");
    if (row->frame.name) {
        toll_report_put_json_frame(out, row->frame);
    } else {
        toll_output_printf(out, "\"value\":");
        toll_json_put_string(out, row->name);
        toll_output_printf(out, ",\"of\":\"%s\"", row->of_process ? "process" : "profile");
    }
    toll_output_printf(out, ",\"unit\":");
    toll_json_put_string(out, row->unit);
    toll_output_printf(out, ",\"exact\":%s", row->is_exact ? "true" : "false");
    for (int side = 0; side < TOLL_TRIAL_SIDES; side++)
        put_side(row, side, out);
    bool has_both = row->counts[0] && row->counts[1];
    if (has_both)
        toll_output_printf(out, ",\"differs\":%s", toll_trial_differs(row) ? "true" : "false");
    if (has_both && !row->is_exact)
        toll_output_printf(out, ",\"p\":%.6f", row->p);
    if (has_both && !row->is_exact && row->ratio.is_known)
        toll_output_printf(out, ",\"ratio\":%.6f", row->ratio.ratio);
    if (has_both && !row->is_exact && row->ratio.has_interval)
        toll_output_printf(out, ",\"ratio_low\":%.6f,\"ratio_high\":%.6f", row->ratio.low,
                           row->ratio.high);
    toll_output_printf(out, "}");
}

static void put_rows(const char *name, const toll_trial_rows *rows, size_t shown, toll_output *out)
{
    toll_output_printf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < shown; i++) {
        toll_output_printf(out, i ? ",\n" : "\n");
        put_row(&rows->items[i], out);
    }
    toll_output_printf(out, "]");
}

static void put_notes(const toll_trials *t, toll_output *out)
{
    toll_output_printf(out, ",\"notes\":[");
    for (size_t i = 0; i < t->notes.size;) {
        const char *note = (const char *)t->notes.data + i;
        toll_output_printf(out, i ? "," : "");
        toll_json_put_string(out, note);
        i += strlen(note) + 1;
    }
    toll_output_printf(out, "]");
}

void toll_trials_json(const toll_trials *t, uint32_t rows, toll_output *out)
{
    size_t count = t->functions.count, shown = rows && rows < count ? rows : count;
    for (int side = 0; side < TOLL_TRIAL_SIDES; side++) {
        toll_output_printf(out,
                           side ? ",\"%s\":{\"command\":" : "{\"%s\":{\"command\":", sides[side]);
        toll_json_put_string(out, t->commands[side] ? t->commands[side] : "");
        toll_output_printf(out, ",\"runs\":%" PRIu32 "}", t->runs[side]);
    }
    put_rows("values", &t->values, t->values.count, out);
    if (t->function_value) {
        toll_output_printf(out, ",\n\"function_value\":");
        toll_json_put_string(out, t->function_value);
        toll_output_printf(out, ",\"function_count\":%zu", count);
        put_rows("functions", &t->functions, shown, out);
    }
    put_notes(t, out);
    toll_output_printf(out, "}\n");
}

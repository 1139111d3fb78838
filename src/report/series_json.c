/* series_json.c - writes a series as one JSON object, with all steps. See series.h. */
#include "report/series_cells.h"

#include "base/json_write.h"

#include <inttypes.h>

static void put_type(const toll_value_type *type, const char *prefix, toll_output *out)
{
    toll_output_printf(out, "\"%s\":", prefix);
    toll_json_put_string(out, type->type);
    toll_output_printf(out, ",\"%s_unit\":", prefix);
    toll_json_put_string(out, type->unit);
}

static void put_values(const toll_series *s, const char *name, const int64_t *values,
                       toll_output *out)
{
    toll_output_printf(out, ",\"%s\":", name);
    for (size_t i = 0; i < s->count; i++)
        toll_output_printf(out, "%s%" PRId64, i ? "," : "[", values[i]);
    toll_json_put_text(out, "]");
}

static void put_figures(const toll_series *s, const toll_series_row *row, toll_output *out)
{
    toll_output_printf(out, ",\"%s\":%" PRId64, s->options.are_ages ? "in_all" : "change", row->by);
    put_values(s, "values", row->values, out);
    if (row->others)
        put_values(s, "others", row->others, out);
}

static void put_function(const toll_series *s, const toll_series_row *row, toll_output *out)
{
    toll_report_put_json_frame(out, toll_series_frame(s, row));
}

static void put_stack(const toll_series *s, const toll_series_row *row, toll_output *out)
{
    toll_frame_id frames[TOLL_SERIES_FRAMES];
    uint32_t left, count = toll_series_stack(s, row, frames, &left);
    toll_report_put_json_stack(out, s->tree, row->thread, frames, count, left);
}

static void put_rows(const toll_series *s, const char *name, const toll_series_rows *rows,
                     void (*put)(const toll_series *, const toll_series_row *, toll_output *),
                     toll_output *out)
{
    toll_output_printf(out, ",\n\"%s_count\":%" PRIu32 ",\n\"%ss\":[", name, rows->count, name);
    for (uint32_t i = 0; i < toll_series_shown(s, rows); i++) {
        toll_json_put_text(out, i ? ",\n{" : "\n{");
        put(s, &rows->items[i], out);
        toll_output_printf(out, ",\"%s\":%" PRIu32, s->options.are_ages ? "ages" : "steps_grown",
                           rows->items[i].grown);
        put_figures(s, &rows->items[i], out);
        toll_json_put_text(out, "}");
    }
    toll_json_put_text(out, "]");
}

static void put_series(const toll_series *s, toll_output *out)
{
    char title[TOLL_SERIES_TITLE_SIZE];
    toll_json_put_text(out, "{");
    put_type(&s->value, "value", out);
    if (s->other.type) {
        toll_json_put_text(out, ",");
        put_type(&s->other, "other", out);
    }
    toll_json_put_text(out, ",\n\"titles\":[");
    for (size_t i = 0; i < s->count; i++) {
        toll_json_put_text(out, i ? "," : "");
        toll_json_put_string(out, toll_series_title(s, i, title));
    }
    toll_json_put_text(out, "]");
    put_figures(s, s->all.items, out);
    put_rows(s, "function", &s->functions, put_function, out);
    put_rows(s, "stack", &s->stacks, put_stack, out);
    toll_json_put_text(out, "}\n");
}

toll_status toll_report_series_json(const toll_profile *const *profiles, size_t count,
                                    const toll_series_options *options, toll_output *out,
                                    toll_error *err)
{
    return toll_series_report(profiles, count, options, put_series, out, err);
}

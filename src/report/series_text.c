/* series_text.c - writes a series as tables for a terminal. See series.h. */
#include "report/series_cells.h"

#include <inttypes.h>
#include <string.h>

typedef struct table {
    toll_series_cells cells;
    const toll_series *s;
    toll_output *out;
    size_t widths[TOLL_SERIES_CELLS];
} table;

static void widen(table *t, const toll_series_rows *rows)
{
    char text[TOLL_SERIES_CELL_SIZE];
    for (uint32_t i = 0; i < toll_series_shown(t->s, rows); i++)
        for (size_t c = 0; c < t->cells.count; c++)
            toll_report_widen(&t->widths[c], toll_series_cell(&t->cells, &rows->items[i], c, text));
}

/* Make cells as wide as the widest text. */
static void measure(table *t)
{
    char text[TOLL_SERIES_CELL_SIZE];
    for (size_t c = 0; c < t->cells.count; c++)
        toll_report_widen(&t->widths[c], toll_series_head(&t->cells, c, text));
    widen(t, &t->s->functions);
    widen(t, &t->s->stacks);
}

static void put_cell(const table *t, size_t cell, const char *text)
{
    toll_report_put_figure(t->out, text, t->widths[cell] + (cell ? 2 : 0));
}

static void put_head(const table *t, const char *what)
{
    char text[TOLL_SERIES_CELL_SIZE];
    toll_output_printf(t->out, "\n");
    for (size_t c = 0; c < t->cells.count; c++)
        put_cell(t, c, toll_series_head(&t->cells, c, text));
    toll_output_printf(t->out, "  %s\n", what);
}

static void put_name(const table *t, const char *name)
{
    toll_output_put_printable(t->out, toll_short_name_of(&t->s->names, name));
}

static void put_function(const table *t, const toll_series_row *row)
{
    char where[TOLL_WHERE_TEXT_SIZE];
    toll_frame f = toll_series_frame(t->s, row);
    put_name(t, f.name);
    if (*toll_where_text(f, where)) {
        toll_output_printf(t->out, "  ");
        toll_output_put_printable(t->out, where);
    }
}

static void put_stack(const table *t, const toll_series_row *row)
{
    toll_frame_id frames[TOLL_SERIES_FRAMES];
    uint32_t left, count = toll_series_stack(t->s, row, frames, &left);
    const char *thread = toll_profile_thread_title(t->s->tree, row->thread);
    if (toll_profile_thread_count(t->s->tree) > 1 && *thread) {
        toll_output_printf(t->out, "[");
        toll_output_put_printable(t->out, thread);
        toll_output_printf(t->out, "] ");
    }
    if (left)
        toll_output_printf(t->out, "(%" PRIu32 " more);", left);
    if (count == 0)
        toll_output_printf(t->out, "(outside)");
    while (count-- > 0) {
        put_name(t, toll_profile_frame(t->s->tree, frames[count]).name);
        toll_output_printf(t->out, count ? ";" : "");
    }
}

static void put_rows(const table *t, const toll_series_rows *rows, const char *what,
                     void (*put)(const table *, const toll_series_row *))
{
    char text[TOLL_SERIES_CELL_SIZE];
    uint32_t shown = toll_series_shown(t->s, rows);
    put_head(t, what);
    for (uint32_t i = 0; i < shown; i++) {
        const toll_series_row *row = &rows->items[i];
        if (i == 0 || i == rows->leaks)
            toll_output_printf(t->out, "%s:\n", toll_series_group(t->s, i < rows->leaks, text));
        for (size_t c = 0; c < t->cells.count; c++)
            put_cell(t, c, toll_series_cell(&t->cells, row, c, text));
        toll_output_printf(t->out, "  ");
        put(t, row);
        toll_output_printf(t->out, "\n");
    }
    if (shown < rows->count)
        toll_output_printf(t->out, "... and %" PRIu32 " more\n", rows->count - shown);
}

/* Put a row for each profile: what it has in all. */
static void put_sums(const table *t)
{
    char title[TOLL_SERIES_TITLE_SIZE];
    char texts[TOLL_SERIES_SUMS][TOLL_SIGNED_TEXT_SIZE];
    size_t widths[TOLL_SERIES_SUMS] = { 0 };
    for (size_t i = 0; i < t->s->count; i++) {
        toll_series_sums(t->s, i, texts);
        for (int c = 0; c < TOLL_SERIES_SUMS; c++)
            toll_report_widen(&widths[c], texts[c]);
    }
    toll_output_put_printable(t->out, t->s->value.type);
    if (t->s->other.type) {
        toll_output_printf(t->out, ", ");
        toll_output_put_printable(t->out, t->s->other.type);
    }
    toll_output_printf(t->out, "\n");
    for (size_t i = 0; i < t->s->count; i++) {
        toll_series_sums(t->s, i, texts);
        for (int c = 0; c < TOLL_SERIES_SUMS; c++)
            if (widths[c])
                toll_report_put_figure(t->out, texts[c], widths[c] + (c ? 2 : 0));
        toll_output_printf(t->out, "  ");
        toll_output_put_printable(t->out, toll_series_title(t->s, i, title));
        toll_output_printf(t->out, "\n");
    }
}

static void put_series(const toll_series *s, toll_output *out)
{
    table t = { .cells = toll_series_cells_of(s), .s = s, .out = out };
    measure(&t);
    put_sums(&t);
    if (t.cells.first)
        toll_output_printf(out, "of %" PRIu32 " %s the last %zu are shown; --json has all\n",
                           s->most, s->options.are_ages ? "ages" : "steps", t.cells.steps);
    if (s->functions.count == 0 && s->stacks.count == 0) {
        toll_output_printf(out, "\n%s\n",
                           s->options.only_leaks ? s->options.are_ages
                                                       ? "no function has blocks of each age"
                                                       : "nothing grew in each step"
                                                 : "nothing changed");
        return;
    }
    put_rows(&t, &s->functions, s->is_heap ? "allocation site" : "function (self)", put_function);
    put_rows(&t, &s->stacks, "stack (self)", put_stack);
}

toll_status toll_report_series(const toll_profile *const *profiles, size_t count,
                               const toll_series_options *options, toll_output *out,
                               toll_error *err)
{
    return toll_series_report(profiles, count, options, put_series, out, err);
}

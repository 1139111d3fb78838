/* series_markdown.c - writes a series as Markdown, for summaries and comments. See series.h. */
#include "report/series_cells.h"

#include "report/markdown.h"

#include <inttypes.h>
#include <string.h>

typedef struct table {
    toll_series_cells cells;
    const toll_series *s;
    toll_output *out;
} table;

static void put_head(const table *t, const char *what)
{
    char text[TOLL_SERIES_CELL_SIZE];
    toll_output_printf(t->out, "\n|");
    for (size_t c = 0; c < t->cells.count; c++) {
        toll_series_head(&t->cells, c, text);
        toll_output_printf(t->out, " ");
        toll_markdown_put_text(t->out, text, strlen(text));
        toll_output_printf(t->out, " |");
    }
    toll_output_printf(t->out, " %s |\n|", what);
    for (size_t c = 0; c < t->cells.count; c++)
        toll_output_printf(t->out, "--:|");
    toll_output_printf(t->out, ":--|\n");
}

static void put_name(const table *t, const char *name)
{
    toll_markdown_put_code(t->out, toll_short_name_of(&t->s->names, name));
}

static void put_function(const table *t, const toll_series_row *row)
{
    toll_frame f = toll_series_frame(t->s, row);
    put_name(t, f.name);
    if (f.line || *f.file) {
        toll_output_printf(t->out, " ");
        toll_markdown_put_where(t->out, f);
    }
}

static void put_stack(const table *t, const toll_series_row *row)
{
    toll_frame_id frames[TOLL_SERIES_FRAMES];
    uint32_t left, count = toll_series_stack(t->s, row, frames, &left);
    if (left)
        toll_output_printf(t->out, "(%" PRIu32 " more) ", left);
    if (count == 0)
        toll_output_printf(t->out, "(outside)");
    while (count-- > 0) {
        put_name(t, toll_profile_frame(t->s->tree, frames[count]).name);
        toll_output_printf(t->out, count ? " ; " : "");
    }
}

/* Put the rows [from, to) as a table. */
static void put_rows(const table *t, const toll_series_rows *rows, uint32_t from, uint32_t to,
                     const char *what, void (*put)(const table *, const toll_series_row *))
{
    char text[TOLL_SERIES_CELL_SIZE];
    if (from >= to)
        return;
    toll_output_printf(t->out, "\n**%s**\n", toll_series_group(t->s, from < rows->leaks, text));
    put_head(t, what);
    for (uint32_t i = from; i < to; i++) {
        toll_output_printf(t->out, "|");
        for (size_t c = 0; c < t->cells.count; c++)
            toll_output_printf(t->out, " %s |",
                               toll_series_cell(&t->cells, &rows->items[i], c, text));
        toll_output_printf(t->out, " ");
        put(t, &rows->items[i]);
        toll_output_printf(t->out, " |\n");
    }
}

static void put_groups(const table *t, const toll_series_rows *rows, const char *what,
                       void (*put)(const table *, const toll_series_row *))
{
    uint32_t shown = toll_series_shown(t->s, rows);
    uint32_t leaks = rows->leaks < shown ? rows->leaks : shown;
    put_rows(t, rows, 0, leaks, what, put);
    put_rows(t, rows, leaks, shown, what, put);
    toll_markdown_put_more(t->out, rows->count - shown, "row");
}

static void put_series(const toll_series *s, toll_output *out)
{
    const table t = { .cells = toll_series_cells_of(s), .s = s, .out = out };
    char texts[TOLL_SERIES_SUMS][TOLL_SIGNED_TEXT_SIZE], title[TOLL_SERIES_TITLE_SIZE];
    toll_output_printf(out, "\n| ");
    toll_markdown_put_code(out, s->value.type);
    toll_output_printf(out, " | | ");
    if (s->other.type)
        toll_markdown_put_code(out, s->other.type);
    toll_output_printf(out, " | | |\n|--:|--:|--:|--:|:--|\n");
    for (size_t i = 0; i < s->count; i++) {
        toll_series_sums(s, i, texts);
        for (int c = 0; c < TOLL_SERIES_SUMS; c++)
            toll_output_printf(out, "| %s ", texts[c]);
        toll_output_printf(out, "| ");
        toll_markdown_put_code(out, toll_series_title(s, i, title));
        toll_output_printf(out, " |\n");
    }
    put_groups(&t, &s->functions, s->is_heap ? "allocation site" : "function (self)", put_function);
    if (s->stacks.count == 0)
        return;
    toll_markdown_begin_details(out, "Stacks");
    put_groups(&t, &s->stacks, "stack (self)", put_stack);
    toll_markdown_end_details(out);
}

toll_status toll_report_series_markdown(const toll_profile *const *profiles, size_t count,
                                        const toll_series_options *options, toll_output *out,
                                        toll_error *err)
{
    return toll_series_report(profiles, count, options, put_series, out, err);
}

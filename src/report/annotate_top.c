/* annotate_top.c - see annotate_top.h. */
#include "report/annotate_top.h"

#include "base/fail.h"
#include "base/json_write.h"
#include "base/printable.h"
#include "base/text.h"
#include "report/annotate_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 40 }; /* columns within which names and places are aligned */

typedef struct table {
    const toll_annotation *a;
    toll_output *out;
    toll_figure_columns figures;
    size_t places, names;
} table;

static toll_line figures_of(const toll_costly_line *row)
{
    return (toll_line){ .self = row->self, .before = row->before, .executions = row->executions };
}

static const char *place_text(const toll_costly_line *row, char text[TOLL_WHERE_TEXT_SIZE])
{
    toll_frame place = { .file = row->short_file, .line = row->line };
    return *row->file ? toll_where_text(place, text) : "-";
}

enum { OTHERS_SIZE = 16 };

/* How many other functions have the line. */
static const char *others_text(const toll_costly_line *row, char text[OTHERS_SIZE])
{
    *text = 0;
    if (row->functions > 1)
        snprintf(text, OTHERS_SIZE, " +%" PRIu32, row->functions - 1);
    return text;
}

static const char *name_of(const table *t, const toll_costly_line *row)
{
    return toll_short_name_of(&t->a->names, row->function->frame.name);
}

static size_t name_width(const table *t, const toll_costly_line *row)
{
    char others[OTHERS_SIZE];
    return toll_printable_width(name_of(t, row)) + strlen(others_text(row, others));
}

static void put_name(const table *t, const toll_costly_line *row, size_t width)
{
    char others[OTHERS_SIZE];
    toll_output_put_printable(t->out, name_of(t, row));
    toll_output_printf(t->out, "%s", others_text(row, others));
    for (size_t used = name_width(t, row); used < width; used++)
        toll_output_write(t->out, " ", 1);
}

static void widen(size_t *width, size_t needed)
{
    needed = needed > MOST_COLUMNS ? MOST_COLUMNS : needed;
    *width = needed > *width ? needed : *width;
}

static void measure(table *t, const toll_costliest_lines *lines)
{
    char text[TOLL_WHERE_TEXT_SIZE];
    toll_figures_begin(&t->figures, &t->a->listings, false);
    t->places = strlen("line");
    t->names = strlen("function");
    for (const toll_costly_line *row = lines->items; row < lines->items + lines->shown; row++) {
        toll_line line = figures_of(row);
        toll_figures_widen(&t->figures, &line);
        widen(&t->places, toll_printable_width(place_text(row, text)));
        widen(&t->names, name_width(t, row));
    }
}

static void put_heads(const table *t)
{
    bool color = t->a->options.color;
    toll_output_printf(t->out, "%s", color ? TOLL_BOLD : "");
    toll_figures_put_heads(&t->figures, t->out);
    toll_report_put_padded(t->out, "line", t->places);
    toll_output_printf(t->out, "  ");
    toll_report_put_padded(t->out, "function", t->names);
    toll_output_printf(t->out, "  source%s\n", color ? TOLL_PLAIN : "");
}

static void put_row(table *t, const toll_costly_line *row)
{
    toll_line line = figures_of(row);
    toll_source_text source = { .line_text = row->text, .line_size = row->text_size };
    char text[TOLL_WHERE_TEXT_SIZE];
    toll_figures_put(&t->figures, &line, t->out);
    toll_report_put_padded(t->out, place_text(row, text), t->places);
    toll_output_printf(t->out, "  ");
    bool has_text = !row->line || row->text_size;
    put_name(t, row, has_text ? t->names : 0);
    if (row->line)
        toll_source_put(&source, "  ", t->out);
    else
        toll_output_printf(t->out, "  (no line)");
    toll_output_printf(t->out, "\n");
}

/* How many lines have a text that is not their file's own. */
static void put_origins(const table *t, const toll_costliest_lines *lines)
{
    const char *first = "";
    size_t count = 0;
    for (size_t i = 0; i < lines->shown; i++) {
        const toll_costly_line *row = &lines->items[i];
        const char *origin = row->text ? toll_annotation_origin(t->a, row->file) : "";
        first = *first ? first : origin;
        count += *origin != 0;
    }
    if (!count)
        return;
    toll_output_printf(t->out, "\nnote: the text of %zu of these lines is embedded in ", count);
    toll_output_put_printable(t->out, first);
    toll_output_printf(t->out, "\n");
}

toll_status toll_annotate_put_top(const toll_annotation *a, toll_output *out, toll_error *err)
{
    toll_costliest_lines lines;
    toll_status status = toll_costliest_lines_create(&lines, a, err);
    if (status)
        return status;
    table t = { .a = a, .out = out };
    toll_annotate_put_heading(a, lines.count, "line", out);
    if (lines.shown) {
        measure(&t, &lines);
        put_heads(&t);
    }
    for (size_t i = 0; i < lines.shown; i++)
        put_row(&t, &lines.items[i]);
    if (lines.shown < lines.count)
        toll_annotate_put_more(a, lines.count - lines.shown, "more line", lines.rest, "--top", out);
    put_origins(&t, &lines);
    toll_costliest_lines_free(&lines);
    return TOLL_OK;
}

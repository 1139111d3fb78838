/* trials_table.c - prints the comparison of two programs' runs as a table and as Markdown. See
 * trials.h. */
#include "gates/trials.h"

#include "base/printable.h"
#include "report/markdown.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <string.h>

enum { COLUMNS = 5 }; /* of figures: A, B, change, p, n */

/* Rows of one kind, and how wide their columns are. */
typedef struct table {
    const toll_trials *trials;
    const toll_trial_row *rows;
    size_t count;
    size_t name_width, widths[COLUMNS];
} table;

static const char *const heads[COLUMNS] = { "A", "B", "change", "p", "n" };

static const char *cell(const toll_trial_cells *c, int column)
{
    const char *const texts[COLUMNS] = { c->sides[0], c->sides[1], c->change, c->p, c->n };
    return texts[column];
}

static const char *name_of(const toll_trial_row *row)
{
    return row->frame.name ? row->frame.name : row->name;
}

static table begin(const toll_trials *t, const toll_trial_row *rows, size_t count)
{
    table made = { t, rows, count, strlen("value"), { 0 } };
    for (int k = 0; k < COLUMNS; k++)
        toll_report_widen(&made.widths[k], heads[k]);
    for (size_t i = 0; i < count; i++) {
        toll_trial_cells c;
        toll_trial_cells_of(&rows[i], &c);
        toll_report_widen(&made.name_width, name_of(&rows[i]));
        for (int k = 0; k < COLUMNS; k++)
            toll_report_widen(&made.widths[k], cell(&c, k));
    }
    return made;
}

static size_t shown_of(const toll_trials *t, uint32_t rows)
{
    return rows && rows < t->functions.count ? rows : t->functions.count;
}

/* --- text --------------------------------------------------------------------------------------*/

static void put_figures(const table *t, const toll_trial_row *row, size_t before, toll_output *out)
{
    toll_trial_cells c;
    if (row)
        toll_trial_cells_of(row, &c);
    for (int k = 0; k < COLUMNS; k++)
        toll_report_put_figure(out, row ? cell(&c, k) : heads[k], t->widths[k] + (k ? 2 : before));
}

/* Values are named first; functions, whose names may be long, at the end. */
static void put_values(const table *t, toll_output *out)
{
    toll_report_put_padded(out, "value", t->name_width);
    put_figures(t, NULL, 2, out);
    toll_output_write(out, "\n", 1);
    for (size_t i = 0; i < t->count; i++) {
        toll_report_put_padded(out, t->rows[i].name, t->name_width);
        put_figures(t, &t->rows[i], 2, out);
        toll_output_write(out, "\n", 1);
    }
}

static void put_functions(const table *t, toll_output *out)
{
    char where[TOLL_WHERE_TEXT_SIZE];
    put_figures(t, NULL, 0, out);
    toll_output_printf(out, "  function\n");
    for (size_t i = 0; i < t->count; i++) {
        const toll_trial_row *row = &t->rows[i];
        put_figures(t, row, 0, out);
        toll_output_printf(out, "  ");
        toll_output_put_printable(out, row->frame.name);
        if (*toll_where_text(row->frame, where)) {
            toll_output_printf(out, "  ");
            toll_output_put_printable(out, where);
        }
        toll_output_write(out, "\n", 1);
    }
}

/* What the table of functions is, and what its p are. */
static void put_functions_title(const toll_trials *t, size_t shown, toll_output *out)
{
    toll_output_put_printable(out, t->function_value);
    toll_output_printf(out, " of functions (self), %zu of %zu, by change; ", shown,
                       t->functions.count);
    toll_output_printf(out, t->functions.count == 1 ? "p is that of one test"
                                                    : "p is corrected for as many tests (Holm)");
}

/* Write "A: lua parse.lua", and how often each ran. */
static void put_commands(const toll_trials *t, toll_output *out)
{
    for (int side = 0; side < TOLL_TRIAL_SIDES; side++) {
        toll_output_printf(out, "%s: ", t->titles[side]);
        toll_output_put_printable(out, t->commands[side] ? t->commands[side] : "");
        toll_output_printf(out, "\n");
    }
}

/* Write a sentence for each time of the processes, and for that of the functions. */
static void put_sentences(const toll_trials *t, const char *before, toll_output *out)
{
    for (size_t i = 0; i < t->values.count; i++) {
        const toll_trial_row *row = &t->values.items[i];
        if (!row->of_process && (!t->function_value || strcmp(row->name, t->function_value) != 0))
            continue;
        toll_output_printf(out, "%s", before);
        toll_trial_put_sentence(t, row, out);
        toll_output_printf(out, "\n");
    }
}

static void put_notes(const toll_trials *t, toll_output *out)
{
    for (size_t i = 0; i < t->notes.size;) {
        const char *note = (const char *)t->notes.data + i;
        toll_output_printf(out, "note: %s\n", note);
        i += strlen(note) + 1;
    }
}

void toll_trials_put(const toll_trials *t, uint32_t rows, toll_output *out)
{
    table values = begin(t, t->values.items, t->values.count);
    size_t shown = shown_of(t, rows);
    put_commands(t, out);
    toll_output_printf(out, "\n");
    put_values(&values, out);
    toll_output_printf(out, "\n");
    put_sentences(t, "", out);
    if (shown) {
        table functions = begin(t, t->functions.items, shown);
        toll_output_printf(out, "\n");
        put_functions_title(t, shown, out);
        toll_output_printf(out, "\n");
        put_functions(&functions, out);
    }
    if (t->notes.size)
        toll_output_printf(out, "\n");
    put_notes(t, out);
}

/* --- Markdown ----------------------------------------------------------------------------------*/

static void put_markdown_rows(const table *t, const char *what, toll_output *out)
{
    toll_output_printf(out, "| %s |", what);
    for (int k = 0; k < COLUMNS; k++)
        toll_output_printf(out, " %s |", heads[k]);
    toll_output_printf(out, "\n|:--|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < t->count; i++) {
        toll_trial_cells c;
        toll_trial_cells_of(&t->rows[i], &c);
        toll_output_printf(out, "| ");
        toll_markdown_put_code(out, name_of(&t->rows[i]));
        for (int k = 0; k < COLUMNS; k++)
            toll_output_printf(out, " | %s", cell(&c, k));
        toll_output_printf(out, " |\n");
    }
}

void toll_trials_markdown(const toll_trials *t, uint32_t rows, toll_output *out)
{
    table values = begin(t, t->values.items, t->values.count);
    size_t shown = shown_of(t, rows);
    for (int side = 0; side < TOLL_TRIAL_SIDES; side++) {
        toll_output_printf(out, "%s- %s: ", side ? "\n" : "", t->titles[side]);
        toll_markdown_put_code(out, t->commands[side] ? t->commands[side] : "");
    }
    toll_output_printf(out, "\n\n");
    put_markdown_rows(&values, "value", out);
    toll_output_printf(out, "\n");
    put_sentences(t, "- ", out);
    if (shown) {
        table functions = begin(t, t->functions.items, shown);
        toll_output_printf(out, "\n");
        put_functions_title(t, shown, out);
        toll_output_printf(out, "\n\n");
        put_markdown_rows(&functions, "function", out);
    }
    if (t->notes.size)
        toll_output_printf(out, "\n");
    put_notes(t, out);
}

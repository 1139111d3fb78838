/* cases_table.c - prints cases as a table and as Markdown. See cases.h. */
#include "gates/cases.h"

#include "base/printable.h"
#include "profile/thread_labels.h"
#include "report/markdown.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What a column shows. */
typedef enum cell_kind {
    CELL_VALUE,
    CELL_CHANGE,
    CELL_SHARE, /* of the change in the value before */
    CELL_LEAST, /* in one transaction */
    CELL_MOST,
    CELL_CALLS,
    CELL_SYSTEM_CALLS,
    CELL_OTHER
} cell_kind;

typedef struct column {
    cell_kind kind;
    uint32_t other; /* CELL_OTHER: which */
    char title[64];
    size_t width;
} column;

enum { MOST_COLUMNS = TOLL_MAX_COLUMNS + 8, CELL_SIZE = TOLL_SIGNED_TEXT_SIZE };

typedef struct table {
    const toll_cases *cases;
    toll_output *out;
    column columns[MOST_COLUMNS];
    uint32_t column_count;
    size_t name_widths[TOLL_CASES_KEYS];
    uint32_t rows, shown; /* cases that may be shown, and how many of them are */
    uint32_t hidden;      /* cases that are gone */
} table;

/* --- what is shown -----------------------------------------------------------------------------*/

static void add_column(table *t, cell_kind kind, const char *title)
{
    column *c = &t->columns[t->column_count++];
    *c = (column){ .kind = kind };
    snprintf(c->title, sizeof c->title, "%s", title);
}

bool toll_cases_is_row(const toll_cases *c, const toll_case *item)
{
    if (item->is_gone && c->options.hides_gone)
        return false;
    return !c->before || c->options.sort != TOLL_CASES_BY_CHANGE || item->by || item->is_new ||
           item->is_gone;
}

const toll_case *toll_cases_next_row(const toll_cases *c, size_t *at, uint32_t *row)
{
    while ((!c->options.rows || *row < c->options.rows) && *at < c->count) {
        const toll_case *item = &c->items[(*at)++];
        if (toll_cases_is_row(c, item)) {
            ++*row;
            return item;
        }
    }
    return NULL;
}

/* What people call a key of the names. */
static const char *key_title(const toll_cases *c, uint32_t i)
{
    if (strcmp(c->keys[i], TOLL_ROOT_KEY) != 0)
        return c->keys[i];
    return strcmp(c->value.unit, "CU") == 0 ? "instruction" : "function";
}

static void begin(table *t, const toll_cases *c, toll_output *out)
{
    *t = (table){ .cases = c, .out = out };
    add_column(t, CELL_VALUE, c->value.type);
    if (c->before) {
        add_column(t, CELL_CHANGE, "change");
        add_column(t, CELL_SHARE, "");
    }
    if (c->has_runs) {
        add_column(t, CELL_LEAST, "least");
        add_column(t, CELL_MOST, "most");
    }
    if (c->has_calls)
        add_column(t, CELL_CALLS, "calls");
    if (c->all.system_calls)
        add_column(t, CELL_SYSTEM_CALLS, "system calls");
    for (uint32_t i = 0; i < c->other_count; i++) {
        add_column(t, CELL_OTHER, toll_profile_column(c->after, c->others[i]).type);
        t->columns[t->column_count - 1].other = i;
    }
    for (size_t i = 0; i < c->count; i++) {
        t->rows += toll_cases_is_row(c, &c->items[i]);
        t->hidden += c->items[i].is_gone && c->options.hides_gone;
    }
    t->shown = c->options.rows && c->options.rows < t->rows ? c->options.rows : t->rows;
}

/* --- cells -------------------------------------------------------------------------------------*/

/* Is it a sum, and no case? */
static const char *sum_title(const toll_cases *c, const toll_case *item)
{
    return item == &c->all ? "(all)" : item == &c->both ? "(in both)" : NULL;
}

static const char *change_text(const toll_cases *c, const toll_case *item, char text[CELL_SIZE])
{
    *text = 0;
    if (item == &c->all && c->has_both) /* what is new, or gone, is no change */
        return text;
    if (item->is_new || item->is_gone)
        return item->is_new ? "new" : "gone";
    return item->by ? toll_signed_text(item->by, c->value.unit, text) : text;
}

/* The change as a share of the value before, to a tenth of a percent; nothing if that has no
 * meaning. */
static const char *share_text(const toll_cases *c, const toll_case *item, char text[CELL_SIZE])
{
    enum { MOST = 10000 }; /* times */
    *text = 0;
    if (!item->by || item->is_new || item->is_gone || item->before <= 0 || item->by == INT64_MIN ||
        (item == &c->all && c->has_both))
        return text;
    uint64_t by = item->by < 0 ? (uint64_t)-item->by : (uint64_t)item->by;
    uint64_t whole = (uint64_t)item->before, times = by / whole, tenths = 0;
    if (times < MOST) {
        uint64_t rest = by % whole;
        while (rest > UINT64_MAX / 4000) { /* both are large: the share stays the same */
            rest /= 2;
            whole /= 2;
        }
        tenths = times * 1000 + (rest * 2000 + whole) / (2 * whole);
        snprintf(text, CELL_SIZE, "%c%" PRIu64 ".%u%%", item->by < 0 ? '-' : '+', tenths / 10,
                 (unsigned)(tenths % 10));
    } else {
        snprintf(text, CELL_SIZE, "> +%d%%", MOST * 100);
    }
    return text;
}

static const char *run_text(const toll_cases *c, const toll_case *item, bool is_most,
                            char text[CELL_SIZE])
{
    *text = 0;
    if (sum_title(c, item) || !c->runs[item->thread].count)
        return text;
    const toll_case_runs *runs = &c->runs[item->thread];
    return toll_value_text(is_most ? runs->most : runs->least, c->value.unit, text);
}

static const char *cell_text(const table *t, const column *col, const toll_case *item,
                             char text[CELL_SIZE])
{
    const toll_cases *c = t->cases;
    if (item == &c->both && col->kind > CELL_SHARE)
        return "";
    switch (col->kind) {
    case CELL_VALUE: return toll_value_text(item->after, c->value.unit, text);
    case CELL_CHANGE: return change_text(c, item, text);
    case CELL_SHARE: return share_text(c, item, text);
    case CELL_LEAST:
    case CELL_MOST: return run_text(c, item, col->kind == CELL_MOST, text);
    case CELL_CALLS: return toll_value_text(item->calls, "count", text);
    case CELL_SYSTEM_CALLS: return toll_value_text(item->system_calls, "count", text);
    default:
        return toll_value_text(toll_case_other(c, item, col->other),
                               toll_profile_column(c->after, c->others[col->other]).unit, text);
    }
}

/* --- text --------------------------------------------------------------------------------------*/

static const char *shown_name(const toll_case *item, uint32_t i)
{
    return item->names[i] ? item->names[i] : "(none)";
}

static bool is_colored(const table *t, const column *col, const toll_case *item)
{
    return t->cases->options.color && col->kind == CELL_CHANGE && item->by && !item->is_new &&
           !item->is_gone;
}

/* Put a name of a row, or the title of its column. The last one is not padded. */
static void put_name(const table *t, uint32_t i, const char *name)
{
    toll_output_write(t->out, "  ", 2);
    if (i + 1 < t->cases->key_count)
        toll_report_put_padded(t->out, name, t->name_widths[i]);
    else
        toll_output_put_printable(t->out, name);
}

static void put_row(table *t, const toll_case *item)
{
    char text[CELL_SIZE];
    for (uint32_t i = 0; i < t->column_count; i++) {
        const column *col = &t->columns[i];
        bool is_shown_in_color = is_colored(t, col, item) && *cell_text(t, col, item, text);
        if (is_shown_in_color)
            toll_output_printf(t->out, "%s", item->by > 0 ? "\x1b[31m" : "\x1b[32m");
        toll_report_put_figure(t->out, cell_text(t, col, item, text), col->width);
        if (is_shown_in_color)
            toll_output_printf(t->out, "\x1b[0m");
    }
    const char *sum = sum_title(t->cases, item);
    if (sum)
        toll_output_printf(t->out, "  %s", sum);
    for (uint32_t i = 0; !sum && i < t->cases->key_count; i++)
        put_name(t, i, shown_name(item, i));
    toll_output_write(t->out, "\n", 1);
}

static void widen(table *t, const toll_case *item)
{
    char text[CELL_SIZE];
    for (uint32_t i = 0; i < t->column_count; i++)
        toll_report_widen(&t->columns[i].width, cell_text(t, &t->columns[i], item, text));
    for (uint32_t i = 0; !sum_title(t->cases, item) && i < t->cases->key_count; i++)
        toll_report_widen(&t->name_widths[i], shown_name(item, i));
}

/* Make columns as wide as the widest text that is shown, and two blanks between them. */
static void measure(table *t)
{
    size_t at = 0;
    uint32_t row = 0;
    for (uint32_t i = 0; i < t->column_count; i++)
        toll_report_widen(&t->columns[i].width, t->columns[i].title);
    for (uint32_t i = 0; i < t->cases->key_count; i++)
        toll_report_widen(&t->name_widths[i], key_title(t->cases, i));
    widen(t, &t->cases->all);
    if (t->cases->has_both)
        widen(t, &t->cases->both);
    for (const toll_case *item; (item = toll_cases_next_row(t->cases, &at, &row));)
        widen(t, item);
    for (uint32_t i = 1; i < t->column_count; i++)
        t->columns[i].width += t->columns[i].width ? 2 : 0;
}

static void put_head(table *t)
{
    for (uint32_t i = 0; i < t->column_count; i++)
        toll_report_put_figure(t->out, t->columns[i].title, t->columns[i].width);
    for (uint32_t i = 0; i < t->cases->key_count; i++)
        put_name(t, i, key_title(t->cases, i));
    toll_output_write(t->out, "\n", 1);
}

/* How many cases the table leaves out, and why. */
static void put_left_out(const table *t)
{
    size_t same = t->cases->count - t->rows - t->hidden;
    if (same)
        toll_output_printf(t->out, "%zu unchanged\n", same);
    if (t->hidden)
        toll_output_printf(t->out, "%" PRIu32 " row%s of tests that did not run\n", t->hidden,
                           toll_plural(t->hidden));
}

void toll_cases_put(const toll_cases *c, toll_output *out)
{
    table t;
    size_t at = 0;
    uint32_t row = 0;
    begin(&t, c, out);
    measure(&t);
    put_head(&t);
    put_row(&t, &c->all);
    if (c->has_both)
        put_row(&t, &c->both);
    for (const toll_case *item; (item = toll_cases_next_row(t.cases, &at, &row));)
        put_row(&t, item);
    if (t.shown < t.rows)
        toll_output_printf(out, "... and %" PRIu32 " more\n", t.rows - t.shown);
    put_left_out(&t);
}

void toll_cases_put_notes(const toll_cases *c, toll_output *out)
{
    toll_report_put_notes(out, c->after, &c->shown);
}

/* --- Markdown ----------------------------------------------------------------------------------*/

static void put_markdown_title(toll_output *out, const char *title)
{
    toll_output_printf(out, "| ");
    toll_markdown_put_text(out, title, strlen(title));
    toll_output_printf(out, " ");
}

static void put_markdown_head(const table *t)
{
    for (uint32_t i = 0; i < t->column_count; i++)
        put_markdown_title(t->out, t->columns[i].title);
    for (uint32_t i = 0; i < t->cases->key_count; i++)
        put_markdown_title(t->out, key_title(t->cases, i));
    toll_output_printf(t->out, "|\n");
    for (uint32_t i = 0; i < t->column_count; i++)
        toll_output_printf(t->out, "|--:");
    for (uint32_t i = 0; i < t->cases->key_count; i++)
        toll_output_printf(t->out, "|:--");
    toll_output_printf(t->out, "|\n");
}

static void put_markdown_row(table *t, const toll_case *item)
{
    char text[CELL_SIZE];
    for (uint32_t i = 0; i < t->column_count; i++)
        toll_output_printf(t->out, "| %s ", cell_text(t, &t->columns[i], item, text));
    const char *sum = sum_title(t->cases, item);
    for (uint32_t i = 0; i < t->cases->key_count; i++) {
        toll_output_printf(t->out, "| ");
        if (!sum)
            toll_markdown_put_whole(t->out, shown_name(item, i));
        else if (!i)
            toll_output_printf(t->out, "%s", sum);
        toll_output_printf(t->out, " ");
    }
    toll_output_printf(t->out, "|\n");
}

void toll_cases_markdown(const toll_cases *c, toll_output *out)
{
    table t;
    size_t at = 0;
    uint32_t row = 0;
    begin(&t, c, out);
    put_markdown_head(&t);
    put_markdown_row(&t, &c->all);
    if (c->has_both)
        put_markdown_row(&t, &c->both);
    for (const toll_case *item; (item = toll_cases_next_row(t.cases, &at, &row));)
        put_markdown_row(&t, item);
    toll_markdown_put_more(out, t.rows - t.shown, "row");
    if (c->count > t.rows)
        toll_output_printf(out, "\n");
    put_left_out(&t);
}

/* transactions_table.c - prints how many compute units to request. See transactions.h. */
#include "gates/transactions.h"

#include "base/json_write.h"
#include "base/printable.h"
#include "report/markdown.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 3 };

static const char *const titles[CELLS] = { "limit to request", "most", "times" };

typedef char cells[CELLS][TOLL_VALUE_TEXT_SIZE];

static const char *name_of(const toll_transactions *t, const toll_transaction_kind *kind)
{
    return toll_strtab_text(&t->names, kind->name);
}

static void set_cells(const toll_transaction_kind *kind, cells c)
{
    if (kind->limit)
        toll_value_text(kind->limit, "CU", c[0]);
    else
        snprintf(c[0], sizeof c[0], "too much");
    toll_value_text(kind->most, "CU", c[1]);
    toll_value_text(kind->count, "count", c[2]);
}

/* Print what the table does not say. */
static void put_rest(const toll_transactions *t, toll_output *out)
{
    char text[TOLL_VALUE_TEXT_SIZE];
    bool is_too_much = false;
    for (size_t k = 0; k < t->count; k++)
        is_too_much |= !t->items[k].limit;
    if (is_too_much)
        toll_output_printf(out, "\ntoo much: more than %s, the most that can be requested\n",
                           toll_value_text(TOLL_MOST_COMPUTE_UNITS, "CU", text));
    if (t->failed)
        toll_output_printf(out, "\n%s transaction%s that failed: left out\n",
                           toll_value_text(t->failed, "count", text),
                           toll_plural((uint64_t)t->failed));
}

static void put_head(const size_t widths[CELLS], toll_output *out)
{
    toll_output_printf(out, "\n");
    for (int i = 0; i < CELLS; i++)
        toll_report_put_figure(out, titles[i], widths[i] + (i ? 2 : 0));
    toll_output_printf(out, "  transaction\n");
}

void toll_transactions_put(const toll_transactions *t, toll_output *out)
{
    size_t widths[CELLS] = { 0 };
    cells c;
    for (int i = 0; i < CELLS; i++)
        toll_report_widen(&widths[i], titles[i]);
    for (size_t k = 0; k < t->count; k++) {
        set_cells(&t->items[k], c);
        for (int i = 0; i < CELLS; i++)
            toll_report_widen(&widths[i], c[i]);
    }
    if (t->count)
        put_head(widths, out);
    for (size_t k = 0; k < t->count; k++) {
        set_cells(&t->items[k], c);
        for (int i = 0; i < CELLS; i++)
            toll_report_put_figure(out, c[i], widths[i] + (i ? 2 : 0));
        toll_output_printf(out, "  ");
        toll_output_put_printable(out, name_of(t, &t->items[k]));
        toll_output_printf(out, "\n");
    }
    put_rest(t, out);
}

/* Print each instruction as code of its own: long names are cut. */
static void put_markdown_name(const char *name, toll_output *out)
{
    char part[200];
    while (*name) {
        const char *end = strstr(name, " + ");
        size_t size = end ? (size_t)(end - name) : strlen(name);
        snprintf(part, sizeof part, "%.*s", (int)(size < sizeof part ? size : sizeof part - 1),
                 name);
        toll_markdown_put_code(out, part);
        toll_output_printf(out, end ? " + " : "");
        name = end ? end + 3 : name + size;
    }
}

void toll_transactions_markdown(const toll_transactions *t, toll_output *out)
{
    cells c;
    if (t->count)
        toll_output_printf(out, "\n| %s | %s | %s | transaction |\n|--:|--:|--:|:--|\n", titles[0],
                           titles[1], titles[2]);
    for (size_t k = 0; k < t->count; k++) {
        set_cells(&t->items[k], c);
        toll_output_printf(out, "| %s | %s | %s | ", c[0], c[1], c[2]);
        put_markdown_name(name_of(t, &t->items[k]), out);
        toll_output_printf(out, " |\n");
    }
    put_rest(t, out);
}

void toll_transactions_json(const toll_transactions *t, toll_output *out)
{
    toll_output_printf(out, "[");
    for (size_t k = 0; k < t->count; k++) {
        const toll_transaction_kind *kind = &t->items[k];
        toll_output_printf(out, "%s{\"name\":", k ? ",\n" : "\n");
        toll_json_put_string(out, name_of(t, kind));
        toll_output_printf(out, ",\"count\":%" PRId64 ",\"most\":%" PRId64, kind->count,
                           kind->most);
        if (kind->limit)
            toll_output_printf(out, ",\"limit_to_request\":%" PRId64, kind->limit);
        toll_output_printf(out, "}");
    }
    toll_output_printf(out, "]");
}

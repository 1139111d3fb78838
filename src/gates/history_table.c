/* history_table.c - prints the commits that changed a cost, as text and as JSON. See history.h. */
#include "base/json_write.h"
#include "gates/history.h"
#include "report/report_text.h"

#include <inttypes.h>

enum { CELLS = 6 };

/* The cells of a row; the function's self value only if a function was asked for. */
static void fill(const toll_history_row *row, const char *unit,
                 char text[CELLS][TOLL_SIGNED_TEXT_SIZE])
{
    toll_signed_text(row->self_by, unit, text[0]);
    toll_value_text(row->self, unit, text[1]);
    toll_signed_text(row->total_by, unit, text[2]);
    toll_value_text(row->total, unit, text[3]);
    toll_signed_text(row->calls_by, "count", text[4]);
    toll_value_text(row->calls, "count", text[5]);
}

typedef struct table {
    toll_output *out;
    size_t widths[CELLS];
    bool shown[CELLS];
} table;

static void put_cells(const table *t, char text[CELLS][TOLL_SIGNED_TEXT_SIZE])
{
    bool any = false;
    for (int i = 0; i < CELLS; i++) {
        if (!t->shown[i])
            continue;
        toll_report_put_figure(t->out, text[i], t->widths[i] + (any ? 2 : 0));
        any = true;
    }
}

static void widen(table *t, char text[CELLS][TOLL_SIGNED_TEXT_SIZE])
{
    for (int i = 0; i < CELLS; i++)
        toll_report_widen(&t->widths[i], text[i]);
}

void toll_history_put(const toll_history *h, const char *name, const toll_history_rows *rows,
                      toll_value_type type, uint32_t most, toll_output *out)
{
    char head[CELLS][TOLL_SIGNED_TEXT_SIZE] = { "change", "self",   "change",
                                                "total",  "change", "calls" };
    char text[CELLS][TOLL_SIGNED_TEXT_SIZE];
    bool is_whole = name == NULL, has_calls = false;
    size_t first = most && most < rows->count ? rows->count - most : 0;
    for (size_t i = 0; i < rows->count; i++)
        has_calls |= rows->items[i].calls_by != 0;
    table t = { .out = out, .shown = { !is_whole, !is_whole, true, true, has_calls, has_calls } };
    widen(&t, head);
    for (size_t i = first; i < rows->count; i++) {
        fill(&rows->items[i], type.unit, text);
        widen(&t, text);
    }
    toll_output_put_printable(out, type.type);
    toll_output_printf(out, ": %zu of %" PRIu32 " commits changed ", rows->count,
                       toll_history_count(h));
    toll_output_put_printable(out, is_whole ? "it" : name);
    toll_output_printf(out, "\n\n");
    put_cells(&t, head);
    toll_output_printf(out, "  commit\n");
    if (first)
        toll_output_printf(out, "... and %zu before\n", first);
    for (size_t i = first; i < rows->count; i++) {
        fill(&rows->items[i], type.unit, text);
        put_cells(&t, text);
        toll_output_printf(out, "  ");
        toll_output_put_printable(out, toll_history_id(h, rows->items[i].commit));
        toll_output_printf(out, "\n");
    }
}

/* --- JSON --------------------------------------------------------------------------------------*/

static void put_json_row(const toll_history *h, const toll_history_row *row, toll_output *out)
{
    toll_json_put_text(out, "{\"commit\":");
    toll_json_put_string(out, toll_history_id(h, row->commit));
    toll_output_printf(out, ",\"number\":%" PRIu32, row->commit + 1);
    toll_output_printf(out, ",\"self\":%" PRId64 ",\"self_change\":%" PRId64, row->self,
                       row->self_by);
    toll_output_printf(out, ",\"total\":%" PRId64 ",\"total_change\":%" PRId64, row->total,
                       row->total_by);
    toll_output_printf(out, ",\"calls\":%" PRId64 ",\"calls_change\":%" PRId64 "}", row->calls,
                       row->calls_by);
}

void toll_history_json(const toll_history *h, const char *name, const toll_history_rows *rows,
                       toll_value_type type, toll_output *out)
{
    toll_output_printf(out, "{\"commits\":%" PRIu32 ",\"value\":", toll_history_count(h));
    toll_json_put_string(out, type.type);
    toll_json_put_text(out, ",\"unit\":");
    toll_json_put_string(out, type.unit);
    if (name) {
        toll_json_put_text(out, ",\"function\":");
        toll_json_put_string(out, name);
    }
    toll_json_put_text(out, ",\"changes\":[");
    for (size_t i = 0; i < rows->count; i++) {
        toll_json_put_text(out, i ? ",\n" : "\n");
        put_json_row(h, &rows->items[i], out);
    }
    toll_json_put_text(out, "]}\n");
}

/* top.c - prints the table of functions, as text and as JSON. See report.h. */
#include "base/fail.h"
#include "base/json_write.h"
#include "base/printable.h"
#include "base/text.h"
#include "report/functions.h"
#include "report/outside.h"

#include <inttypes.h>
#include <string.h>

#define BOLD "\x1b[1m"
#define DIM "\x1b[2m"
#define PLAIN "\x1b[0m"

enum { COLUMNS = 5, CELL = TOLL_PRECISE_TEXT_SIZE, NAME_MOST = 60 };

/* The figures of one row as text. */
typedef struct cells {
    char text[COLUMNS][CELL];
} cells;

static const cells heads = { { "self", "self%", "total", "total%", "calls" } };

static void fill(const toll_functions *f, const toll_function_row *r, cells *c)
{
    toll_precise_text(&f->precision, r->self, c->text[0]);
    toll_precise_share(&f->precision, r->self, f->total, c->text[1]);
    toll_precise_text(&f->precision, r->total, c->text[2]);
    toll_precise_share(&f->precision, r->total, f->total, c->text[3]);
    if (f->calls_column != TOLL_NONE)
        toll_value_text(r->calls, "count", c->text[4]);
    else
        strcpy(c->text[4], "");
}

static void put_count(toll_output *out, const char *before, int64_t count, const char *what)
{
    char number[CELL];
    toll_output_printf(out, "%s%s %s%s", before, toll_value_text(count, "count", number), what,
                       toll_plural((uint64_t)count));
}

static void put_heading(const toll_functions *f, toll_output *out)
{
    toll_value_type v = toll_profile_column(f->profile, f->column);
    uint32_t threads = toll_profile_thread_count(f->profile);
    char total[CELL];
    toll_output_put_printable(out, v.type);
    toll_output_printf(out, ": %s", toll_value_text(f->total, v.unit, total));
    put_count(out, " in ", f->function_count, "function");
    toll_report_put_left_outside(f->profile, v, out);
    if (f->calls_column != TOLL_NONE && f->calls_column != f->column)
        put_count(out, ", ", f->calls, "call");
    if (threads > 1)
        put_count(out, ", ", threads, "thread");
    toll_report_put_samples(out, &f->precision);
    toll_output_printf(out, "\n\n");
}

static void put_cells(const cells *c, const size_t *widths, toll_output *out)
{
    for (int i = 0; i < COLUMNS; i++)
        if (widths[i]) {
            toll_report_put_figure(out, c->text[i], widths[i]);
            toll_output_write(out, "  ", 2);
        }
}

static void put_row(const toll_functions *f, const toll_function_row *r, const size_t *widths,
                    size_t name_width, bool color, toll_output *out)
{
    cells c;
    char where[TOLL_WHERE_TEXT_SIZE];
    toll_frame frame = toll_function_frame(f, r);
    fill(f, r, &c);
    put_cells(&c, widths, out);
    if (*toll_where_text(frame, where)) {
        toll_report_put_padded(out, toll_function_name(f, r), name_width);
        toll_output_printf(out, "  %s", color ? DIM : "");
        toll_output_put_printable(out, where);
        toll_output_printf(out, "%s\n", color ? PLAIN : "");
    } else {
        toll_output_put_printable(out, toll_function_name(f, r));
        toll_output_printf(out, "\n");
    }
}

/* Set the width of each column for the first `rows` rows; 0: not shown. */
static size_t measure(const toll_functions *f, uint32_t rows, size_t widths[COLUMNS])
{
    size_t name_width = strlen("function");
    for (int i = 0; i < COLUMNS; i++)
        widths[i] = strlen(heads.text[i]);
    if (f->calls_column == TOLL_NONE)
        widths[4] = 0;
    for (uint32_t r = 0; r < rows; r++) {
        cells c;
        size_t name = toll_printable_width(toll_function_name(f, &f->rows[r]));
        fill(f, &f->rows[r], &c);
        for (int i = 0; i < COLUMNS; i++)
            if (widths[i])
                toll_report_widen(&widths[i], c.text[i]);
        if (name > name_width)
            name_width = name < NAME_MOST ? name : NAME_MOST;
    }
    return name_width;
}

static void put_table(const toll_functions *f, const toll_report_options *o, toll_output *out)
{
    uint32_t rows = o->rows && o->rows < f->count ? o->rows : f->count;
    size_t widths[COLUMNS], name_width = measure(f, rows, widths);
    toll_output_printf(out, "%s", o->color ? BOLD : "");
    put_cells(&heads, widths, out);
    toll_output_printf(out, "function%s\n", o->color ? PLAIN : "");
    for (uint32_t r = 0; r < rows; r++)
        put_row(f, &f->rows[r], widths, name_width, o->color, out);
    if (rows < f->count) {
        put_count(out, "... and ", f->count - rows, "more row");
        toll_output_write(out, "\n", 1);
    }
}

toll_status toll_report_top(const toll_profile *p, const toll_report_options *o, toll_output *out,
                            toll_error *err)
{
    toll_functions f;
    toll_report_options own;
    toll_profile *inside = NULL;
    toll_status status = toll_report_check(&o, &own, out, err);
    if (!status)
        status = toll_report_leave_outside(&p, &inside, o->keep_outside, err);
    if (!status)
        status = toll_functions_create(&f, p, o, err);
    if (!status) {
        put_heading(&f, out);
        put_table(&f, o, out);
        toll_report_put_notes(out, p, &f.shown);
        toll_functions_free(&f);
    }
    toll_profile_free(inside);
    return status;
}

/* --- JSON --------------------------------------------------------------------------------------*/

static const char *const kinds[] = {
    [TOLL_KIND_FUNCTION] = "function", [TOLL_KIND_NATIVE] = "native",
    [TOLL_KIND_SECTION] = "section",   [TOLL_KIND_PHASE] = "phase",
    [TOLL_KIND_INLINED] = "inlined",   [TOLL_KIND_PROGRAM] = "program",
};
_Static_assert(sizeof kinds / sizeof *kinds == TOLL_KIND_COUNT, "a name for each kind");

static void put_json_row(const toll_functions *f, const toll_function_row *r, toll_output *out)
{
    toll_frame frame = toll_function_frame(f, r);
    toll_json_put_text(out, "{");
    toll_report_put_json_frame(out, frame);
    toll_output_printf(out, ",\"kind\":\"%s\"", kinds[frame.kind]);
    toll_json_put_text(out, ",\"self\":");
    toll_json_put_i64(out, r->self);
    toll_json_put_text(out, ",\"total\":");
    toll_json_put_i64(out, r->total);
    if (f->calls_column != TOLL_NONE) {
        toll_json_put_text(out, ",\"calls\":");
        toll_json_put_i64(out, r->calls);
    }
    toll_json_put_text(out, "}");
}

static void put_json_columns(const toll_profile *p, toll_output *out)
{
    toll_json_put_text(out, ",\n\"columns\":[");
    for (uint32_t i = 0; i < toll_profile_column_count(p); i++) {
        toll_value_type v = toll_profile_column(p, i);
        toll_json_put_text(out, i ? ",{\"type\":" : "{\"type\":");
        toll_json_put_string(out, v.type);
        toll_json_put_text(out, ",\"unit\":");
        toll_json_put_string(out, v.unit);
        toll_precision precision = toll_precision_of(p, i, 0);
        if (precision.size)
            toll_output_printf(out, ",\"sample\":%" PRIu64, precision.size);
        toll_json_put_text(out, "}");
    }
    toll_json_put_text(out, "]");
}

/* Put the labels of each thread by key, in the order of the threads. */
static void put_json_labels(const toll_profile *p, toll_output *out)
{
    toll_json_put_text(out, "],\n\"labels\":[");
    for (uint32_t t = 0; t < toll_profile_thread_count(p); t++) {
        const char *last = NULL;
        toll_json_put_text(out, t ? ",{" : "{");
        for (uint32_t i = 0; i < toll_profile_thread_label_count(p, t); i++) {
            toll_thread_label label = toll_profile_thread_label(p, t, i);
            if (last && strcmp(last, label.key) == 0) {
                toll_json_put_text(out, ",");
            } else {
                toll_json_put_text(out, last ? "]," : "");
                toll_json_put_string(out, label.key);
                toll_json_put_text(out, ":[");
            }
            toll_json_put_string(out, label.value);
            last = label.key;
        }
        toll_json_put_text(out, last ? "]}" : "}");
    }
}

/* Put what counts something: a note, or a kind of runs. */
static void put_json_counted(const char *(*get)(const toll_profile *, uint32_t, uint64_t *),
                             const toll_profile *p, uint32_t i, const char *name, toll_output *out)
{
    uint64_t count;
    const char *text = get(p, i, &count);
    toll_output_printf(out, "%s{\"count\":%" PRIu64 ",\"%s\":", i ? "," : "", count, name);
    toll_json_put_string(out, text);
    toll_json_put_text(out, "}");
}

static void put_json_lists(const toll_profile *p, toll_output *out)
{
    toll_json_put_text(out, ",\n\"threads\":[");
    for (uint32_t t = 0; t < toll_profile_thread_count(p); t++) {
        toll_json_put_text(out, t ? "," : "");
        toll_json_put_string(out, toll_profile_thread_name(p, t));
    }
    put_json_labels(p, out);
    toll_json_put_text(out, "],\n\"notes\":[");
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++)
        put_json_counted(toll_profile_note, p, i, "text", out);
    toll_json_put_text(out, "],\n\"runs\":[");
    for (uint32_t i = 0; i < toll_profile_run_kind_count(p); i++)
        put_json_counted(toll_profile_run_kind, p, i, "of", out);
    toll_json_put_text(out, "],\n\"comments\":[");
    for (uint32_t i = 0; i < toll_profile_comment_count(p); i++) {
        toll_json_put_text(out, i ? "," : "");
        toll_json_put_string(out, toll_profile_comment(p, i));
    }
    toll_json_put_text(out, "]}\n");
}

toll_status toll_report_json(const toll_profile *p, const toll_report_options *o, toll_output *out,
                             toll_error *err)
{
    toll_functions f;
    toll_report_options own;
    toll_status status = toll_report_check(&o, &own, out, err);
    if (!status)
        status = toll_functions_create(&f, p, o, err);
    if (status)
        return status;
    toll_value_type v = toll_profile_column(p, f.column);
    uint32_t rows = o->rows && o->rows < f.count ? o->rows : f.count;
    toll_json_put_text(out, "{\"value\":");
    toll_json_put_string(out, v.type);
    toll_json_put_text(out, ",\"unit\":");
    toll_json_put_string(out, v.unit);
    toll_json_put_text(out, ",\"total\":");
    toll_json_put_i64(out, f.total);
    put_json_columns(p, out);
    toll_output_printf(out, ",\n\"function_count\":%" PRIu32 ",\n\"functions\":[",
                       f.function_count);
    for (uint32_t r = 0; r < rows; r++) {
        toll_json_put_text(out, r ? ",\n" : "\n");
        put_json_row(&f, &f.rows[r], out);
    }
    toll_json_put_text(out, "]");
    put_json_lists(p, out);
    toll_functions_free(&f);
    return TOLL_OK;
}

/* annotate.c - what each line cost, beside its source. See report.h. */
#include "base/fail.h"
#include "base/printable.h"
#include "report/annotation.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BOLD "\x1b[1m"
#define DIM "\x1b[2m"
#define PLAIN "\x1b[0m"

enum {
    CONTEXT = 3, /* lines shown before and after one that cost something */
    FIGURES = 4, /* at most */
    CELL = TOLL_SIGNED_TEXT_SIZE,
    ADDRESS = 20
};

/* The figures of one line as text; "" is 0. */
typedef struct cells {
    char text[FIGURES][CELL];
} cells;

/* Writes one listing. */
typedef struct line_writer {
    const toll_annotation *a;
    const toll_listing *listing;
    const toll_line *lines, *end; /* those that are not written yet */
    const char *file;             /* of the lines at hand; "": the listing's own */
    toll_source_text source;
    toll_annotation_code code; /* the instructions that are not written yet */
    toll_output *out;
    size_t widths[FIGURES]; /* 0: not shown */
    size_t line_width;
    int64_t hottest; /* self value of its costliest line */
} line_writer;

/* --- figures -----------------------------------------------------------------------------------*/

static void put_value(const toll_annotation *a, int64_t value, toll_output *out)
{
    char text[CELL];
    toll_output_printf(out, "%s", toll_value_text(value, a->listings.value.unit, text));
}

static const char *change_text(const toll_annotation *a, int64_t by, char text[CELL])
{
    return toll_signed_text(by, a->listings.value.unit, text);
}

static void fill(const toll_annotation *a, const toll_line *line, cells *c)
{
    const toll_listings *l = &a->listings;
    memset(c, 0, sizeof *c);
    if (l->is_compared) {
        change_text(a, line->self - line->before, c->text[0]);
        toll_value_text(line->before, l->value.unit, c->text[1]);
        toll_value_text(line->self, l->value.unit, c->text[2]);
        return;
    }
    if (line->self) {
        toll_share_text(line->self, l->whole, c->text[0]);
        toll_value_text(line->self, l->value.unit, c->text[1]);
    }
    if (line->total)
        toll_value_text(line->total, l->value.unit, c->text[2]);
    if (line->executions)
        toll_value_text(line->executions, "count", c->text[3]);
}

static const char *address_text(const toll_instruction *i, char text[ADDRESS])
{
    snprintf(text, ADDRESS, "0x%" PRIx64, i->address);
    return text;
}

static const cells heads = { { "self%", "self", "total", "executions" } };
static const cells heads_compared = { { "change", "before", "after", "" } };

/* Make the columns as wide as their widest figures. */
static void measure(line_writer *w)
{
    const toll_listings *l = &w->a->listings;
    const cells *head = l->is_compared ? &heads_compared : &heads;
    uint32_t last = 0;
    for (int i = 0; i < FIGURES; i++)
        w->widths[i] = strlen(head->text[i]);
    if (!l->is_compared && !l->has_totals)
        w->widths[2] = 0;
    if (!l->has_executions)
        w->widths[3] = 0;
    for (const toll_line *line = w->lines; line < w->end; line++) {
        cells c;
        fill(w->a, line, &c);
        for (int i = 0; i < FIGURES; i++)
            if (w->widths[i])
                toll_report_widen(&w->widths[i], c.text[i]);
        last = line->line > last ? line->line : last;
        if (line->line && line->self > w->hottest)
            w->hottest = line->self;
    }
    for (w->line_width = strlen("line"); last >= 10000; last /= 10)
        w->line_width++;
    for (const toll_instruction *i = w->code.at; i < w->code.end; i++) {
        char address[ADDRESS];
        toll_report_widen(&w->line_width, address_text(i, address));
    }
}

static void put_cells(const line_writer *w, const cells *c)
{
    for (int i = 0; i < FIGURES; i++)
        if (w->widths[i]) {
            toll_report_put_figure(w->out, c->text[i], w->widths[i]);
            toll_output_write(w->out, "  ", 2);
        }
}

/* --- lines -------------------------------------------------------------------------------------*/

/* Write the instructions of a line, each with what it cost. */
static void put_instructions(line_writer *w, uint32_t number)
{
    toll_annotation_code own = toll_annotation_code_of_line(&w->code, w->file, number);
    for (; own.at < own.end; own.at++) {
        toll_line cost = { .self = own.at->self, .executions = own.at->executions };
        char address[ADDRESS];
        cells c;
        fill(w->a, &cost, &c);
        toll_output_printf(w->out, "%s", w->a->options.color ? DIM : "");
        put_cells(w, &c);
        toll_report_put_figure(w->out, address_text(own.at, address), w->line_width);
        toll_output_printf(w->out, "      ");
        toll_output_put_printable(w->out, own.at->text);
        toll_output_printf(w->out, "%s\n", w->a->options.color ? PLAIN : "");
    }
}

/* Write a line of the source, with what it cost unless `cost` is NULL, and its instructions. */
static void put_line(line_writer *w, uint32_t number, const toll_line *cost)
{
    static const cells none;
    cells c = none;
    char text[16] = "-";
    bool color = w->a->options.color, is_hot = cost && cost->self && cost->self == w->hottest;
    if (cost)
        fill(w->a, cost, &c);
    if (number)
        snprintf(text, sizeof text, "%" PRIu32, number);
    toll_output_printf(w->out, "%s", !color ? "" : is_hot ? BOLD : cost ? "" : DIM);
    put_cells(w, &c);
    toll_report_put_figure(w->out, text, w->line_width);
    if (number == 0)
        toll_output_printf(w->out, "  (no line)");
    else if (w->source.line == number)
        toll_source_put(&w->source, "  ", w->out);
    else if (w->source.line)
        toll_output_printf(w->out, "  (not in this source)");
    toll_output_printf(w->out, "%s\n", color && (is_hot || !cost) ? PLAIN : "");
    if (cost || w->a->options.full)
        put_instructions(w, number);
}

static bool is_interesting(const toll_annotation *a, const toll_line *line)
{
    return a->options.full || !a->listings.is_compared || line->self != line->before;
}

/* Write the lines from `from` to `to`: those of the source, or without it those that cost
 * something. */
static void put_range(line_writer *w, uint32_t from, uint32_t to)
{
    for (uint32_t n = from; n <= to && toll_source_go(&w->source, n); n++) {
        while (w->lines < w->end && w->lines->line < n)
            w->lines++;
        bool has_cost = w->lines < w->end && w->lines->line == n;
        put_line(w, n, has_cost ? w->lines : NULL);
        w->lines += has_cost;
    }
    for (; w->lines < w->end && w->lines->line <= to; w->lines++)
        if (w->lines->line >= from)
            put_line(w, w->lines->line, w->lines);
}

/* The line where the listing's function is defined; 0: not in the file at hand. */
static uint32_t definition(const line_writer *w)
{
    return *w->file ? 0 : w->listing->frame.line;
}

/* The first line that may be shown as context of the listing's first one, `line`. Lines before a
 * function's definition are another function's. */
static uint32_t top(const line_writer *w, uint32_t line)
{
    uint32_t first = definition(w);
    if (first && first <= line)
        return first;
    if (w->a->options.full && !w->a->listings.is_of_files)
        return line > CONTEXT ? line - CONTEXT : 1;
    return 1;
}

/* Write the lines after *last up to `line`, with context behind the one and before the other, and
 * "..." where lines are left out. */
static void put_up_to(line_writer *w, uint32_t *last, uint32_t line)
{
    uint32_t context = w->a->options.full ? UINT32_MAX : CONTEXT;
    uint32_t from = *last ? *last + 1 : top(w, line);
    if (line - from > (uint64_t)context + (*last ? context : 0)) {
        if (*last) {
            put_range(w, from, *last + context);
            toll_output_printf(w->out, "%s", w->source.line ? "...\n" : "");
        }
        from = line - context;
    }
    put_range(w, from, line);
    *last = line;
}

static void put_lines(line_writer *w)
{
    uint32_t last = 0, first = definition(w); /* last: of those written; 0: none */
    const toll_line *line = w->lines;
    for (; line < w->end && line->line == 0; line++, w->lines++)
        if (is_interesting(w->a, line))
            put_line(w, 0, line);
    if (first && w->source.size && line < w->end && first <= line->line)
        put_up_to(w, &last, first);
    for (; line < w->end; line++)
        if (is_interesting(w->a, line) && line->line > last)
            put_up_to(w, &last, line->line);
    bool to_the_end = w->a->options.full && w->a->listings.is_of_files;
    if (last && last <= UINT32_MAX - 1 - CONTEXT)
        put_range(w, last + 1, to_the_end ? UINT32_MAX - 1 : last + CONTEXT);
}

/* --- listings ----------------------------------------------------------------------------------*/

static void put_heading(const toll_annotation *a, toll_output *out)
{
    const toll_listings *l = &a->listings;
    char count[CELL], change[CELL];
    toll_output_put_printable(out, l->value.type);
    toll_output_printf(out, ": ");
    if (l->is_compared) {
        toll_output_printf(out, "%s: ", change_text(a, l->whole - l->whole_before, change));
        put_value(a, l->whole_before, out);
        toll_output_printf(out, " before, ");
    }
    put_value(a, l->whole, out);
    toll_output_printf(out, "%s", l->is_compared ? " after" : "");
    toll_output_printf(out, " in %s %s%s\n", toll_value_text((int64_t)l->count, "count", count),
                       l->is_of_files ? "file" : "function", toll_plural(l->count));
}

/* The name, the place, and the sum of the lines. */
static void put_title(const line_writer *w)
{
    const toll_listings *l = &w->a->listings;
    const toll_listing *listing = w->listing;
    bool color = w->a->options.color;
    char where[TOLL_WHERE_TEXT_SIZE], share[TOLL_SHARE_TEXT_SIZE], text[CELL];
    toll_where_text(listing->frame, where);
    toll_output_printf(w->out, "\n%s", color ? BOLD : "");
    toll_output_put_printable(w->out, l->is_of_files ? where : listing->frame.name);
    toll_output_printf(w->out, "%s%s", color ? PLAIN : "", l->is_of_files || !*where ? "" : "  ");
    toll_output_put_printable(w->out, l->is_of_files ? "" : where);
    toll_output_printf(w->out, "\n");
    if (l->is_compared) {
        toll_output_printf(w->out,
                           "%s: ", change_text(w->a, listing->self - listing->before, text));
        put_value(w->a, listing->before, w->out);
        toll_output_printf(w->out, " before, ");
        put_value(w->a, listing->self, w->out);
        toll_output_printf(w->out, " after\n");
        return;
    }
    toll_output_printf(w->out, "self ");
    put_value(w->a, listing->self, w->out);
    toll_output_printf(w->out, " (%s), total ", toll_share_text(listing->self, l->whole, share));
    put_value(w->a, listing->total, w->out);
    toll_output_printf(w->out, " (%s)", toll_share_text(listing->total, l->whole, share));
    if (l->has_calls && listing->calls)
        toll_output_printf(w->out, ", %s call%s", toll_value_text(listing->calls, "count", text),
                           toll_plural((uint64_t)listing->calls));
    toll_output_printf(w->out, "\n");
}

static bool any_interesting(const line_writer *w)
{
    const toll_line *line = w->lines;
    while (line < w->end && !is_interesting(w->a, line))
        line++;
    return line < w->end;
}

static void put_file_name(const line_writer *w, toll_output *out)
{
    if (!*w->file)
        return;
    toll_output_printf(out, "in ");
    toll_output_put_printable(out, w->file);
    toll_output_printf(out, "\n");
}

/* Write the lines file by file, the listing's own first. */
static toll_status put_files(line_writer *w, toll_output *out, toll_error *err)
{
    const toll_line *all = w->end;
    toll_status status = TOLL_OK;
    while (!status && w->lines < all) {
        w->file = w->lines->file;
        for (w->end = w->lines; w->end < all && strcmp(w->end->file, w->file) == 0;)
            w->end++;
        const toll_line *next = w->end;
        status = toll_annotation_source(w->a, w->listing, w->file, &w->source, err);
        if (!status && any_interesting(w)) {
            put_file_name(w, out);
            put_lines(w);
        }
        w->lines = next;
    }
    return status;
}

static toll_status put_listing(toll_annotation *a, const toll_listing *listing, toll_output *out,
                               toll_error *err)
{
    const toll_line *lines = a->listings.lines + listing->first;
    line_writer w = {
        .a = a, .listing = listing, .lines = lines, .end = lines + listing->count, .out = out
    };
    toll_status status = toll_annotation_instructions(a, listing, &w.code, err);
    if (status)
        return status;
    measure(&w);
    put_title(&w);
    toll_output_printf(out, "%s", a->options.color ? BOLD : "");
    put_cells(&w, a->listings.is_compared ? &heads_compared : &heads);
    toll_report_put_figure(out, "line", w.line_width);
    toll_output_printf(out, "%s\n", a->options.color ? PLAIN : "");
    return put_files(&w, out, err);
}

static void put_unequal(const toll_annotation *a, toll_output *out)
{
    if (a->unequal)
        toll_output_printf(out,
                           "\nnote: %" PRIu64 " line%s cost something else than %s instructions: "
                           "another table of costs (--costs), or functions of other programs\n",
                           a->unequal, toll_plural(a->unequal), a->unequal == 1 ? "its" : "their");
}

static void put_note(const toll_annotation *a, toll_output *out)
{
    if (!a->without_lines.type)
        return;
    toll_output_printf(out, "\nnote: this profile says which function spent ");
    toll_output_put_printable(out, a->without_lines.type);
    toll_output_printf(out, ", but not which line; the figures above are ");
    toll_output_put_printable(out, a->listings.value.type);
    toll_output_printf(out, ", which it has by line\n");
}

toll_status toll_report_annotate(const toll_profile *p, const toll_profile *before,
                                 const toll_annotate_options *o, toll_output *out, toll_error *err)
{
    toll_annotation a;
    toll_status status = toll_annotation_create(&a, p, before, o, out, err);
    if (status)
        return status;
    size_t shown = toll_annotation_shown(&a);
    put_heading(&a, out);
    for (size_t i = 0; !status && i < shown; i++)
        status = put_listing(&a, &a.listings.items[i], out, err);
    if (!status && shown < a.listings.count)
        toll_output_printf(out, "\n... and %zu more %s%s (--rows)\n", a.listings.count - shown,
                           a.listings.is_of_files ? "file" : "function",
                           toll_plural(a.listings.count - shown));
    if (!status) {
        put_note(&a, out);
        put_unequal(&a, out);
        toll_report_put_notes(out, p, &a.shown);
    }
    toll_annotation_free(&a);
    return status;
}

/* annotate_lines.c - see annotate_lines.h. */
#include "report/annotate_lines.h"

#include "base/printable.h"
#include "report/annotate_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    CONTEXT = 3, /* rows shown before and after a row that is not folded */
    ADDRESS = 20
};

/* Writes one listing. */
typedef struct line_writer {
    toll_annotation *a;
    const toll_listing *listing;
    const toll_line *lines, *end; /* lines that are not written yet */
    const char *file;             /* file of the current lines; "": the listing's own */
    toll_source_text source;
    toll_annotation_code code; /* instructions that are not written yet */
    toll_output *out;
    toll_figure_columns figures;
    size_t line_width;
    int64_t hottest; /* self value of the listing's costliest line */
    double limit;    /* rows below it are folded */
} line_writer;

/* --- figures -----------------------------------------------------------------------------------*/

static const char *address_text(const toll_instruction *i, char text[ADDRESS])
{
    snprintf(text, ADDRESS, "0x%" PRIx64, i->address);
    return text;
}

/* Make the columns as wide as their widest figures. */
static void measure(line_writer *w)
{
    const toll_listings *l = &w->a->listings;
    const toll_line sum = { .self = w->listing->self, .before = w->listing->before };
    uint32_t last = 0;
    toll_figures_begin(&w->figures, l, l->has_totals);
    for (const toll_line *line = w->lines; line < w->end; line++) {
        toll_figures_widen(&w->figures, line);
        last = line->line > last ? line->line : last;
        if (line->line && line->self > w->hottest)
            w->hottest = line->self;
    }
    if (w->limit > 0)
        toll_figures_widen(&w->figures, &sum); /* a folded row may be the sum of all lines */
    for (w->line_width = strlen("line"); last >= 10000; last /= 10)
        w->line_width++;
    for (const toll_instruction *i = w->code.at; i < w->code.end; i++) {
        char address[ADDRESS];
        toll_report_widen(&w->line_width, address_text(i, address));
    }
}

static void put_heads(const line_writer *w)
{
    bool color = w->a->options.color;
    toll_output_printf(w->out, "%s", color ? TOLL_BOLD : "");
    toll_figures_put_heads(&w->figures, w->out);
    toll_report_put_figure(w->out, "line", w->line_width);
    toll_output_printf(w->out, "%s\n", color ? TOLL_PLAIN : "");
}

/* --- folded rows -------------------------------------------------------------------------------*/

/* Write "... 120 lines" with what they cost. */
static void put_folded_row(const line_writer *w, const toll_line *sum, uint64_t count,
                           const char *what)
{
    char text[TOLL_CELL_SIZE];
    toll_output_printf(w->out, "%s", w->a->options.color ? TOLL_DIM : "");
    if (sum->self || sum->before)
        toll_figures_put(&w->figures, sum, w->out);
    else
        toll_figures_put_blank(&w->figures, w->out);
    toll_report_put_figure(w->out, "...", w->line_width);
    toll_value_text(count > INT64_MAX ? INT64_MAX : (int64_t)count, "count", text);
    toll_output_printf(w->out, "  %s %s%s", text, what, toll_plural(count));
}

static void end_folded_row(const line_writer *w)
{
    toll_output_printf(w->out, "%s\n", w->a->options.color ? TOLL_PLAIN : "");
}

/* Add a line to a sum. The sum fits 64 bits, as the listing's own does. */
static void add(toll_line *sum, const toll_line *line)
{
    sum->self = (int64_t)((uint64_t)sum->self + (uint64_t)line->self);
    sum->before = (int64_t)((uint64_t)sum->before + (uint64_t)line->before);
}

/* --- instructions ------------------------------------------------------------------------------*/

static void put_instruction(const line_writer *w, const toll_instruction *i)
{
    toll_line cost = { .self = i->self, .executions = i->executions };
    char address[ADDRESS];
    toll_output_printf(w->out, "%s", w->a->options.color ? TOLL_DIM : "");
    toll_figures_put(&w->figures, &cost, w->out);
    toll_report_put_figure(w->out, address_text(i, address), w->line_width);
    toll_output_printf(w->out, "      ");
    toll_output_put_printable(w->out, i->text);
    end_folded_row(w);
}

/* Write instructions under the limit. They are folded, except for context at the sides that ask for
 * it. */
static void put_small_instructions(const line_writer *w, const toll_instruction *at,
                                   const toll_instruction *end, size_t before, size_t after)
{
    size_t count = (size_t)(end - at);
    bool folds = w->limit > 0 && count > before + after + 1;
    size_t head = folds ? before : count;
    toll_line sum = { .self = 0 };
    for (; head > 0; head--, at++)
        put_instruction(w, at);
    if (!folds)
        return;
    count -= before + after;
    for (size_t i = 0; i < count; i++, at++)
        add(&sum, &(toll_line){ .self = at->self });
    put_folded_row(w, &sum, count, "instruction");
    end_folded_row(w);
    for (; at < end; at++)
        put_instruction(w, at);
}

static void put_instructions(line_writer *w, uint32_t line)
{
    toll_annotation_code own = toll_annotation_code_of_line(&w->code, w->file, line);
    const toll_instruction *first = own.at, *next = own.at;
    while (own.at < own.end) {
        while (next < own.end && !toll_annotation_matters(w->limit, next->self, 0))
            next++;
        put_small_instructions(w, own.at, next, own.at > first ? CONTEXT : 0,
                               next < own.end ? CONTEXT : 0);
        if (next < own.end)
            put_instruction(w, next++);
        own.at = next;
    }
}

/* --- lines -------------------------------------------------------------------------------------*/

static bool matters(const line_writer *w, const toll_line *line)
{
    if (w->a->options.full || !line->line)
        return true;
    if (w->a->listings.is_compared)
        return line->self != line->before &&
               toll_annotation_matters(w->limit, line->self - line->before, 0);
    return toll_annotation_matters(w->limit, line->self, line->total);
}

/* Write a source line, with its cost unless `cost` is NULL, and its instructions. */
static void put_line(line_writer *w, uint32_t number, const toll_line *cost)
{
    char text[16] = "-";
    bool color = w->a->options.color, is_hot = cost && cost->self && cost->self == w->hottest;
    if (number)
        snprintf(text, sizeof text, "%" PRIu32, number);
    toll_output_printf(w->out, "%s", !color ? "" : is_hot ? TOLL_BOLD : cost ? "" : TOLL_DIM);
    if (cost)
        toll_figures_put(&w->figures, cost, w->out);
    else
        toll_figures_put_blank(&w->figures, w->out);
    toll_report_put_figure(w->out, text, w->line_width);
    if (number == 0)
        toll_output_printf(w->out, "  (no line)");
    else if (w->source.line == number)
        toll_source_put(&w->source, "  ", w->out);
    else if (w->source.line)
        toll_output_printf(w->out, "  (not in this source)");
    toll_output_printf(w->out, "%s\n", color && (is_hot || !cost) ? TOLL_PLAIN : "");
    if (w->a->options.full || (cost && matters(w, cost)))
        put_instructions(w, number);
}

/* Write the lines from `from` to `to`: source lines or, without a source, the lines that cost
 * something. */
static void put_range(line_writer *w, uint32_t from, uint32_t to)
{
    for (uint32_t n = from; n <= to && toll_source_go(&w->source, n); n++) {
        bool has_cost = w->lines < w->end && w->lines->line == n;
        put_line(w, n, has_cost ? w->lines : NULL);
        w->lines += has_cost;
    }
    for (; w->lines < w->end && w->lines->line <= to; w->lines++)
        put_line(w, w->lines->line, w->lines);
}

/* Count the next line as folded. */
static void fold(line_writer *w, toll_line *sum)
{
    const toll_line *line = w->lines++;
    int64_t cost = line->self - line->before;
    add(sum, line);
    if (w->a->listings.is_compared && !cost)
        return; /* nothing changed, so the line is folded in any case */
    w->a->folded++;
    w->a->folded_self = (int64_t)((uint64_t)w->a->folded_self + (uint64_t)cost);
}

/* Fold the lines from `from` to `to`: source lines or, without a source, the lines that cost
 * something. From 0: all remaining lines that cost something. */
static void put_fold(line_writer *w, uint32_t from, uint32_t to)
{
    toll_line sum = { .self = 0 };
    uint32_t costly = 0, lines = 0;
    for (; w->lines < w->end && w->lines->line <= to; costly++)
        fold(w, &sum);
    if (from && toll_source_go(&w->source, from)) {
        toll_source_go(&w->source, to);
        lines = w->source.line - from + 1;
    }
    lines = lines > costly ? lines : costly;
    if (!lines)
        return;
    put_folded_row(w, &sum, lines, "line");
    end_folded_row(w);
}

/* The line where the listing's function is defined; 0: not in the current file. */
static uint32_t definition(const line_writer *w)
{
    return *w->file ? 0 : w->listing->frame.line;
}

/* The first line that may be shown as context before `line`, the listing's first. Lines before a
 * function's definition belong to another function. */
static uint32_t top(const line_writer *w, uint32_t line)
{
    uint32_t first = definition(w);
    if (first && first <= line)
        return first;
    if (w->a->options.full && !w->a->listings.is_of_files)
        return line > CONTEXT ? line - CONTEXT : 1;
    return 1;
}

/* Write the lines after *last up to `line`, with context after the first and before the second. The
 * lines between are folded. */
static void put_up_to(line_writer *w, uint32_t *last, uint32_t line)
{
    uint32_t context = w->a->options.full ? UINT32_MAX : CONTEXT;
    uint32_t from = *last ? *last + 1 : top(w, line);
    uint64_t head = *last ? context : 0;
    if (line - from > context + head + (*last != 0)) {
        if (*last)
            put_range(w, from, *last + context);
        if (*last || w->lines->line < line - context)
            put_fold(w, *last ? *last + context + 1 : w->lines->line, line - context - 1);
        from = line - context;
    }
    put_range(w, from, line);
    *last = line;
}

static void put_file_lines(line_writer *w)
{
    uint32_t last = 0, first = definition(w); /* last: the last line written; 0: none */
    const toll_line *line = w->lines;
    for (; line < w->end && line->line == 0; line++, w->lines++)
        put_line(w, 0, line);
    if (first && w->source.size && line < w->end && first <= line->line)
        put_up_to(w, &last, first);
    for (; line < w->end; line++)
        if (matters(w, line) && line->line > last)
            put_up_to(w, &last, line->line);
    bool to_the_end = w->a->options.full && w->a->listings.is_of_files;
    if (last && last <= UINT32_MAX - 1 - CONTEXT)
        put_range(w, last + 1, to_the_end ? UINT32_MAX - 1 : last + CONTEXT);
    put_fold(w, 0, UINT32_MAX);
}

/* --- files -------------------------------------------------------------------------------------*/

/* The files of which no line is shown, in one row. */
typedef struct other_files {
    toll_line sum;
    uint32_t lines, files;
    bool any_shown; /* a file of the listing was shown */
} other_files;

static void add_file(line_writer *w, other_files *others)
{
    others->files++;
    for (; w->lines < w->end; others->lines++)
        fold(w, &others->sum);
}

static void put_other_files(const line_writer *w, const other_files *others)
{
    char text[TOLL_CELL_SIZE];
    if (!others->files)
        return;
    put_folded_row(w, &others->sum, others->lines, "line");
    if (others->any_shown || others->files > 1)
        toll_output_printf(w->out, " in %s%s file%s", toll_value_text(others->files, "count", text),
                           others->any_shown ? " other" : "", toll_plural(others->files));
    end_folded_row(w);
}

static bool any_matters(const line_writer *w)
{
    const toll_line *line = w->lines;
    while (line < w->end && !matters(w, line))
        line++;
    return line < w->end;
}

/* Of the listing's own file only if its text is from elsewhere. */
static void put_file_name(const line_writer *w)
{
    const char *file = *w->file ? w->file : w->listing->frame.file;
    const char *origin = w->source.text ? toll_annotation_origin(w->a, file) : "";
    if (!*w->file && !*origin)
        return;
    toll_output_printf(w->out, "in ");
    toll_output_put_printable(w->out, file);
    if (*origin) {
        toll_output_printf(w->out, ", whose text is embedded in ");
        toll_output_put_printable(w->out, origin);
    }
    toll_output_printf(w->out, "\n");
}

toll_status toll_annotate_put_lines(toll_annotation *a, const toll_listing *listing,
                                    toll_output *out, toll_error *err)
{
    const toll_line *lines = a->listings.lines + listing->first, *all = lines + listing->count;
    line_writer w = { .a = a, .listing = listing, .lines = lines, .end = all, .out = out };
    other_files others = { .files = 0 };
    w.limit = toll_annotation_limit(a, listing);
    toll_status status = toll_annotation_instructions(a, listing, &w.code, err);
    if (status)
        return status;
    measure(&w);
    put_heads(&w);
    while (!status && w.lines < all) {
        w.file = w.lines->file;
        for (w.end = w.lines; w.end < all && strcmp(w.end->file, w.file) == 0;)
            w.end++;
        if (!any_matters(&w)) {
            add_file(&w, &others);
            continue;
        }
        others.any_shown = true;
        status = toll_annotation_source(a, listing, w.file, &w.source, err);
        if (!status) {
            put_file_name(&w);
            put_file_lines(&w);
        }
    }
    put_other_files(&w, &others);
    return status;
}

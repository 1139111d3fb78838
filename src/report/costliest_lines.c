/* costliest_lines.c - see costliest_lines.h. */
#include "report/costliest_lines.h"

#include "base/fail.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* --- one row for each line ---------------------------------------------------------------------*/

static int compare_places(const toll_costly_line *x, const toll_costly_line *y)
{
    int by = strcmp(x->file, y->file);
    if (!by)
        by = (x->line > y->line) - (x->line < y->line);
    if (by || x->line)
        return by;
    return (x->function->rank > y->function->rank) - (x->function->rank < y->function->rank);
}

static int by_place(const void *a, const void *b)
{
    const toll_costly_line *x = a, *y = b;
    int by = compare_places(x, y);
    return by ? by
              : (x->function->rank > y->function->rank) - (x->function->rank < y->function->rank);
}

/* The cost or absolute change by which rows are sorted. Changes that do not fit 64 bits were
 * refused before. */
static uint64_t cost(const toll_costly_line *x)
{
    int64_t by = x->self - x->before;
    return by < 0 ? 0 - (uint64_t)by : (uint64_t)by;
}

static int by_cost(const void *a, const void *b)
{
    const toll_costly_line *x = a, *y = b;
    if (cost(x) != cost(y))
        return cost(x) < cost(y) ? 1 : -1; /* the larger first */
    return by_place(a, b);
}

/* List the lines of all listings, or of the wanted file. */
static void list_lines(toll_costliest_lines *c, const toll_annotation *a)
{
    for (size_t i = 0; i < a->listings.count; i++) {
        const toll_listing *listing = &a->listings.items[i];
        const toll_line *line = a->listings.lines + listing->first, *end = line + listing->count;
        for (; line < end; line++) {
            const char *file = *line->file ? line->file : listing->frame.file;
            const toll_frame place = { .name = "", .system_name = "", .file = file, .at_file = "" };
            toll_costly_line row = { .file = file,
                                     .line = line->line,
                                     .functions = 1,
                                     .function = listing,
                                     .self = line->self,
                                     .before = line->before,
                                     .executions = line->executions };
            row.most = cost(&row);
            if (a->wanted.kind != TOLL_WANT_FILE || toll_wanted_is(&a->wanted, &place))
                c->items[c->count++] = row;
        }
    }
}

static bool add(toll_costly_line *to, const toll_costly_line *more)
{
    int64_t change;
    to->functions++;
    if (more->most > to->most) {
        to->most = more->most;
        to->function = more->function;
    }
    return toll_i64_add(to->self, more->self, &to->self) &&
           toll_i64_add(to->before, more->before, &to->before) &&
           toll_i64_add(to->executions, more->executions, &to->executions) &&
           toll_i64_sub(to->self, to->before, &change);
}

/* Add up the rows of one line, and drop those whose sum is 0. */
static bool join(toll_costliest_lines *c)
{
    size_t kept = 0;
    for (size_t i = 0, next; i < c->count; i = next) {
        toll_costly_line row = c->items[i];
        for (next = i + 1; next < c->count && !compare_places(&row, &c->items[next]); next++)
            if (!add(&row, &c->items[next]))
                return false;
        if (cost(&row))
            c->items[kept++] = row;
    }
    c->count = kept;
    return true;
}

/* --- the rows shown ----------------------------------------------------------------------------*/

static void choose(toll_costliest_lines *c, const toll_annotation *a)
{
    uint64_t rest = 0; /* may wrap around; the sum of all rows fits */
    double limit = toll_annotation_limit(a, NULL);
    c->shown = c->count < a->options.top ? c->count : a->options.top;
    while (c->shown > 0 && (double)cost(&c->items[c->shown - 1]) < limit)
        c->shown--;
    for (size_t i = c->shown; i < c->count; i++)
        rest += (uint64_t)c->items[i].self - (uint64_t)c->items[i].before;
    c->rest = (int64_t)rest;
}

static const char *base_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if ((*path == '/' || *path == '\\') && path[1])
            name = path + 1;
    return name;
}

static int by_base_name(const void *a, const void *b)
{
    const toll_costly_line *x = a, *y = b;
    int by = strcmp(x->short_file, y->short_file);
    return by ? by : strcmp(x->file, y->file);
}

static void shorten_files(toll_costliest_lines *c)
{
    toll_costly_line *end = c->items + c->shown, *next;
    for (toll_costly_line *row = c->items; row < end; row++)
        row->short_file = base_name(row->file);
    if (c->shown)
        qsort(c->items, c->shown, sizeof *c->items, by_base_name);
    for (toll_costly_line *row = c->items; row < end; row = next) {
        const char *name = row->short_file;
        bool is_one = true;
        for (next = row; next < end && strcmp(next->short_file, name) == 0; next++)
            is_one &= strcmp(next->file, row->file) == 0;
        for (; !is_one && row < next; row++)
            row->short_file = row->file;
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Keep the text of a line: the source is valid only until the next one is read. */
static bool keep_text(toll_costliest_lines *c, toll_costly_line *row,
                      const toll_source_text *source)
{
    const char *text = source->line_text, *end = text + source->line_size;
    while (text < end && is_blank(*text))
        text++;
    while (end > text && is_blank(end[-1]))
        end--;
    row->text_size = (size_t)(end - text);
    row->text = ""; /* set later: the texts may still move */
    return !row->text_size || toll_buffer_append(&c->texts, text, row->text_size);
}

/* Read each file once, from its beginning to the last of its lines. */
static toll_status read_texts(toll_costliest_lines *c, const toll_annotation *a, toll_error *err)
{
    toll_source_text source = { .text = NULL };
    const char *file = NULL; /* file whose source is open */
    toll_status status = TOLL_OK;
    size_t at = 0;
    shorten_files(c);
    if (c->shown)
        qsort(c->items, c->shown, sizeof *c->items, by_place);
    for (size_t i = 0; !status && i < c->shown; i++) {
        toll_costly_line *row = &c->items[i];
        if (!row->line)
            continue;
        if (!file || strcmp(file, row->file) != 0)
            status = toll_annotation_source_of(a, file = row->file, &source, err);
        if (!status && toll_source_go(&source, row->line) && !keep_text(c, row, &source))
            status = toll_fail_nomem(err);
    }
    for (size_t i = 0; !status && i < c->shown; i++)
        if (c->items[i].text_size) {
            c->items[i].text = (const char *)c->texts.data + at;
            at += c->items[i].text_size;
        }
    if (c->shown)
        qsort(c->items, c->shown, sizeof *c->items, by_cost);
    return status;
}

/* --- life --------------------------------------------------------------------------------------*/

toll_status toll_costliest_lines_create(toll_costliest_lines *c, const toll_annotation *a,
                                        toll_error *err)
{
    *c = (toll_costliest_lines){ .mem = a->listings.mem, .room = a->listings.line_count + 1 };
    toll_buffer_init(&c->texts, &c->mem);
    c->items = toll_mem_new(&c->mem, c->room, sizeof *c->items);
    if (!c->items)
        return toll_fail_nomem(err);
    toll_status status = TOLL_OK;
    list_lines(c, a);
    if (c->count)
        qsort(c->items, c->count, sizeof *c->items, by_place);
    if (!join(c))
        status = toll_fail(err, TOLL_E_OVERFLOW, "a sum of the report does not fit 64 bits");
    if (!status && c->count)
        qsort(c->items, c->count, sizeof *c->items, by_cost);
    if (!status)
        choose(c, a);
    if (!status)
        status = read_texts(c, a, err);
    if (status)
        toll_costliest_lines_free(c);
    return status;
}

void toll_costliest_lines_free(toll_costliest_lines *c)
{
    toll_mem_free(&c->mem, c->items, c->room, sizeof *c->items);
    toll_buffer_free(&c->texts);
    *c = (toll_costliest_lines){ .mem = c->mem };
}

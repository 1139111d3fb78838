/* categories.c - see categories.h. */
#include "report/categories.h"

#include "base/fail.h"
#include "base/sort.h"
#include "base/text.h"
#include "report/markdown.h"

#include <inttypes.h>
#include <string.h>

typedef struct text_part {
    const char *text;
    size_t size;
} text_part;

typedef struct member {
    const toll_function_row *row;
    toll_frame frame;
    text_part category; /* size 0: the baseline, which comes first; text NULL: other, the last */
} member;

typedef struct categories {
    const toll_functions *f;
    const toll_report_options *o;
    const member *baseline; /* NULL: there is no empty function */
    int64_t a_call;         /* of the baseline */
    toll_output *out;
} categories;

/* The last part of a path that begins below a folder "src"; NULL: there is none. */
static const char *below_src(const char *path)
{
    const char *found = NULL;
    for (const char *p = path; *p; p++)
        if (strncmp(p, "src/", 4) == 0 && (p == path || p[-1] == '/'))
            found = p + 4;
    while (found && *found == '/')
        found++;
    return found && *found ? found : NULL;
}

static text_part category_of(const char *path)
{
    const char *below = below_src(path);
    if (!below)
        return (text_part){ NULL, 1 };
    if (strcmp(below, "lib.rs") == 0)
        return (text_part){ below, 0 };
    size_t folder = strcspn(below, "/");
    return (text_part){ below, below[folder] ? folder : 1 + strcspn(below + 1, ".") };
}

static int compare_categories(text_part a, text_part b)
{
    if (!a.text || !b.text)
        return !a.text - !b.text;
    size_t least = a.size < b.size ? a.size : b.size;
    int order = memcmp(a.text, b.text, least);
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare_members(const void *a, const void *b)
{
    const member *x = a, *y = b;
    int order = compare_categories(x->category, y->category);
    if (!order)
        order = strcmp(x->frame.file, y->frame.file);
    if (!order)
        order = (x->frame.line > y->frame.line) - (x->frame.line < y->frame.line);
    return order ? order : (x->row->rank > y->row->rank) - (x->row->rank < y->row->rank);
}

/* The cheapest call of a function in the baseline's file that calls no other. */
static void find_baseline(categories *c, const member *members, uint32_t count)
{
    for (uint32_t i = 0; i < count && members[i].category.size == 0; i++) {
        const toll_function_row *r = members[i].row;
        if (r->calls <= 0 || r->total < 0 || r->total != r->self)
            continue;
        int64_t a_call = r->total / r->calls;
        if (!c->baseline || a_call < c->a_call) {
            c->baseline = &members[i];
            c->a_call = a_call;
        }
    }
}

/* --- links -------------------------------------------------------------------------------------*/

static bool is_safe(char ch)
{
    return (ch >= '0' && ch <= '9') || ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'z') ||
           (ch && strchr("-._~/:?#=&%+,;@", ch));
}

static toll_status check_links(const char *links, toll_error *err)
{
    bool is_web = strncmp(links, "https://", 8) == 0 || strncmp(links, "http://", 7) == 0;
    for (const char *p = links; is_web && *p; p++)
        is_web = is_safe(*p);
    return is_web ? TOLL_OK
                  : toll_fail(err, TOLL_E_ARGUMENT,
                              "'%.200s' is no address of the web to link to; give one that a "
                              "file's path can follow: https://.../blob/main/",
                              links);
}

/* Is the path one of the project's? A link to another file would lead nowhere. */
static bool is_of_project(const char *path)
{
    if (!*path || *path == '/' || strchr(path, '\\') || strchr(path, ':'))
        return false;
    for (const char *p = path; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || !p[2]))
            return false;
    }
    return true;
}

static void put_link(const categories *c, const toll_frame *frame)
{
    toll_output_printf(c->out, "](%s", c->o->links);
    for (const char *p = frame->file; *p; p++) {
        bool is_plain = is_safe(*p) && !strchr("?#%", *p);
        toll_output_printf(c->out, is_plain ? "%c" : "%%%02X", (unsigned)(unsigned char)*p);
    }
    if (frame->line)
        toll_output_printf(c->out, "#L%" PRIu32, frame->line);
    toll_output_printf(c->out, ")");
}

/* --- tables ------------------------------------------------------------------------------------*/

static void put_heading(const categories *c, text_part category)
{
    toll_output_printf(c->out, "\n### ");
    if (!category.text || category.size == 0)
        toll_output_printf(c->out, category.text ? "Baseline" : "Other");
    else
        toll_markdown_put_text(c->out, category.text, category.size);
    bool has_calls = c->f->calls_column != TOLL_NONE;
    bool has_rest = c->baseline && category.size;
    toll_output_printf(c->out, "\n\n| function | |%s total |%s\n|:--|:--|%s--:|%s\n",
                       has_calls ? " calls |" : "", has_rest ? " less baseline |" : "",
                       has_calls ? "--:|" : "", has_rest ? "--:|" : "");
}

/* The total without the baseline of each call; false: it does not fit. */
static bool rest_of(const categories *c, const toll_function_row *r, int64_t *rest)
{
    if (c->a_call && r->calls > INT64_MAX / c->a_call)
        return false;
    return toll_i64_sub(r->total, r->calls * c->a_call, rest);
}

static void put_member(const categories *c, const member *m)
{
    const toll_function_row *r = m->row;
    const toll_precision *precision = &c->f->precision;
    char text[TOLL_PRECISE_TEXT_SIZE];
    bool is_linked = c->o->links && is_of_project(m->frame.file);
    toll_output_printf(c->out, "| %s", is_linked ? "[" : "");
    toll_markdown_put_code(c->out, toll_function_name(c->f, r));
    if (is_linked)
        put_link(c, &m->frame);
    toll_output_printf(c->out, " | ");
    toll_markdown_put_where(c->out, m->frame);
    if (c->f->calls_column != TOLL_NONE)
        toll_output_printf(c->out, " | %s", toll_value_text(r->calls, "count", text));
    toll_output_printf(c->out, " | %s", toll_precise_text(precision, r->total, text));
    if (c->baseline && m->category.size) {
        int64_t rest;
        bool fits = rest_of(c, r, &rest);
        toll_output_printf(c->out, " | %s", fits ? toll_precise_text(precision, rest, text) : "-");
    }
    toll_output_printf(c->out, " |\n");
}

static void put_baseline(const categories *c)
{
    const char *unit = toll_profile_column(c->f->profile, c->f->column).unit;
    char text[TOLL_VALUE_TEXT_SIZE];
    if (!c->baseline) {
        toll_output_printf(c->out, "\n**Baseline:** none: <code>src/lib.rs</code> has no function "
                                   "that was called and called no other\n");
        return;
    }
    const toll_function_row *r = c->baseline->row;
    toll_output_printf(c->out, "\n**Baseline:** %s a call%s, of ",
                       toll_value_text(c->a_call, unit, text),
                       r->total % r->calls ? " (rounded down)" : "");
    toll_markdown_put_code(c->out, toll_function_name(c->f, r));
    toll_output_printf(c->out, "\n");
}

static void put_all(const categories *c, const member *members, uint32_t count)
{
    uint32_t rows = 0; /* of the category */
    put_baseline(c);
    for (uint32_t i = 0; i < count; i++) {
        const member *m = &members[i], *next = m + 1;
        if (rows++ == 0)
            put_heading(c, m->category);
        if (!c->o->rows || rows <= c->o->rows)
            put_member(c, m);
        if (i + 1 < count && compare_categories(m->category, next->category) == 0)
            continue;
        if (c->o->rows && rows > c->o->rows)
            toll_markdown_put_more(c->out, rows - c->o->rows, "row");
        rows = 0;
    }
}

toll_status toll_report_put_categories(const toll_functions *f, const toll_report_options *o,
                                       toll_output *out, toll_error *err)
{
    categories c = { .f = f, .o = o, .out = out };
    toll_status status = o->links ? check_links(o->links, err) : TOLL_OK;
    if (status)
        return status;
    member *members = toll_mem_new(&f->mem, (size_t)f->count + 1, sizeof *members);
    if (!members)
        return toll_fail_nomem(err);
    for (uint32_t i = 0; i < f->count; i++) {
        members[i].row = &f->rows[i];
        members[i].frame = toll_function_frame(f, &f->rows[i]);
        members[i].category = category_of(members[i].frame.file);
    }
    toll_sort(members, f->count, sizeof *members, compare_members);
    find_baseline(&c, members, f->count);
    put_all(&c, members, f->count);
    toll_mem_free(&f->mem, members, (size_t)f->count + 1, sizeof *members);
    return TOLL_OK;
}

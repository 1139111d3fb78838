/* diff.c - prints what grew and what shrank, as text and as JSON. See report.h. */
#include "base/json_write.h"
#include "report/changes.h"
#include "report/functions.h"
#include "report/renamed.h"

#include <inttypes.h>
#include <stdio.h>

enum { FIGURE = 16, FIGURES = 3, MOST_FRAMES = 64, MOST_JSON_FRAMES = 256 };

/* --- text --------------------------------------------------------------------------------------*/

typedef struct diff_writer {
    const toll_changes *c;
    toll_output *out;
    const char *unit;
    bool color, tell_thread;
    uint32_t rows; /* 0: all */
    size_t widths[FIGURES];
} diff_writer;

static void put_signed(const diff_writer *w, int64_t v)
{
    char text[TOLL_SIGNED_TEXT_SIZE];
    if (w->color && v)
        toll_output_printf(w->out, "%s", v > 0 ? "\x1b[31m" : "\x1b[32m");
    toll_report_put_figure(w->out, toll_signed_text(v, w->unit, text), w->widths[0]);
    if (w->color && v)
        toll_output_printf(w->out, "\x1b[0m");
}

static void put_figures(const diff_writer *w, const toll_change *c)
{
    char text[TOLL_VALUE_TEXT_SIZE];
    put_signed(w, c->by);
    toll_report_put_figure(w->out, toll_value_text(c->before, w->unit, text), w->widths[1] + 1);
    toll_report_put_figure(w->out, toll_value_text(c->after, w->unit, text), w->widths[2] + 1);
    toll_output_write(w->out, "  ", 2);
}

static void put_head(const diff_writer *w, const char *what)
{
    toll_report_put_figure(w->out, "change", w->widths[0]);
    toll_report_put_figure(w->out, "before", w->widths[1] + 1);
    toll_report_put_figure(w->out, "after", w->widths[2] + 1);
    toll_output_write(w->out, "  ", 2);
    toll_output_put_printable(w->out, what);
    toll_output_write(w->out, "\n", 1);
}

static void put_rest(const diff_writer *w, uint32_t count, const char *what)
{
    if (w->rows && w->rows < count)
        toll_output_printf(w->out, "... and %" PRIu32 " more %s%s\n", count - w->rows, what,
                           toll_plural(count - w->rows));
}

static uint32_t rows_of(const diff_writer *w, uint32_t count)
{
    return w->rows && w->rows < count ? w->rows : count;
}

static void widen(diff_writer *w, const toll_change *c)
{
    char text[TOLL_SIGNED_TEXT_SIZE];
    toll_report_widen(&w->widths[0], toll_signed_text(c->by, w->unit, text));
    toll_report_widen(&w->widths[1], toll_value_text(c->before, w->unit, text));
    toll_report_widen(&w->widths[2], toll_value_text(c->after, w->unit, text));
}

/* Make columns as wide as the widest shown figure. */
static void measure(diff_writer *w)
{
    for (int i = 0; i < FIGURES; i++)
        w->widths[i] = FIGURE;
    widen(w, &w->c->all);
    for (uint32_t i = 0; i < rows_of(w, w->c->function_count); i++)
        widen(w, &w->c->functions[i]);
    for (uint32_t i = 0; i < rows_of(w, w->c->stack_count); i++)
        widen(w, &w->c->stacks[i]);
}

static void put_functions(const diff_writer *w)
{
    const toll_changes *c = w->c;
    put_head(w, "function (self)");
    for (uint32_t i = 0; i < rows_of(w, c->function_count); i++) {
        char where[TOLL_WHERE_TEXT_SIZE];
        toll_frame f = toll_change_frame(c, &c->functions[i]);
        put_figures(w, &c->functions[i]);
        toll_output_put_printable(w->out, toll_short_name_of(&c->names, f.name));
        if (*toll_where_text(f, where)) {
            toll_output_write(w->out, "  ", 2);
            toll_output_put_printable(w->out, where);
        }
        toll_output_write(w->out, "\n", 1);
    }
    put_rest(w, c->function_count, "function");
}

static void put_renamed(const diff_writer *w)
{
    toll_renamed found[TOLL_MOST_RENAMED];
    uint32_t count = toll_find_renamed(w->c, found);
    toll_output_printf(w->out, count ? "\n" : "");
    for (uint32_t i = 0; i < count; i++) {
        toll_output_printf(w->out, "renamed? ");
        toll_output_put_printable(w->out, toll_change_frame(w->c, found[i].was).name);
        toll_output_printf(w->out, " -> ");
        toll_output_put_printable(w->out, toll_change_frame(w->c, found[i].is).name);
        toll_output_printf(w->out, "\n");
    }
}

/* Print "f;g;h"; for a very deep stack only the inner frames. */
static void put_stack(const diff_writer *w, const toll_change *stack)
{
    toll_frame_id frames[MOST_FRAMES];
    uint32_t left, count = toll_change_stack(w->c, stack, frames, MOST_FRAMES, &left);
    const char *thread = toll_profile_thread_title(w->c->difference, stack->thread);
    if (w->tell_thread && *thread) {
        toll_output_write(w->out, "[", 1);
        toll_output_put_printable(w->out, thread);
        toll_output_write(w->out, "] ", 2);
    }
    if (left)
        toll_output_printf(w->out, "(%" PRIu32 " more);", left);
    if (count == 0)
        toll_output_printf(w->out, "(outside)");
    for (uint32_t i = count; i-- > 0;) {
        const char *name = toll_profile_frame(w->c->difference, frames[i]).name;
        toll_output_put_printable(w->out, toll_short_name_of(&w->c->names, name));
        if (i)
            toll_output_write(w->out, ";", 1);
    }
    toll_output_write(w->out, "\n", 1);
}

static void put_stacks(const diff_writer *w)
{
    toll_output_write(w->out, "\n", 1);
    toll_report_put_figure(w->out, "change", w->widths[0]);
    toll_output_printf(w->out, "  stack (self)\n");
    for (uint32_t i = 0; i < rows_of(w, w->c->stack_count); i++) {
        put_signed(w, w->c->stacks[i].by);
        toll_output_write(w->out, "  ", 2);
        put_stack(w, &w->c->stacks[i]);
    }
    put_rest(w, w->c->stack_count, "stack");
}

toll_status toll_report_diff(const toll_profile *before, const toll_profile *after,
                             const toll_profile *difference, const toll_report_options *o,
                             toll_output *out, toll_error *err)
{
    toll_changes c;
    toll_report_options own;
    toll_status status = toll_report_check(&o, &own, out, err);
    if (!status)
        status = toll_changes_create(&c, before, after, difference, o, err);
    if (status)
        return status;
    toll_value_type v = toll_profile_column(difference, c.column);
    diff_writer w = { .c = &c,
                      .out = out,
                      .unit = v.unit,
                      .color = o->color,
                      .tell_thread = toll_profile_thread_count(difference) > 1,
                      .rows = o->rows };
    measure(&w);
    put_head(&w, v.type);
    put_figures(&w, &c.all);
    toll_output_printf(out, "(all)\n\n");
    if (c.function_count == 0 && c.stack_count == 0) {
        toll_output_printf(out, "nothing changed\n");
    } else {
        put_functions(&w);
        put_renamed(&w);
        put_stacks(&w);
    }
    toll_report_put_notes(out, difference, &c.shown);
    toll_changes_free(&c);
    return TOLL_OK;
}

/* --- JSON --------------------------------------------------------------------------------------*/

static void put_figure_members(const toll_change *c, toll_output *out)
{
    toll_output_printf(out, "\"change\":%" PRId64 ",\"before\":%" PRId64 ",\"after\":%" PRId64,
                       c->by, c->before, c->after);
}

static void put_json_function(const toll_changes *c, const toll_change *function, toll_output *out)
{
    toll_frame f = toll_change_frame(c, function);
    toll_json_put_text(out, "{");
    toll_report_put_json_frame(out, f);
    toll_json_put_text(out, ",");
    put_figure_members(function, out);
    toll_json_put_text(out, "}");
}

/* End the list of functions, and begin that of those that may have another name. */
static void put_json_renamed(const toll_changes *c, toll_output *out)
{
    toll_renamed found[TOLL_MOST_RENAMED];
    uint32_t count = toll_find_renamed(c, found);
    toll_json_put_text(out, "],\n\"renamed\":[");
    for (uint32_t i = 0; i < count; i++) {
        toll_json_put_text(out, i ? ",{\"before\":" : "{\"before\":");
        toll_json_put_string(out, toll_change_frame(c, found[i].was).name);
        toll_json_put_text(out, ",\"after\":");
        toll_json_put_string(out, toll_change_frame(c, found[i].is).name);
        toll_json_put_text(out, "}");
    }
}

/* Print the frames of a stack; for a very deep one only the inner frames, and how many are
 * omitted. */
static void put_json_stack(const toll_changes *c, const toll_change *stack, toll_output *out)
{
    toll_frame_id frames[MOST_JSON_FRAMES];
    uint32_t left, count = toll_change_stack(c, stack, frames, MOST_JSON_FRAMES, &left);
    toll_json_put_text(out, "{");
    toll_report_put_json_stack(out, c->difference, stack->thread, frames, count, left);
    toll_output_printf(out, ",\"change\":%" PRId64 "}", stack->by);
}

toll_status toll_report_diff_json(const toll_profile *before, const toll_profile *after,
                                  const toll_profile *difference, const toll_report_options *o,
                                  toll_output *out, toll_error *err)
{
    toll_changes c;
    toll_report_options own;
    toll_status status = toll_report_check(&o, &own, out, err);
    if (!status)
        status = toll_changes_create(&c, before, after, difference, o, err);
    if (status)
        return status;
    toll_value_type v = toll_profile_column(difference, c.column);
    toll_json_put_text(out, "{\"value\":");
    toll_json_put_string(out, v.type);
    toll_json_put_text(out, ",\"unit\":");
    toll_json_put_string(out, v.unit);
    toll_json_put_text(out, ",");
    put_figure_members(&c.all, out);
    toll_output_printf(out, ",\n\"function_count\":%" PRIu32 ",\n\"functions\":[",
                       c.function_count);
    for (uint32_t i = 0; i < c.function_count && (!o->rows || i < o->rows); i++) {
        toll_json_put_text(out, i ? ",\n" : "\n");
        put_json_function(&c, &c.functions[i], out);
    }
    put_json_renamed(&c, out);
    toll_output_printf(out, "],\n\"stack_count\":%" PRIu32 ",\n\"stacks\":[", c.stack_count);
    for (uint32_t i = 0; i < c.stack_count && (!o->rows || i < o->rows); i++) {
        toll_json_put_text(out, i ? ",\n" : "\n");
        put_json_stack(&c, &c.stacks[i], out);
    }
    toll_json_put_text(out, "]}\n");
    toll_changes_free(&c);
    return TOLL_OK;
}

/* report_markdown.c - prints the table of functions, and what grew and shrank, as Markdown. See
 * report.h. */
#include "base/fail.h"
#include "report/categories.h"
#include "report/changes.h"
#include "report/functions.h"
#include "report/markdown.h"
#include "report/outside.h"
#include "report/renamed.h"

#include <inttypes.h>
#include <string.h>

enum { FLAME_WIDTH = 100, FLAME_ROWS = 40, TREE_ROWS = 60 };

/* "**ticks:** " */
static void put_type(toll_output *out, toll_value_type v)
{
    toll_output_printf(out, "**");
    toll_markdown_put_code(out, v.type);
    toll_output_printf(out, ":** ");
}

/* Put the notes of toll_report_put_notes, in a collapsed part. */
static toll_status put_notes(const toll_profile *p, const toll_shown *shown, toll_output *out,
                             toll_error *err)
{
    toll_output *notes;
    size_t size;
    toll_status status = toll_output_to_memory(toll_profile_mem(p), 0, &notes, err);
    if (status)
        return status;
    toll_report_put_notes(notes, p, shown);
    status = toll_output_commit(notes, err);
    const char *text = toll_output_data(notes, &size);
    if (!status && size > 1) {
        toll_markdown_begin_details(out, "Notes");
        toll_markdown_put_pre(out, text + 1, size - 1); /* without its first line, which is empty */
        toll_markdown_end_details(out);
    }
    toll_output_free(notes);
    return status;
}

/* --- a profile ---------------------------------------------------------------------------------*/

static toll_status print_tree(const toll_profile *p, const toll_report_options *all,
                              toll_output *out, toll_error *err)
{
    const toll_report_options o = { .size = sizeof o,
                                    .value = all->value,
                                    .sort = TOLL_SORT_TOTAL,
                                    .rows = TREE_ROWS,
                                    .short_names = all->short_names,
                                    .keep_outside = all->keep_outside };
    return toll_report_tree(p, &o, out, err);
}

static toll_status print_flame(const toll_profile *p, const toll_report_options *all,
                               toll_output *out, toll_error *err)
{
    const toll_flame_options o = { .size = sizeof o,
                                   .value = all->value,
                                   .width = FLAME_WIDTH,
                                   .rows = FLAME_ROWS,
                                   .short_names = all->short_names,
                                   .keep_outside = all->keep_outside };
    return toll_report_flame(p, &o, out, err);
}

/* Put what `print` prints, in a collapsed part. There is no flame graph of a difference. */
static toll_status
put_printed(const toll_profile *p, const toll_report_options *o, const char *title,
            toll_status (*print)(const toll_profile *, const toll_report_options *, toll_output *,
                                 toll_error *),
            toll_output *out, toll_error *err)
{
    toll_output *text;
    size_t size;
    toll_status status = toll_output_to_memory(toll_profile_mem(p), 0, &text, err);
    if (status)
        return status;
    status = print(p, o, text, err);
    if (status == TOLL_E_UNSUPPORTED) {
        toll_output_free(text);
        return TOLL_OK;
    }
    if (!status)
        status = toll_output_commit(text, err);
    if (!status) {
        const char *data = toll_output_data(text, &size);
        toll_markdown_begin_details(out, title);
        toll_markdown_put_pre(out, data, size);
        toll_markdown_end_details(out);
    }
    toll_output_free(text);
    return status;
}

static void put_function(const toll_functions *f, const toll_function_row *r, toll_output *out)
{
    char text[TOLL_PRECISE_TEXT_SIZE], share[TOLL_PRECISE_TEXT_SIZE];
    toll_frame frame = toll_function_frame(f, r);
    toll_output_printf(out, "| %s | %s", toll_precise_text(&f->precision, r->self, text),
                       toll_precise_share(&f->precision, r->self, f->total, share));
    toll_output_printf(out, " | %s | %s |", toll_precise_text(&f->precision, r->total, text),
                       toll_precise_share(&f->precision, r->total, f->total, share));
    if (f->calls_column != TOLL_NONE)
        toll_output_printf(out, " %s |", toll_value_text(r->calls, "count", text));
    toll_output_printf(out, " ");
    toll_markdown_put_code(out, toll_function_name(f, r));
    toll_output_printf(out, " | ");
    toll_markdown_put_where(out, frame);
    toll_output_printf(out, " |\n");
}

static void put_functions(const toll_functions *f, uint32_t most, toll_output *out)
{
    bool has_calls = f->calls_column != TOLL_NONE;
    uint32_t rows = most && most < f->count ? most : f->count;
    toll_output_printf(out, "\n| self | | total | |%s function | |\n|--:|--:|--:|--:|%s:--|:--|\n",
                       has_calls ? " calls |" : "", has_calls ? "--:|" : "");
    for (uint32_t i = 0; i < rows; i++)
        put_function(f, &f->rows[i], out);
    toll_markdown_put_more(out, f->count - rows, "row");
}

static toll_status put_profile(const toll_profile *p, toll_report_options *o, toll_output *out,
                               toll_error *err)
{
    toll_functions f;
    toll_status status = toll_functions_create(&f, p, o, err);
    if (status)
        return status;
    toll_value_type v = toll_profile_column(p, f.column);
    char total[TOLL_VALUE_TEXT_SIZE];
    put_type(out, v);
    toll_output_printf(out, "%s in %" PRIu32 " function%s", toll_value_text(f.total, v.unit, total),
                       f.function_count, toll_plural(f.function_count));
    toll_report_put_left_outside(p, v, out);
    toll_report_put_samples(out, &f.precision);
    toll_output_printf(out, "\n");
    if (o->by_category)
        status = toll_report_put_categories(&f, o, out, err);
    else
        put_functions(&f, o->rows, out);
    o->value = v.type; /* the pictures show the same, also where another one is the default */
    if (!status)
        status = put_printed(p, o, "Flame graph", print_flame, out, err);
    if (!status)
        status = put_printed(p, o, "Call tree", print_tree, out, err);
    if (!status)
        status = put_notes(p, &f.shown, out, err);
    toll_functions_free(&f);
    return status;
}

toll_status toll_report_markdown(const toll_profile *p, const toll_report_options *o,
                                 toll_output *out, toll_error *err)
{
    toll_report_options own;
    toll_profile *inside = NULL;
    toll_status status = toll_report_check(&o, &own, out, err);
    if (!status)
        status = toll_report_leave_outside(&p, &inside, own.keep_outside, err);
    if (!status)
        status = put_profile(p, &own, out, err);
    toll_profile_free(inside);
    return status;
}

/* --- a difference ------------------------------------------------------------------------------*/

static void put_change(const toll_change *c, const char *unit, toll_output *out)
{
    char by[TOLL_SIGNED_TEXT_SIZE], before[TOLL_VALUE_TEXT_SIZE], after[TOLL_VALUE_TEXT_SIZE];
    toll_output_printf(out, "| %s | %s | %s | ", toll_signed_text(c->by, unit, by),
                       toll_value_text(c->before, unit, before),
                       toll_value_text(c->after, unit, after));
}

static void put_changed_functions(const toll_changes *c, uint32_t most, const char *unit,
                                  toll_output *out)
{
    uint32_t rows = most && most < c->function_count ? most : c->function_count;
    toll_output_printf(out, "\n| change | before | after | function (self) | |\n"
                            "|--:|--:|--:|:--|:--|\n");
    for (uint32_t i = 0; i < rows; i++) {
        toll_frame frame = toll_change_frame(c, &c->functions[i]);
        put_change(&c->functions[i], unit, out);
        toll_markdown_put_code(out, toll_short_name_of(&c->names, frame.name));
        toll_output_printf(out, " | ");
        toll_markdown_put_where(out, frame);
        toll_output_printf(out, " |\n");
    }
    toll_markdown_put_more(out, c->function_count - rows, "function");
}

static void put_renamed(const toll_changes *c, toll_output *out)
{
    toll_renamed found[TOLL_MOST_RENAMED];
    uint32_t count = toll_find_renamed(c, found);
    for (uint32_t i = 0; i < count; i++) {
        toll_output_printf(out, i ? ", " : "\n**Renamed?** ");
        toll_markdown_put_code(out, toll_change_frame(c, found[i].was).name);
        toll_output_printf(out, " to ");
        toll_markdown_put_code(out, toll_change_frame(c, found[i].is).name);
    }
    toll_output_printf(out, count ? "\n" : "");
}

/* Put "f ; g ; h"; for a deep stack only the inner frames. */
static void put_stack(const toll_changes *c, const toll_change *stack, const char *unit,
                      toll_output *out)
{
    enum { FRAMES = 16 };
    toll_frame_id frames[FRAMES];
    char by[TOLL_SIGNED_TEXT_SIZE];
    uint32_t left, count = toll_change_stack(c, stack, frames, FRAMES, &left);
    toll_output_printf(out, "| %s | ", toll_signed_text(stack->by, unit, by));
    const char *thread = toll_profile_thread_title(c->difference, stack->thread);
    if (toll_profile_thread_count(c->difference) > 1 && *thread) {
        toll_markdown_put_code(out, thread);
        toll_output_printf(out, ": ");
    }
    if (left)
        toll_output_printf(out, "(%" PRIu32 " more) ", left);
    if (!count)
        toll_output_printf(out, "(outside)");
    while (count-- > 0) {
        const char *name = toll_profile_frame(c->difference, frames[count]).name;
        toll_markdown_put_code(out, toll_short_name_of(&c->names, name));
        toll_output_printf(out, count ? " ; " : "");
    }
    toll_output_printf(out, " |\n");
}

static void put_changed_stacks(const toll_changes *c, uint32_t most, const char *unit,
                               toll_output *out)
{
    uint32_t rows = most && most < c->stack_count ? most : c->stack_count;
    toll_markdown_begin_details(out, "Stacks");
    toll_output_printf(out, "| change | stack (self) |\n|--:|:--|\n");
    for (uint32_t i = 0; i < rows; i++)
        put_stack(c, &c->stacks[i], unit, out);
    toll_markdown_put_more(out, c->stack_count - rows, "stack");
    toll_markdown_end_details(out);
}

toll_status toll_report_diff_markdown(const toll_profile *before, const toll_profile *after,
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
    toll_value_type v = toll_profile_column(c.difference, c.column);
    char by[TOLL_SIGNED_TEXT_SIZE], was[TOLL_VALUE_TEXT_SIZE], is[TOLL_VALUE_TEXT_SIZE];
    put_type(out, v);
    toll_output_printf(
        out, "%s, from %s to %s\n", c.all.by ? toll_signed_text(c.all.by, v.unit, by) : "no change",
        toll_value_text(c.all.before, v.unit, was), toll_value_text(c.all.after, v.unit, is));
    if (c.function_count)
        put_changed_functions(&c, o->rows, v.unit, out);
    put_renamed(&c, out);
    if (c.stack_count)
        put_changed_stacks(&c, o->rows, v.unit, out);
    status = put_notes(difference, &c.shown, out, err);
    toll_changes_free(&c);
    return status;
}

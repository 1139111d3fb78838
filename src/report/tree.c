/* tree.c - prints the calling-context tree as text, heaviest stacks first. See report.h.
 *
 * With a limit on rows the heaviest stacks of the whole tree are shown, not the first ones of a
 * walk. A stack's total is never larger than its caller's, so the caller of each shown stack is
 * shown, too. In a difference, which has negative totals, this does not hold: there the first
 * stacks of the walk are shown. */
#include "base/fail.h"
#include "base/text.h"
#include "profile/sampled.h"
#include "report/functions.h"
#include "report/outside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_INDENT = 48, /* levels; deeper ones show their depth as a number */
    FIGURE = 14,      /* minimum width of a figure, in columns */
    SHARE = 6
};

enum { LIVE = 1, SHOWN = 2 };

typedef struct tree_key {
    int64_t value;
    uint32_t place; /* canonical order; breaks ties */
    toll_node_id node;
} tree_key;

typedef struct tree_writer {
    const toll_profile *p;
    const toll_report_options *o;
    toll_output *out;
    toll_order order;
    toll_shown shown;
    uint32_t column, calls_column;
    size_t room; /* size of the arrays: nodes plus 1 */
    int64_t *totals;
    uint8_t *flags; /* by node */
    tree_key *keys;
    int64_t whole;
    toll_precision precision; /* of the column */
    toll_short_names names;
    size_t total_width, share_width, self_width;
    uint32_t live; /* nodes that have a self value or calls, or a descendant with one */
} tree_writer;

/* --- order of children -------------------------------------------------------------------------*/

static int compare_keys(const void *a, const void *b)
{
    const tree_key *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

/* The value by which siblings are sorted. */
static int64_t sort_value(const tree_writer *w, toll_node_id node)
{
    if (w->o->sort == TOLL_SORT_CALLS && w->calls_column != TOLL_NONE)
        return toll_profile_self(w->p, node, w->calls_column);
    if (w->o->sort == TOLL_SORT_SELF)
        return toll_profile_self(w->p, node, w->column);
    return w->totals[node];
}

/* List all nodes that have a value, the largest first; canonical order breaks ties. */
static uint32_t sort_nodes(tree_writer *w, bool by_total)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < w->order.thread_count; t++) {
        toll_walk walk = toll_walk_begin(&w->order, toll_profile_root(w->p, w->order.threads[t]));
        while (toll_walk_next(&walk))
            if (walk.entering) {
                int64_t value = by_total ? w->totals[walk.node] : sort_value(w, walk.node);
                w->keys[count] = (tree_key){ value, count, walk.node };
                count++;
            }
    }
    if (count)
        qsort(w->keys, count, sizeof *w->keys, compare_keys);
    return count;
}

/* Link the children of every node in the order of the keys instead of by name. */
static void relink(tree_writer *w, uint32_t count)
{
    toll_order *o = &w->order;
    for (uint32_t i = 0; i < o->node_count; i++)
        o->first_child[i] = o->next_sibling[i] = TOLL_NONE;
    for (uint32_t i = count; i-- > 0;) {
        toll_node_id node = w->keys[i].node, parent = toll_profile_parent(w->p, node);
        if (parent == TOLL_NONE || parent == node)
            continue; /* a root */
        o->next_sibling[node] = o->first_child[parent];
        o->first_child[parent] = node;
    }
}

/* --- which stacks to show ----------------------------------------------------------------------*/

/* Mark live nodes. Goes backward, so that children are seen before their parents. */
static bool mark_live(tree_writer *w)
{
    bool negative = false;
    for (uint32_t n = toll_profile_node_count(w->p); n-- > 0;) {
        bool root = toll_profile_node_frame(w->p, n) == TOLL_NONE;
        bool called = w->calls_column != TOLL_NONE && toll_profile_self(w->p, n, w->calls_column);
        negative |= w->totals[n] < 0 || toll_profile_self(w->p, n, w->column) < 0;
        if (called || toll_profile_self(w->p, n, w->column))
            w->flags[n] |= LIVE;
        if (!(w->flags[n] & LIVE))
            continue;
        w->live++;
        if (!root)
            w->flags[toll_profile_parent(w->p, n)] |= LIVE;
    }
    return negative;
}

static void choose(tree_writer *w, bool heaviest)
{
    uint32_t left = w->o->rows && w->o->rows < w->live ? w->o->rows : w->live;
    if (heaviest && left < w->live) {
        uint32_t count = sort_nodes(w, true);
        for (uint32_t i = 0; i < count && left; i++)
            if (w->flags[w->keys[i].node] & LIVE) {
                w->flags[w->keys[i].node] |= SHOWN;
                left--;
            }
        return;
    }
    for (uint32_t t = 0; t < w->order.thread_count; t++) {
        toll_walk walk = toll_walk_begin(&w->order, toll_profile_root(w->p, w->order.threads[t]));
        while (left && toll_walk_next(&walk))
            if (walk.entering && w->flags[walk.node] & LIVE) {
                w->flags[walk.node] |= SHOWN;
                left--;
            }
    }
}

/* --- lines -------------------------------------------------------------------------------------*/

static void put_indent(toll_output *out, uint32_t depth)
{
    for (uint32_t i = 0; i < depth && i < MOST_INDENT; i++)
        toll_output_write(out, "  ", 2);
    if (depth > MOST_INDENT)
        toll_output_printf(out, "[%" PRIu32 "] ", depth);
}

/* Make columns as wide as the widest shown figure. */
static void measure(tree_writer *w)
{
    char text[TOLL_PRECISE_TEXT_SIZE];
    w->total_width = w->self_width = FIGURE;
    w->share_width = SHARE;
    for (uint32_t n = 0; n < toll_profile_node_count(w->p); n++) {
        if (!(w->flags[n] & SHOWN))
            continue;
        toll_report_widen(&w->total_width, toll_precise_text(&w->precision, w->totals[n], text));
        toll_report_widen(&w->share_width,
                          toll_precise_share(&w->precision, w->totals[n], w->whole, text));
        toll_report_widen(
            &w->self_width,
            toll_precise_text(&w->precision, toll_profile_self(w->p, n, w->column), text));
    }
}

static void put_line(const tree_writer *w, toll_node_id node, uint32_t depth, const char *name)
{
    char text[TOLL_PRECISE_TEXT_SIZE], where[TOLL_WHERE_TEXT_SIZE] = "";
    toll_frame_id frame = toll_profile_node_frame(w->p, node);
    toll_precise_text(&w->precision, w->totals[node], text);
    toll_report_put_figure(w->out, text, w->total_width);
    toll_precise_share(&w->precision, w->totals[node], w->whole, text);
    toll_report_put_figure(w->out, text, w->share_width + 1);
    toll_precise_text(&w->precision, toll_profile_self(w->p, node, w->column), text);
    toll_report_put_figure(w->out, text, w->self_width + 1);
    toll_output_write(w->out, "  ", 2);
    put_indent(w->out, depth);
    toll_output_put_printable(w->out, name);
    if (frame != TOLL_NONE && *toll_where_text(toll_profile_frame(w->p, frame), where)) {
        toll_output_printf(w->out, "  %s", w->o->color ? "\x1b[2m" : "");
        toll_output_put_printable(w->out, where);
        toll_output_printf(w->out, "%s", w->o->color ? "\x1b[0m" : "");
    }
    toll_output_write(w->out, "\n", 1);
}

static void put_thread(const tree_writer *w, toll_thread_id thread)
{
    const char *thread_name = toll_report_thread_name(w->p, thread);
    toll_walk walk = toll_walk_begin(&w->order, toll_profile_root(w->p, thread));
    while (toll_walk_next(&walk)) {
        toll_frame_id frame = toll_profile_node_frame(w->p, walk.node);
        if (!walk.entering || !(w->flags[walk.node] & SHOWN))
            continue;
        if (frame == TOLL_NONE)
            put_line(w, walk.node, 0, *thread_name ? thread_name : "(all)");
        else
            put_line(w, walk.node, walk.depth,
                     toll_short_name_of(&w->names, toll_profile_frame(w->p, frame).name));
    }
}

static void put_tree(const tree_writer *w)
{
    toll_output_printf(w->out, "%s", w->o->color ? "\x1b[1m" : "");
    toll_report_put_figure(w->out, "total", w->total_width);
    toll_report_put_figure(w->out, "share", SHARE + 1);
    toll_report_put_figure(w->out, "self", w->self_width + 1);
    toll_output_printf(w->out, "  stack (");
    toll_output_put_printable(w->out, toll_profile_column(w->p, w->column).type);
    toll_output_printf(w->out, ")%s\n", w->o->color ? "\x1b[0m" : "");
    for (uint32_t t = 0; t < w->order.thread_count; t++)
        put_thread(w, w->order.threads[t]);
    if (w->o->rows && w->o->rows < w->live)
        toll_output_printf(w->out, "... and %" PRIu32 " more stack%s\n", w->live - w->o->rows,
                           toll_plural(w->live - w->o->rows));
    toll_report_put_notes(w->out, w->p, &w->shown);
}

static toll_status prepare(tree_writer *w, toll_error *err)
{
    toll_mem mem = w->order.mem;
    w->flags = toll_mem_new(&mem, w->room, sizeof *w->flags);
    w->keys = toll_mem_new(&mem, w->room, sizeof *w->keys);
    if (!w->flags || !w->keys)
        return toll_fail_nomem(err);
    for (uint32_t t = 0; t < toll_profile_thread_count(w->p); t++)
        if (!toll_i64_add(w->whole, w->totals[toll_profile_root(w->p, t)], &w->whole))
            return toll_fail(err, TOLL_E_OVERFLOW, "a sum of the report does not fit 64 bits");
    w->precision = toll_precision_of(w->p, w->column, w->whole);
    bool negative = mark_live(w);
    if (w->o->sort != TOLL_SORT_NAME)
        relink(w, sort_nodes(w, false));
    choose(w, !negative);
    return TOLL_OK;
}

static toll_status put_report(const toll_profile *p, const toll_report_options *o, toll_output *out,
                              toll_error *err)
{
    tree_writer w = { .p = p, .o = o, .out = out };
    toll_status status = toll_report_column(p, p, NULL, o, &w.shown, err);
    w.column = w.shown.column;
    if (!status)
        status = toll_profile_totals(p, w.column, &w.totals, err);
    if (status)
        return status;
    w.room = (size_t)toll_profile_node_count(p) + 1;
    w.calls_column = toll_calls_column(p);
    status = toll_order_create(&w.order, p, err);
    if (!status) {
        status = prepare(&w, err);
        if (!status)
            status = toll_short_names_create(&w.names, o->short_names, p, NULL, err);
        if (!status) {
            measure(&w);
            put_tree(&w);
            toll_short_names_free(&w.names);
        }
        toll_mem_free(toll_profile_mem(p), w.flags, w.room, sizeof *w.flags);
        toll_mem_free(toll_profile_mem(p), w.keys, w.room, sizeof *w.keys);
        toll_order_free(&w.order);
    }
    toll_mem_free(toll_profile_mem(p), w.totals, w.room, sizeof *w.totals);
    return status;
}

toll_status toll_report_tree(const toll_profile *p, const toll_report_options *o, toll_output *out,
                             toll_error *err)
{
    toll_report_options own;
    toll_profile *folded = NULL, *inside = NULL;
    toll_status status = toll_report_check(&o, &own, out, err);
    if (!status)
        status = toll_report_fold(&p, &folded, err);
    if (!status)
        status = toll_report_leave_outside(&p, &inside, o->keep_outside, err);
    if (!status)
        status = put_report(p, o, out, err);
    toll_profile_free(inside);
    toll_profile_free(folded);
    return status;
}

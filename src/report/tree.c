/* tree.c - the calling-context tree as text, heaviest stacks first. See report.h. */
#include "base/fail.h"
#include "report/functions.h"

#include <stdlib.h>
#include <string.h>

typedef struct tree_key {
    int64_t value;
    uint32_t place; /* in canonical order, for ties */
    toll_node_id node;
} tree_key;

static int compare_keys(const void *a, const void *b)
{
    const tree_key *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Relink the children of every node by a value instead of by name. */
static toll_status sort_children(toll_order *o, const int64_t *value, toll_error *err)
{
    const toll_profile *p = o->profile;
    size_t room = (size_t)o->node_count + 1;
    tree_key *keys = toll_mem_new(&o->mem, room, sizeof *keys);
    uint32_t count = 0;
    if (!keys)
        return toll_fail_nomem(err);
    for (uint32_t t = 0; t < o->thread_count; t++) {
        toll_walk w = toll_walk_begin(o, toll_profile_root(p, o->threads[t]));
        while (toll_walk_next(&w))
            if (w.entering && w.depth) {
                keys[count] = (tree_key){ value[w.node], count, w.node };
                count++;
            }
    }
    if (count)
        qsort(keys, count, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < o->node_count; i++)
        o->first_child[i] = o->next_sibling[i] = TOLL_NONE;
    for (uint32_t i = count; i-- > 0;) {
        toll_node_id parent = toll_profile_parent(p, keys[i].node);
        o->next_sibling[keys[i].node] = o->first_child[parent];
        o->first_child[parent] = keys[i].node;
    }
    toll_mem_free(&o->mem, keys, room, sizeof *keys);
    return TOLL_OK;
}

typedef struct tree_writer {
    const toll_profile *p;
    const toll_report_options *o;
    toll_output *out;
    uint32_t column;
    const int64_t *totals;
    int64_t whole;
    uint32_t lines, cut;
} tree_writer;

static void put_line(tree_writer *w, toll_node_id node, uint32_t depth, const char *name)
{
    char total[TOLL_VALUE_TEXT_SIZE], self[TOLL_VALUE_TEXT_SIZE], share[16], where[512] = "";
    const char *unit = toll_profile_column(w->p, w->column).unit;
    toll_frame_id frame = toll_profile_node_frame(w->p, node);
    if (w->o->rows && w->lines >= w->o->rows) {
        w->cut++;
        return;
    }
    w->lines++;
    toll_value_text(w->totals[node], unit, total);
    toll_value_text(toll_profile_self(w->p, node, w->column), unit, self);
    toll_share_text(w->totals[node], w->whole, share);
    int pad_total = (int)(14 + strlen(total) - toll_report_width(total));
    int pad_self = (int)(14 + strlen(self) - toll_report_width(self));
    toll_output_printf(w->out, "%*s %6s %*s  ", pad_total, total, share, pad_self, self);
    for (uint32_t i = 0; i < depth; i++)
        toll_output_write(w->out, "  ", 2);
    toll_report_put_name(w->out, name);
    if (frame != TOLL_NONE)
        toll_where_text(toll_profile_frame(w->p, frame), where, sizeof where);
    if (*where)
        toll_output_printf(w->out, "  %s%s%s", w->o->color ? "\x1b[2m" : "", where,
                           w->o->color ? "\x1b[0m" : "");
    toll_output_write(w->out, "\n", 1);
}

/* Spent or called at all, here or below? */
static bool is_empty(const tree_writer *w, toll_node_id node)
{
    uint32_t calls = toll_profile_find_column(w->p, "calls");
    return w->totals[node] == 0 && toll_profile_self(w->p, node, w->column) == 0 &&
           (calls == TOLL_NONE || toll_profile_self(w->p, node, calls) == 0);
}

static void put_thread(tree_writer *w, const toll_order *order, toll_thread_id thread)
{
    const char *name = toll_profile_thread_name(w->p, thread);
    toll_walk walk = toll_walk_begin(order, toll_profile_root(w->p, thread));
    while (toll_walk_next(&walk)) {
        if (!walk.entering || (walk.depth && is_empty(w, walk.node)))
            continue;
        if (walk.depth == 0)
            put_line(w, walk.node, 0, *name ? name : "(all)");
        else
            put_line(w, walk.node, walk.depth,
                     toll_profile_frame(w->p, toll_profile_node_frame(w->p, walk.node)).name);
    }
}

/* The values that children are sorted by: totals, or self or calls of each. */
static void sort_values(const toll_profile *p, uint32_t column, toll_report_sort sort,
                               const int64_t *totals, int64_t *values)
{
    uint32_t calls = toll_profile_find_column(p, "calls");
    uint32_t by = sort == TOLL_SORT_CALLS && calls != TOLL_NONE ? calls : column;
    for (uint32_t i = 0; i < toll_profile_node_count(p); i++)
        values[i] = sort == TOLL_SORT_SELF || sort == TOLL_SORT_CALLS
                        ? toll_profile_self(p, i, by)
                        : totals[i];
}

static toll_status put_tree(tree_writer *w, toll_order *order, toll_error *err)
{
    size_t room = (size_t)toll_profile_node_count(w->p) + 1;
    toll_status status = TOLL_OK;
    if (w->o->sort != TOLL_SORT_NAME) {
        int64_t *values = toll_mem_new(&order->mem, room, sizeof *values);
        if (!values)
            return toll_fail_nomem(err);
        sort_values(w->p, w->column, w->o->sort, w->totals, values);
        status = sort_children(order, values, err);
        toll_mem_free(&order->mem, values, room, sizeof *values);
    }
    if (status)
        return status;
    toll_output_printf(w->out, "%14s %6s %14s  stack (%s)\n", "total", "share", "self",
                       toll_profile_column(w->p, w->column).type);
    for (uint32_t t = 0; t < order->thread_count; t++)
        put_thread(w, order, order->threads[t]);
    if (w->cut)
        toll_output_printf(w->out, "... and %u more stacks\n", w->cut);
    toll_report_put_notes(w->out, w->p);
    return TOLL_OK;
}

toll_status toll_report_tree(const toll_profile *p, const toll_report_options *o, toll_output *out,
                             toll_error *err)
{
    tree_writer w = { .p = p, .o = o, .out = out };
    toll_order order;
    int64_t *totals;
    toll_status status = toll_report_column(p, o, &w.column, err);
    if (!status)
        status = toll_profile_totals(p, w.column, &totals, err);
    if (status)
        return status;
    w.totals = totals;
    for (uint32_t t = 0; t < toll_profile_thread_count(p); t++)
        w.whole += totals[toll_profile_root(p, t)];
    status = toll_order_create(&order, p, err);
    if (!status) {
        status = put_tree(&w, &order, err);
        toll_order_free(&order);
    }
    toll_mem_free(toll_profile_mem(p), totals, (size_t)toll_profile_node_count(p) + 1,
                  sizeof *totals);
    return status;
}

/* check.c - checks the invariants of a profile in one walk. See toll/profile.h. */
#include "base/fail.h"
#include "base/text.h"
#include "profile/order.h"
#include "profile/profile_data.h"
#include "profile/thread_labels.h"

#include <inttypes.h>
#include <string.h>

static toll_status check_node(const toll_profile *p, uint32_t id, bool negative_ok, toll_error *err)
{
    const toll_node *node = toll_tree_node(&p->tree, id);
    if (node->id != id)
        return toll_fail(err, TOLL_E_INVARIANT, "stack %u calls itself %u", id, node->id);
    if (!node->parent != (node->frame == TOLL_NONE))
        return toll_fail(err, TOLL_E_INVARIANT, "stack %u is half a root", id);
    if (node->parent && node->parent->id >= id)
        return toll_fail(err, TOLL_E_INVARIANT, "stack %u stands before its parent %u", id,
                         node->parent->id);
    if (node->parent && node->frame >= p->frame_count)
        return toll_fail(err, TOLL_E_INVARIANT, "stack %u names no frame: %u", id, node->frame);
    for (uint32_t c = 0; c < p->column_count && !negative_ok; c++)
        if (node->values[c] < 0)
            return toll_fail(err, TOLL_E_INVARIANT,
                             "'%.100s' of a stack of %.100s is negative (%" PRId64
                             "); only a difference may hold that",
                             toll_profile_column(p, c).type,
                             node->parent ? toll_profile_frame(p, node->frame).name : "no function",
                             node->values[c]);
    return TOLL_OK;
}

/* Check that no two children of a node have the same frame: in canonical order they would be
 * adjacent. */
static toll_status check_siblings(const toll_profile *p, toll_error *err)
{
    toll_order order;
    toll_status status = toll_order_create(&order, p, err);
    if (status)
        return status;
    for (uint32_t id = 0; id < p->tree.count && !status; id++) {
        uint32_t next = order.next_sibling[id];
        if (next != TOLL_NONE &&
            toll_tree_node(&p->tree, id)->frame == toll_tree_node(&p->tree, next)->frame)
            status = toll_fail(err, TOLL_E_INVARIANT, "stacks %u and %u are the same", id, next);
    }
    toll_order_free(&order);
    return status;
}

static toll_status check_strings(const toll_profile *p, toll_error *err)
{
    for (size_t i = 0; i < p->strings.count; i++) {
        const char *text = toll_strtab_text(&p->strings, (uint32_t)i);
        size_t size = toll_strtab_size(&p->strings, (uint32_t)i);
        if (toll_text_check(text, size) != size)
            return toll_fail(err, TOLL_E_INVARIANT, "a name is not valid UTF-8: %.100s", text);
    }
    return TOLL_OK;
}

/* Check that total = self + the children's totals, and that the totals of all roots = the sum of
 * all self values, without overflow of 64 bits. */
static toll_status check_totals(const toll_profile *p, uint32_t column, toll_error *err)
{
    int64_t *totals, by_root = 0, by_self = 0;
    toll_status status = toll_profile_totals(p, column, &totals, err);
    if (status)
        return status;
    bool fits = true;
    for (uint32_t id = 0; id < p->tree.count && fits; id++) {
        const toll_node *node = toll_tree_node(&p->tree, id);
        fits = toll_i64_add(by_self, node->values[column], &by_self) &&
               (node->parent || toll_i64_add(by_root, totals[id], &by_root));
    }
    toll_mem_free(&p->mem, totals, (size_t)p->tree.count + 1, sizeof *totals);
    if (!fits)
        return toll_fail(err, TOLL_E_OVERFLOW, "the sum of '%.100s' does not fit 64 bits",
                         toll_profile_column(p, column).type);
    if (by_root != by_self)
        return toll_fail(err, TOLL_E_INVARIANT,
                         "'%.100s' does not add up: threads %" PRId64 ", stacks %" PRId64,
                         toll_profile_column(p, column).type, by_root, by_self);
    return TOLL_OK;
}

toll_status toll_profile_check(const toll_profile *p, int negative_ok, toll_error *err)
{
    toll_status status = check_strings(p, err);
    if (!status)
        status = toll_threads_check(p, err);
    for (uint32_t id = 0; !status && id < p->tree.count; id++)
        status = check_node(p, id, negative_ok, err);
    if (!status)
        status = check_siblings(p, err);
    for (uint32_t c = 0; !status && c < p->column_count; c++)
        status = check_totals(p, c, err);
    return status;
}

/* small_stacks.c - see small_stacks.h.
 *
 * The share of a stack is the largest of its totals, in units of 1/2^32 of the column's whole.
 * Totals are sums of absolute values, so a caller's share is never below its callee's, also in
 * differences: the remaining stacks are a tree. */
#include "profile/small_stacks.h"

#include "base/fail.h"
#include "profile/fold_steps.h"

#include <inttypes.h>
#include <stdio.h>

#define WHOLE UINT32_MAX /* the share of a stack that stays in any case */

static uint64_t add_up_to_most(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* `part` in units of 1/2^32 of `whole`, rounded down; monotonic in `part`. */
static uint32_t share_of(uint64_t part, uint64_t whole)
{
    for (; whole > WHOLE; whole >>= 1)
        part >>= 1;
    uint64_t share = whole ? (part << 32) / whole : 0;
    return share < WHOLE ? (uint32_t)share : WHOLE;
}

static bool is_outermost(const toll_node *node)
{
    return !node->parent || !node->parent->parent;
}

/* Raise shares[] to those of a column; totals[] is room for its totals. */
static void raise_shares(const toll_profile *p, uint32_t column, uint64_t *totals, uint32_t *shares)
{
    const toll_tree *tree = &p->tree;
    uint64_t whole = 0;
    for (uint32_t id = 0; id < tree->count; id++)
        totals[id] = 0;
    for (uint32_t id = tree->count; id-- > 0;) {
        const toll_node *node = toll_tree_node(tree, id);
        int64_t self = node->values[column];
        totals[id] = add_up_to_most(totals[id], self < 0 ? 0 - (uint64_t)self : (uint64_t)self);
        uint64_t *above = node->parent ? &totals[node->parent->id] : &whole;
        *above = add_up_to_most(*above, totals[id]);
    }
    for (uint32_t id = 0; id < tree->count; id++) {
        const toll_node *node = toll_tree_node(tree, id);
        uint32_t share = is_outermost(node) ? WHOLE : share_of(totals[id], whole);
        shares[id] = share > shares[id] ? share : shares[id];
    }
}

/* By node; freed with toll_mem_free. */
static toll_status find_shares(const toll_profile *p, uint32_t column, uint32_t **out,
                               toll_error *err)
{
    size_t count = (size_t)p->tree.count + 1;
    uint64_t *totals = toll_mem_new(&p->mem, count, sizeof *totals);
    uint32_t *shares = toll_mem_new(&p->mem, count, sizeof *shares);
    if (!totals || !shares) {
        toll_mem_free(&p->mem, totals, count, sizeof *totals);
        toll_mem_free(&p->mem, shares, count, sizeof *shares);
        return toll_fail_nomem(err);
    }
    for (uint32_t c = 0; c < p->column_count; c++)
        if (column == TOLL_NONE || column == c)
            raise_shares(p, c, totals, shares);
    toll_mem_free(&p->mem, totals, count, sizeof *totals);
    *out = shares;
    return TOLL_OK;
}

/* --- the least share to keep -------------------------------------------------------------------*/

enum { DIGITS = 1 << 16 };

/* The least digit (16 bits) such that at most *most shares have this digit or a higher one. With
 * `high` of DIGITS it is the upper half of the shares; otherwise the lower half, among shares with
 * the upper half `high`. Subtracts from *most the shares whose digit is at least the result. */
static uint32_t least_digit(const toll_profile *p, const uint32_t *shares, uint32_t *counts,
                            uint32_t high, uint32_t *most)
{
    uint32_t digit = DIGITS;
    for (uint32_t d = 0; d < DIGITS; d++)
        counts[d] = 0;
    for (uint32_t id = 0; id < p->tree.count; id++)
        if (high == DIGITS)
            counts[shares[id] >> 16]++;
        else if (shares[id] >> 16 == high)
            counts[shares[id] & (DIGITS - 1)]++;
    while (digit > 0 && counts[digit - 1] <= *most)
        *most -= counts[--digit];
    return digit;
}

/* Find the least share such that at most `most` nodes have this share or a larger one. */
static toll_status find_least(const toll_profile *p, const uint32_t *shares, uint32_t most,
                              uint32_t *least, toll_error *err)
{
    uint32_t *counts = toll_mem_new(&p->mem, DIGITS, sizeof *counts);
    if (!counts)
        return toll_fail_nomem(err);
    uint32_t high = least_digit(p, shares, counts, DIGITS, &most);
    *least = 0;
    if (high > 0) { /* not all shares with the next lower digit fit */
        uint32_t low = least_digit(p, shares, counts, high - 1, &most);
        uint64_t found = ((uint64_t)(high - 1) << 16) + low;
        *least = found < WHOLE ? (uint32_t)found : WHOLE;
    }
    toll_mem_free(&p->mem, counts, DIGITS, sizeof *counts);
    return TOLL_OK;
}

/* --- what stays --------------------------------------------------------------------------------*/

static toll_status fold_under(toll_graft *g, const uint32_t *shares, uint32_t least,
                              toll_small_stacks *small, toll_error *err)
{
    const toll_tree *tree = &g->source->tree;
    uint32_t calls = toll_profile_find_column(g->source, "calls");
    uint64_t folded = 0;
    toll_status status = TOLL_OK;
    for (uint32_t id = 0; !status && id < tree->count; id++) {
        if (shares[id] >= least) {
            status = toll_fold_keep(g, id, err);
            continue;
        }
        const toll_node *node = toll_tree_node(tree, id);
        status = toll_fold_into_parent(g, id, calls, err);
        small->count++;
        if (calls != TOLL_NONE && node->values[calls] > 0)
            folded += (uint64_t)node->values[calls];
    }
    if (!status)
        status = toll_profile_add_note(g->target, "small stacks, charged to their callers",
                                       small->count, err);
    return status ? status
                  : toll_profile_add_note(g->target, "calls of small stacks, folded", folded, err);
}

static toll_status fold(const toll_profile *p, const uint32_t *shares, uint32_t least,
                        toll_profile **out, toll_small_stacks *small, toll_error *err)
{
    toll_graft g;
    *small = (toll_small_stacks){ .least = least };
    toll_status status = toll_fold_begin(&g, p, out, err);
    return status ? status : toll_fold_end(&g, fold_under(&g, shares, least, small, err), out);
}

toll_status toll_fold_small_stacks(const toll_profile *p, uint32_t most, uint32_t column,
                                   toll_profile **out, toll_small_stacks *small, toll_error *err)
{
    uint32_t *shares, least = 0;
    *out = NULL;
    toll_status status = find_shares(p, column, &shares, err);
    if (status)
        return status;
    status = find_least(p, shares, most, &least, err);
    if (!status)
        status = fold(p, shares, least, out, small, err);
    toll_mem_free(&p->mem, shares, (size_t)p->tree.count + 1, sizeof *shares);
    return status;
}

const char *toll_small_stacks_text(const toll_small_stacks *small, char *text, size_t size)
{
    uint64_t part = small->least ? (UINT64_C(1) << 32) / small->least : 0;
    snprintf(text, size,
             "%" PRIu64 " stacks, each under 1/%" PRIu64
             " of the whole, are charged to their callers",
             small->count, part);
    return text;
}

toll_status toll_profile_prune_share(const toll_profile *p, double share, toll_profile **out,
                                     toll_error *err)
{
    uint32_t *shares;
    toll_small_stacks small;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (!(share >= 0 && share < 1))
        return toll_fail(err, TOLL_E_ARGUMENT, "a share is from 0 to below 1");
    toll_status status = find_shares(p, TOLL_NONE, &shares, err);
    if (status)
        return status;
    status = fold(p, shares, (uint32_t)(share * 4294967296.0), out, &small, err);
    toll_mem_free(&p->mem, shares, (size_t)p->tree.count + 1, sizeof *shares);
    return status;
}

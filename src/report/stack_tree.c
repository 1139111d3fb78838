/* stack_tree.c - see stack_tree.h. */
#include "report/stack_tree.h"

#include "base/fail.h"
#include "base/text.h"
#include "profile/pruned.h"

#include <string.h>

/* --- values ------------------------------------------------------------------------------------*/

void toll_stack_values(const toll_stack_tree *t, uint32_t side, uint32_t column, int64_t *values)
{
    const toll_profile *p = t->sides[side];
    uint32_t own = toll_profile_find_value_type(p, toll_profile_column(t->tree, column));
    memset(values, 0, t->node_count * sizeof *values);
    if (own == TOLL_NONE)
        return;
    const toll_node_id *nodes = t->united.nodes ? t->united.nodes[side] : NULL;
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++)
        values[nodes ? nodes[n] : n] = toll_profile_self(p, n, own);
}

/* Compute the totals of one side by node, in the shown column. */
static toll_status add_up(const toll_stack_tree *t, uint32_t side, int64_t *totals, toll_error *err)
{
    toll_stack_values(t, side, t->shown.column, totals);
    for (uint32_t n = t->node_count; n-- > 0;) {
        toll_node_id parent = toll_profile_parent(t->tree, n);
        if (parent != TOLL_NONE && !toll_i64_add(totals[parent], totals[n], &totals[parent]))
            return toll_fail(err, TOLL_E_OVERFLOW, "the total of '%.100s' does not fit 64 bits",
                             toll_profile_column(t->tree, t->shown.column).type);
    }
    return TOLL_OK;
}

static int64_t add_or_most(int64_t a, int64_t b)
{
    int64_t sum;
    return toll_i64_add(a, b, &sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}

/* --- the order of siblings ---------------------------------------------------------------------*/

/* Give all places of a function the sum of their keys. Places are neighbours in canonical order, so
 * a stable sort then keeps them together. */
static void share_sums(const toll_order *o, toll_node_id first, int64_t *keys)
{
    while (first != TOLL_NONE) {
        uint32_t function = o->function[toll_profile_node_frame(o->profile, first)];
        int64_t sum = 0;
        toll_node_id n = first;
        for (; n != TOLL_NONE && o->function[toll_profile_node_frame(o->profile, n)] == function;
             n = o->next_sibling[n])
            sum = add_or_most(sum, keys[n]);
        for (; first != n; first = o->next_sibling[first])
            keys[first] = sum;
    }
}

/* Merge two sorted lists. Of equal nodes, those of `a` come first. */
static toll_node_id merge(toll_node_id *next, toll_node_id a, toll_node_id b, const int64_t *keys)
{
    toll_node_id first = TOLL_NONE, *end = &first;
    while (a != TOLL_NONE && b != TOLL_NONE) {
        toll_node_id *from = keys[b] > keys[a] ? &b : &a;
        *end = *from;
        end = &next[*from];
        *from = *end;
    }
    *end = a != TOLL_NONE ? a : b;
    return first;
}

/* Sort a list by descending keys: a stable merge sort without extra memory. runs[i] is a sorted
 * list of 2^i nodes, or empty; later runs have nodes that came earlier. */
static toll_node_id sort_list(toll_node_id *next, toll_node_id list, const int64_t *keys)
{
    enum { RUNS = 32 };
    toll_node_id runs[RUNS];
    int used = 0;
    while (list != TOLL_NONE) {
        toll_node_id node = list;
        list = next[node];
        next[node] = TOLL_NONE;
        int i = 0;
        for (; i < used && runs[i] != TOLL_NONE; i++) {
            node = merge(next, runs[i], node, keys);
            runs[i] = TOLL_NONE;
        }
        used += i == used;
        runs[i] = node;
    }
    toll_node_id all = TOLL_NONE;
    for (int i = 0; i < used; i++)
        all = runs[i] == TOLL_NONE ? all : merge(next, runs[i], all, keys);
    return all;
}

/* Make *keys (to be freed): by node, the largest total of all sides. */
static toll_status make_keys(const toll_stack_tree *t, int64_t **out, toll_error *err)
{
    size_t room = (size_t)t->node_count + 1;
    int64_t *keys = toll_mem_new(&t->mem, room, sizeof *keys);
    int64_t *others = toll_mem_new(&t->mem, room, sizeof *others);
    toll_status status =
        keys && others ? add_up(t, TOLL_SIDE_AFTER, keys, err) : toll_fail_nomem(err);
    for (uint32_t side = 1; !status && side < t->side_count; side++) {
        status = add_up(t, side, others, err);
        for (uint32_t n = 0; !status && n < t->node_count; n++)
            keys[n] = others[n] > keys[n] ? others[n] : keys[n];
    }
    toll_mem_free(&t->mem, others, room, sizeof *others);
    if (status) {
        toll_mem_free(&t->mem, keys, room, sizeof *keys);
        return status;
    }
    *out = keys;
    return TOLL_OK;
}

/* Link the children of every node in the drawn order, and the threads through their roots: *first
 * is the first root. */
static toll_status sort_nodes(toll_stack_tree *t, toll_node_id *first, toll_error *err)
{
    int64_t *keys;
    toll_order *o = &t->order;
    bool places = toll_profile_has_places(t->tree);
    toll_status status = make_keys(t, &keys, err);
    if (status)
        return status;
    for (uint32_t n = 0; n < t->node_count; n++) {
        if (places)
            share_sums(o, o->first_child[n], keys);
        o->first_child[n] = sort_list(o->next_sibling, o->first_child[n], keys);
    }
    *first = TOLL_NONE;
    for (uint32_t i = t->thread_count; i-- > 0;) {
        toll_node_id root = toll_profile_root(t->tree, o->threads[i]);
        o->next_sibling[root] = *first;
        *first = root;
    }
    *first = sort_list(o->next_sibling, *first, keys);
    toll_mem_free(&t->mem, keys, (size_t)t->node_count + 1, sizeof *keys);
    return TOLL_OK;
}

/* --- preorder ----------------------------------------------------------------------------------*/

static void list_nodes(toll_stack_tree *t, toll_node_id root)
{
    const toll_order *o = &t->order;
    uint32_t count = 0, up = 0;
    for (toll_node_id node = root; node != TOLL_NONE;) {
        t->nodes[count] = node;
        t->ups[count++] = up;
        up = 0;
        if (o->first_child[node] != TOLL_NONE) {
            node = o->first_child[node];
            continue;
        }
        for (up = 1; node != TOLL_NONE && o->next_sibling[node] == TOLL_NONE; up++)
            node = toll_profile_parent(t->tree, node);
        if (node != TOLL_NONE)
            node = o->next_sibling[node];
    }
}

static toll_status put_in_order(toll_stack_tree *t, toll_error *err)
{
    toll_node_id first = TOLL_NONE;
    toll_status status = toll_order_create(&t->order, t->tree, err);
    if (!status && t->shown.column != TOLL_NONE)
        status = sort_nodes(t, &first, err);
    if (status)
        return status;
    t->nodes = toll_mem_new(&t->mem, (size_t)t->node_count + 1, sizeof *t->nodes);
    t->ups = toll_mem_new(&t->mem, (size_t)t->node_count + 1, sizeof *t->ups);
    t->thread_rank = toll_mem_new(&t->mem, (size_t)t->thread_count + 1, sizeof *t->thread_rank);
    if (!t->nodes || !t->ups || !t->thread_rank)
        return toll_fail_nomem(err);
    for (uint32_t i = 0; i < t->thread_count; i++)
        t->thread_rank[t->order.threads[i]] = i;
    list_nodes(t, first);
    return TOLL_OK;
}

/* --- life --------------------------------------------------------------------------------------*/

static size_t room_of(const toll_stack_tree *t)
{
    return t->side_count < TOLL_SIDE_COUNT ? TOLL_SIDE_COUNT : t->side_count;
}

static toll_status unite(toll_stack_tree *t, toll_error *err)
{
    t->tree = t->sides[TOLL_SIDE_AFTER];
    if (t->side_count == 1)
        return TOLL_OK;
    toll_status status = toll_unite(&t->united, t->sides, t->side_count, err);
    if (!status)
        t->tree = t->united.tree;
    return status;
}

toll_status toll_stack_tree_create(toll_stack_tree *t, const toll_profile *const *profiles,
                                   uint32_t count, toll_error *err)
{
    toll_status status = TOLL_OK;
    *t = (toll_stack_tree){ .mem = *toll_profile_mem(profiles[0]), .side_count = count };
    t->order.mem = t->united.mem = t->mem;
    t->given = toll_mem_new(&t->mem, room_of(t), sizeof *t->given);
    t->sides = toll_mem_new(&t->mem, room_of(t), sizeof *t->sides);
    t->own = toll_mem_new(&t->mem, room_of(t), sizeof *t->own);
    if (!t->given || !t->sides || !t->own)
        return toll_fail_nomem(err);
    for (uint32_t side = 0; side < count; side++)
        t->given[side] = t->sides[side] = profiles[side];
    for (uint32_t side = 0; !status && side < count; side++)
        status = toll_prune_to_write(&t->sides[side], false, &t->own[side], err);
    return status;
}

toll_status toll_stack_tree_sort(toll_stack_tree *t, const char *value, toll_error *err)
{
    toll_status status = unite(t, err);
    if (!status)
        status = toll_choose_shown(t->tree, t->given[TOLL_SIDE_AFTER], t->given[TOLL_SIDE_BEFORE],
                                   value, &t->shown, err);
    if (status)
        return status;
    t->node_count = toll_profile_node_count(t->tree);
    t->thread_count = toll_profile_thread_count(t->tree);
    return put_in_order(t, err);
}

void toll_stack_tree_free(toll_stack_tree *t)
{
    toll_mem_free(&t->mem, t->nodes, (size_t)t->node_count + 1, sizeof *t->nodes);
    toll_mem_free(&t->mem, t->ups, (size_t)t->node_count + 1, sizeof *t->ups);
    toll_mem_free(&t->mem, t->thread_rank, (size_t)t->thread_count + 1, sizeof *t->thread_rank);
    toll_order_free(&t->order);
    toll_united_free(&t->united);
    for (uint32_t side = 0; t->own && side < t->side_count; side++)
        toll_profile_free(t->own[side]);
    toll_mem_free(&t->mem, t->given, room_of(t), sizeof *t->given);
    toll_mem_free(&t->mem, t->sides, room_of(t), sizeof *t->sides);
    toll_mem_free(&t->mem, t->own, room_of(t), sizeof *t->own);
}

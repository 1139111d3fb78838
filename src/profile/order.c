/* order.c - see order.h. No recursion: trees may be as deep as memory allows. */
#include "profile/order.h"

#include "base/fail.h"
#include "base/sort.h"
#include "base/text.h"
#include "profile/profile_data.h"

#include <string.h>

/* The values that are compared, and the id to sort. */
typedef struct sort_key {
    const char *name;
    const toll_profile *profile;
    uint32_t id;
    bool is_thread; /* else a frame */
} sort_key;

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* A function comes before its inlined code, and both before another kind of the same name. */
static uint32_t kind_rank(uint32_t kind)
{
    return kind == TOLL_KIND_INLINED ? TOLL_KIND_FUNCTION : kind;
}

/* Compare frames with the same name: by the rest of the function, then by place. */
static int compare_frames(const toll_profile *p, uint32_t a, uint32_t b)
{
    const toll_frame_key *x = &p->frames[a].key, *y = &p->frames[b].key;
    int by = strcmp(toll_profile_text(p, x->file), toll_profile_text(p, y->file));
    if (by == 0)
        by = compare_numbers(x->line, y->line);
    if (by == 0)
        by = compare_numbers(kind_rank(x->kind), kind_rank(y->kind));
    if (by == 0)
        by = compare_numbers(x->kind, y->kind);
    if (by == 0)
        by = strcmp(toll_profile_text(p, x->at_file), toll_profile_text(p, y->at_file));
    if (by == 0)
        by = compare_numbers(x->at_line, y->at_line);
    if (by == 0)
        by = strcmp(toll_profile_text(p, x->module), toll_profile_text(p, y->module));
    if (by == 0)
        by = strcmp(toll_profile_text(p, x->build_id), toll_profile_text(p, y->build_id));
    return by ? by : compare_numbers(x->at_address, y->at_address);
}

/* Compare threads with the same name: by the number of labels, the fewest first, then by their
 * sorted labels. */
static int compare_threads(const toll_profile *p, uint32_t a, uint32_t b)
{
    uint32_t m = toll_profile_thread_label_count(p, a), n = toll_profile_thread_label_count(p, b);
    for (uint32_t i = 0; i < m && i < n; i++) {
        toll_thread_label x = toll_profile_thread_label(p, a, i);
        toll_thread_label y = toll_profile_thread_label(p, b, i);
        int by = strcmp(x.key, y.key);
        by = by ? by : strcmp(x.value, y.value);
        if (by)
            return by;
    }
    return compare_numbers(m, n);
}

static int compare_keys(const void *a, const void *b)
{
    const sort_key *x = a, *y = b;
    int by = strcmp(x->name, y->name);
    if (by)
        return by;
    return x->is_thread ? compare_threads(x->profile, x->id, y->id)
                        : compare_frames(x->profile, x->id, y->id);
}

/* Sort ids[0..count) by their keys; `key` makes the key of an id. */
static bool sort_ids(const toll_profile *p, uint32_t count,
                     sort_key (*key)(const toll_profile *, uint32_t), uint32_t *ids)
{
    if (count == 0)
        return true;
    sort_key *keys = toll_mem_new(&p->mem, count, sizeof *keys);
    if (!keys)
        return false;
    for (uint32_t i = 0; i < count; i++)
        keys[i] = key(p, i);
    toll_sort(keys, count, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < count; i++)
        ids[i] = keys[i].id;
    toll_mem_free(&p->mem, keys, count, sizeof *keys);
    return true;
}

static sort_key frame_key(const toll_profile *p, uint32_t id)
{
    return (sort_key){ toll_profile_text(p, p->frames[id].key.name), p, id, false };
}

static sort_key thread_key(const toll_profile *p, uint32_t id)
{
    return (sort_key){ toll_profile_thread_name(p, id), p, id, true };
}

static void group_functions(toll_order *o)
{
    for (uint32_t i = 0, first = 0; i < o->frame_count; i++) {
        if (i > 0 && !toll_profile_same_function(o->profile, o->frames[i], o->frames[i - 1]))
            first = i;
        o->function[o->frames[i]] = first;
        o->frame_rank[o->frames[i]] = i;
    }
}

/* Make sorted lists of children by a counting sort: take the nodes by their frame's rank, the
 * highest first, and put each at the front of its parent's list. */
static bool link_children(toll_order *o)
{
    const toll_profile *p = o->profile;
    size_t buckets = (size_t)o->frame_count + 1;
    uint32_t *start = toll_mem_new(&o->mem, buckets, sizeof *start);
    uint32_t *by_rank = toll_mem_new(&o->mem, (size_t)o->node_count + 1, sizeof *by_rank);
    bool ok = start && by_rank;
    for (uint32_t id = 0; ok && id < o->node_count; id++) {
        o->first_child[id] = o->next_sibling[id] = TOLL_NONE;
        uint32_t frame = toll_tree_node(&p->tree, id)->frame;
        if (frame != TOLL_NONE)
            start[o->frame_rank[frame] + 1]++;
    }
    for (size_t i = 1; ok && i < buckets; i++)
        start[i] += start[i - 1];
    uint32_t placed = ok ? start[buckets - 1] : 0;
    for (uint32_t id = 0; ok && id < o->node_count; id++) {
        uint32_t frame = toll_tree_node(&p->tree, id)->frame;
        if (frame != TOLL_NONE)
            by_rank[start[o->frame_rank[frame]]++] = id;
    }
    for (uint32_t i = placed; i-- > 0;) {
        uint32_t id = by_rank[i], parent = toll_tree_node(&p->tree, id)->parent->id;
        o->next_sibling[id] = o->first_child[parent];
        o->first_child[parent] = id;
    }
    toll_mem_free(&o->mem, start, buckets, sizeof *start);
    toll_mem_free(&o->mem, by_rank, (size_t)o->node_count + 1, sizeof *by_rank);
    return ok;
}

toll_status toll_order_create(toll_order *o, const toll_profile *p, toll_error *err)
{
    *o = (toll_order){
        .mem = p->mem,
        .profile = p,
        .node_count = p->tree.count,
        .frame_count = (uint32_t)p->frame_count,
        .thread_count = (uint32_t)p->thread_count,
    };
    o->first_child = toll_mem_new(&o->mem, (size_t)o->node_count + 1, sizeof(uint32_t));
    o->next_sibling = toll_mem_new(&o->mem, (size_t)o->node_count + 1, sizeof(uint32_t));
    o->threads = toll_mem_new(&o->mem, (size_t)o->thread_count + 1, sizeof(uint32_t));
    o->frame_rank = toll_mem_new(&o->mem, (size_t)o->frame_count + 1, sizeof(uint32_t));
    o->frames = toll_mem_new(&o->mem, (size_t)o->frame_count + 1, sizeof(uint32_t));
    o->function = toll_mem_new(&o->mem, (size_t)o->frame_count + 1, sizeof(uint32_t));
    bool ok = o->first_child && o->next_sibling && o->threads && o->frame_rank && o->frames &&
              o->function && sort_ids(p, o->frame_count, frame_key, o->frames) &&
              sort_ids(p, o->thread_count, thread_key, o->threads);
    if (ok) {
        group_functions(o);
        ok = link_children(o);
    }
    if (ok)
        return TOLL_OK;
    toll_order_free(o);
    return toll_fail_nomem(err);
}

void toll_order_free(toll_order *o)
{
    toll_mem_free(&o->mem, o->first_child, (size_t)o->node_count + 1, sizeof(uint32_t));
    toll_mem_free(&o->mem, o->next_sibling, (size_t)o->node_count + 1, sizeof(uint32_t));
    toll_mem_free(&o->mem, o->threads, (size_t)o->thread_count + 1, sizeof(uint32_t));
    toll_mem_free(&o->mem, o->frame_rank, (size_t)o->frame_count + 1, sizeof(uint32_t));
    toll_mem_free(&o->mem, o->frames, (size_t)o->frame_count + 1, sizeof(uint32_t));
    toll_mem_free(&o->mem, o->function, (size_t)o->frame_count + 1, sizeof(uint32_t));
    o->first_child = o->next_sibling = o->threads = o->frame_rank = o->frames = o->function = NULL;
}

toll_thread_id toll_profile_thread_of(const toll_profile *p, toll_node_id root)
{
    toll_thread_id first = 0, end = toll_profile_thread_count(p);
    while (end - first > 1) {
        toll_thread_id middle = first + (end - first) / 2;
        if (toll_profile_root(p, middle) <= root)
            first = middle;
        else
            end = middle;
    }
    return first;
}

toll_walk toll_walk_begin(const toll_order *order, toll_node_id root)
{
    return (toll_walk){ .order = order, .node = root };
}

bool toll_walk_next(toll_walk *w)
{
    if (!w->started) {
        w->started = w->entering = true;
        return true;
    }
    if (w->entering) {
        uint32_t child = w->order->first_child[w->node];
        if (child == TOLL_NONE) {
            w->entering = false;
            return true;
        }
        w->node = child;
        w->depth++;
        return true;
    }
    if (w->depth == 0)
        return false; /* the root was left */
    uint32_t sibling = w->order->next_sibling[w->node];
    if (sibling != TOLL_NONE) {
        w->node = sibling;
        w->entering = true;
        return true;
    }
    w->node = toll_profile_parent(w->order->profile, w->node);
    w->depth--;
    return true;
}

toll_status toll_profile_totals(const toll_profile *p, uint32_t column, int64_t **out,
                                toll_error *err)
{
    uint32_t count = p->tree.count;
    int64_t *totals = toll_mem_new(&p->mem, (size_t)count + 1, sizeof *totals);
    *out = NULL;
    if (!totals)
        return toll_fail_nomem(err);
    for (uint32_t id = 0; id < count; id++)
        totals[id] = toll_tree_node(&p->tree, id)->values[column];
    for (uint32_t id = count; id-- > 0;) {
        const toll_node *parent = toll_tree_node(&p->tree, id)->parent;
        if (parent && !toll_i64_add(totals[parent->id], totals[id], &totals[parent->id])) {
            toll_mem_free(&p->mem, totals, (size_t)count + 1, sizeof *totals);
            return toll_fail(err, TOLL_E_OVERFLOW, "the total of '%.100s' does not fit 64 bits",
                             toll_profile_column(p, column).type);
        }
    }
    *out = totals;
    return TOLL_OK;
}

uint64_t toll_profile_stack_frames(const toll_profile *p)
{
    uint32_t *depth = toll_mem_new(&p->mem, (size_t)p->tree.count + 1, sizeof *depth);
    uint64_t frames = 0;
    if (!depth)
        return 0;
    for (uint32_t id = 0; id < p->tree.count; id++) {
        const toll_node *node = toll_tree_node(&p->tree, id);
        depth[id] = node->parent ? depth[node->parent->id] + 1 : 0;
        frames += toll_profile_has_value(p, node) ? depth[id] : 0;
    }
    toll_mem_free(&p->mem, depth, (size_t)p->tree.count + 1, sizeof *depth);
    return frames;
}

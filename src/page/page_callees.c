/* page_callees.c - see page_callees.h. */
#include "page/page_callees.h"

#include "base/fail.h"
#include "base/sort.h"

#include <string.h>

typedef struct callee {
    uint32_t key, nodes;
} callee;

/* Temporary data. `slots` has, by key, its index among the callees of the current caller; TOLL_NONE
 * for other keys. */
typedef struct gathering {
    const toll_stack_tree *tree;
    toll_page_callees *to;
    uint32_t *slots;
    callee *found;
} gathering;

static uint32_t key_of(const toll_stack_tree *p, toll_node_id node)
{
    toll_frame_id frame = toll_profile_node_frame(p->tree, node);
    if (frame != TOLL_NONE)
        return p->order.frame_rank[frame];
    return p->order.frame_count + p->thread_rank[toll_profile_thread_of(p->order.profile, node)];
}

static uint32_t caller_of(const toll_stack_tree *p, toll_node_id node)
{
    toll_node_id parent = toll_profile_parent(p->tree, node);
    return parent == TOLL_NONE ? 0 : 1 + key_of(p, parent);
}

/* Group the nodes (as places in preorder) by caller in to->keys. Afterwards to->counts[c] is where
 * those of c begin. */
static void list_by_caller(const gathering *g)
{
    const toll_stack_tree *p = g->tree;
    uint32_t *next = g->to->counts, *keys = g->to->keys, sum = 0;
    for (uint32_t i = 0; i < p->node_count; i++)
        next[caller_of(p, p->nodes[i])]++;
    for (uint32_t c = 0; c < g->to->caller_count; c++) {
        uint32_t count = next[c];
        next[c] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < p->node_count; i++)
        keys[next[caller_of(p, p->nodes[i])]++] = i;
    memmove(next + 1, next, (g->to->caller_count - 1) * sizeof *next);
    next[0] = 0;
}

static int by_nodes(const void *left, const void *right)
{
    const callee *a = left, *b = right;
    if (a->nodes != b->nodes)
        return a->nodes > b->nodes ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}

/* Find the callees of one caller, whose nodes are at places[0..count). Stores them in g->found;
 * returns their number. */
static uint32_t find_callees(const gathering *g, const uint32_t *places, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t key = key_of(g->tree, g->tree->nodes[places[i]]);
        if (g->slots[key] == TOLL_NONE) {
            g->slots[key] = found;
            g->found[found++] = (callee){ .key = key };
        }
        g->found[g->slots[key]].nodes++;
    }
    if (found)
        toll_sort(g->found, found, sizeof *g->found, by_nodes);
    for (uint32_t i = 0; i < found; i++)
        g->slots[g->found[i].key] = i;
    for (uint32_t i = 0; i < count; i++)
        g->to->ranks[places[i]] = g->slots[key_of(g->tree, g->tree->nodes[places[i]])];
    for (uint32_t i = 0; i < found; i++)
        g->slots[g->found[i].key] = TOLL_NONE;
    return found;
}

/* A caller has at least as many nodes as callees, so the callees overwrite the nodes that are
 * done. */
static void gather(gathering *g)
{
    toll_page_callees *to = g->to;
    list_by_caller(g);
    for (uint32_t c = 0; c < to->caller_count; c++) {
        uint32_t first = to->counts[c];
        uint32_t end = c + 1 < to->caller_count ? to->counts[c + 1] : to->node_count;
        uint32_t found = find_callees(g, to->keys + first, end - first);
        for (uint32_t i = 0; i < found; i++)
            to->keys[to->count++] = g->found[i].key;
        to->counts[c] = found;
    }
}

toll_status toll_page_callees_create(toll_page_callees *to, const toll_stack_tree *tree,
                                     toll_error *err)
{
    const toll_mem *mem = &tree->mem;
    uint32_t keys = tree->order.frame_count + tree->thread_count;
    *to = (toll_page_callees){ .mem = *mem,
                               .caller_count = 1 + keys,
                               .node_count = tree->node_count };
    to->counts = toll_mem_new(mem, to->caller_count, sizeof *to->counts);
    to->keys = toll_mem_new(mem, (size_t)to->node_count + 1, sizeof *to->keys);
    to->ranks = toll_mem_new(mem, (size_t)to->node_count + 1, sizeof *to->ranks);
    gathering g = { .tree = tree, .to = to };
    g.slots = toll_mem_new(mem, (size_t)keys + 1, sizeof *g.slots);
    g.found = toll_mem_new(mem, (size_t)keys + 1, sizeof *g.found);
    bool ok = to->counts && to->keys && to->ranks && g.slots && g.found;
    if (ok) {
        memset(g.slots, 0xff, ((size_t)keys + 1) * sizeof *g.slots);
        gather(&g);
    }
    toll_mem_free(mem, g.slots, (size_t)keys + 1, sizeof *g.slots);
    toll_mem_free(mem, g.found, (size_t)keys + 1, sizeof *g.found);
    return ok ? TOLL_OK : toll_fail_nomem(err);
}

void toll_page_callees_free(toll_page_callees *c)
{
    toll_mem_free(&c->mem, c->counts, c->caller_count, sizeof *c->counts);
    toll_mem_free(&c->mem, c->keys, (size_t)c->node_count + 1, sizeof *c->keys);
    toll_mem_free(&c->mem, c->ranks, (size_t)c->node_count + 1, sizeof *c->ranks);
}

/* sbf_trace_order.c - see sbf_trace_order.h.
 *
 * Both trees are arrays: node 1 is the root, the children of node n are 2n and 2n + 1, and the
 * leaves are the places of the order, from node `leaves` on. */
#include "sbf/sbf_trace_order.h"

#include <stdlib.h>

/* --- the order ---------------------------------------------------------------------------------*/

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_keys(const void *left, const void *right)
{
    const toll_sbf_trace_key *a = left, *b = right;
    int order = compare(a->kin.program, b->kin.program);
    order = order ? order : compare(a->kin.has_failed, b->kin.has_failed);
    order = order ? order : compare(a->kin.has_syscalls, b->kin.has_syscalls);
    order = order ? order : compare(a->kin.invokes, b->kin.invokes);
    order = order ? order : compare(a->kin.logs, b->kin.logs);
    order = order ? order : compare(a->least, b->least);
    order = order ? order : compare(a->instructions, b->instructions);
    return order ? order : compare(a->trace, b->trace);
}

static bool is_kin(const toll_sbf_trace_key *key, toll_sbf_kin kin)
{
    return key->kin.program == kin.program && key->kin.has_failed == kin.has_failed &&
           key->kin.has_syscalls == kin.has_syscalls && key->kin.invokes == kin.invokes &&
           key->kin.logs == kin.logs;
}

static void set_keys(toll_sbf_trace_order *o)
{
    for (uint32_t i = 0; i < o->count; i++) {
        const toll_sbf_trace *t = &o->traces[i];
        o->keys[i] =
            (toll_sbf_trace_key){ .kin = { t->program, t->invokes, o->by_logs ? t->logs : 0,
                                           t->syscalls > 0, toll_sbf_has_failed(t) },
                                  .trace = i,
                                  .least = t->instructions + t->least,
                                  .instructions = t->instructions };
    }
    if (o->count)
        qsort(o->keys, o->count, sizeof *o->keys, compare_keys);
    for (size_t i = o->count; i-- > 0;) {
        bool goes_on = i + 1 < o->count &&
                       o->traces[o->keys[i].trace].shape == o->traces[o->keys[i + 1].trace].shape;
        o->same[i] = goes_on ? o->same[i + 1] : (uint32_t)i + 1;
    }
}

/* --- the trees ---------------------------------------------------------------------------------*/

uint32_t toll_sbf_fresher(const toll_sbf_trace *traces, uint32_t a, uint32_t b)
{
    if (a == TOLL_SBF_NONE || b == TOLL_SBF_NONE)
        return a == TOLL_SBF_NONE ? b : a;
    if (traces[a].used != traces[b].used)
        return traces[a].used < traces[b].used ? a : b;
    return a < b ? a : b;
}

static void join(toll_sbf_trace_order *o, size_t node)
{
    o->freshest[node] =
        toll_sbf_fresher(o->traces, o->freshest[2 * node], o->freshest[2 * node + 1]);
}

static void set_trees(toll_sbf_trace_order *o)
{
    for (size_t i = 0; i < o->leaves; i++) {
        bool is_there = i < o->count;
        o->shortest[o->leaves + i] = is_there ? o->keys[i].instructions : UINT64_MAX;
        o->freshest[o->leaves + i] = is_there ? o->keys[i].trace : TOLL_SBF_NONE;
        if (is_there)
            o->places[o->keys[i].trace] = (uint32_t)i;
    }
    for (size_t node = o->leaves - 1; node > 0; node--) {
        uint64_t left = o->shortest[2 * node], right = o->shortest[2 * node + 1];
        o->shortest[node] = left < right ? left : right;
        join(o, node);
    }
}

bool toll_sbf_trace_order_make(toll_sbf_trace_order *o, const toll_mem *mem,
                               const toll_sbf_trace *traces, size_t count, bool by_logs)
{
    *o = (toll_sbf_trace_order){ .mem = *mem, .traces = traces, .by_logs = by_logs };
    o->count = count;
    for (o->leaves = 1; o->leaves < count;)
        o->leaves *= 2;
    o->keys = toll_mem_new(mem, count, sizeof *o->keys);
    o->same = toll_mem_new(mem, count, sizeof *o->same);
    o->places = toll_mem_new(mem, count, sizeof *o->places);
    o->shortest = toll_mem_new(mem, 2 * o->leaves, sizeof *o->shortest);
    o->freshest = toll_mem_new(mem, 2 * o->leaves, sizeof *o->freshest);
    if (!o->keys || !o->same || !o->places || !o->shortest || !o->freshest)
        return false;
    set_keys(o);
    set_trees(o);
    return true;
}

void toll_sbf_trace_order_free(toll_sbf_trace_order *o)
{
    toll_mem_free(&o->mem, o->keys, o->count, sizeof *o->keys);
    toll_mem_free(&o->mem, o->same, o->count, sizeof *o->same);
    toll_mem_free(&o->mem, o->places, o->count, sizeof *o->places);
    toll_mem_free(&o->mem, o->shortest, 2 * o->leaves, sizeof *o->shortest);
    toll_mem_free(&o->mem, o->freshest, 2 * o->leaves, sizeof *o->freshest);
    *o = (toll_sbf_trace_order){ .count = 0 };
}

void toll_sbf_trace_order_update(toll_sbf_trace_order *o, uint32_t trace)
{
    for (size_t node = (o->leaves + o->places[trace]) / 2; node > 0; node /= 2) {
        join(o, node);
        o->looks++;
    }
}

uint32_t toll_sbf_trace_order_freshest(toll_sbf_trace_order *o, const toll_sbf_trace_range *range)
{
    uint32_t best = TOLL_SBF_NONE;
    size_t from = o->leaves + range->from, end = o->leaves + range->end;
    for (; from < end; from /= 2, end /= 2, o->looks++) {
        if (from % 2)
            best = toll_sbf_fresher(o->traces, best, o->freshest[from++]);
        if (end % 2)
            best = toll_sbf_fresher(o->traces, best, o->freshest[--end]);
    }
    return best;
}

/* --- neighbours --------------------------------------------------------------------------------*/

/* The first place whose key is not below this one, at its first trace. */
static size_t find_place(toll_sbf_trace_order *o, toll_sbf_kin kin, uint64_t least,
                         uint64_t instructions)
{
    const toll_sbf_trace_key key = { .kin = kin, .least = least, .instructions = instructions };
    size_t from = 0, end = o->count;
    while (from < end) {
        size_t middle = from + (end - from) / 2;
        o->looks++;
        if (compare_keys(&o->keys[middle], &key) < 0)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

bool toll_sbf_trace_order_within(toll_sbf_trace_order *o, toll_sbf_kin kin, uint64_t most,
                                 toll_sbf_trace_range *out)
{
    size_t end = find_place(o, kin, most + 1, 0); /* units have at most 63 bits */
    if (end == 0 || !is_kin(&o->keys[end - 1], kin))
        return false;
    uint64_t least = o->keys[end - 1].least;
    *out = (toll_sbf_trace_range){ find_place(o, kin, least, 0), end, least };
    return true;
}

/* The first place from `at` on with at most so many instructions. */
static size_t find_short(toll_sbf_trace_order *o, size_t at, uint64_t instructions)
{
    size_t node = o->leaves + at;
    while (o->shortest[node] > instructions) {
        o->looks++;
        while (node % 2) /* to the right; from the last leaf the walk ends at node 0 */
            node /= 2;
        if (node++ == 0)
            return o->count;
    }
    while (node < o->leaves) {
        o->looks++;
        node = 2 * node + (o->shortest[2 * node] > instructions);
    }
    return node - o->leaves;
}

bool toll_sbf_trace_order_above(toll_sbf_trace_order *o, toll_sbf_kin kin, uint64_t instructions,
                                toll_sbf_trace_range *out)
{
    size_t from = find_place(o, kin, 0, 0);
    if (from < o->count)
        from = find_short(o, from, instructions);
    if (from >= o->count || !is_kin(&o->keys[from], kin))
        return false;
    uint64_t least = o->keys[from].least;
    *out = (toll_sbf_trace_range){ from, find_place(o, kin, least, instructions + 1), least };
    return true;
}

/* section_net.c - computes the nets of the sections of a scope in O(n log n).
 *
 * Sections are visited in the order of their starts, the last one first. So the sections visited
 * before S are those that started after S, and those of them that ended before S are inside it.
 *
 * Units. The events of the scope cut it into intervals. The cap of an interval is the earliest end
 * of the visited sections that cover it. When S is visited, the intervals of S whose cap is later
 * than the end of S (or which have no cap) are those that no section inside S covers: the sum of
 * their lengths is the net of S. From then on their cap is the end of S. To find them and to lower
 * their caps is one operation of a toll_cap_tree over intervals.
 *
 * Heap. The cap of a visited section A is the earliest end, after its own, of the sections visited
 * after A: these started before A, so A is inside them. When S is visited, the sections that ended
 * before S and whose cap is later than the end of S are inside S and inside no other section that
 * is inside S: the outermost ones, whose heap is subtracted. From then on their cap is the end of
 * S. It is the same operation, over sections in the order of their ends. */
#include "base/array.h"
#include "base/fail.h"
#include "sections/cap_tree.h"
#include "sections/sections_data.h"

typedef struct ended_scope {
    toll_section_record *list;
    size_t count;
    uint32_t events;
    uint64_t *net;     /* of each section */
    int64_t *heap_net; /* likewise */
    uint32_t *ended;   /* of each event: the section that it ended, + 1; 0: none */
} ended_scope;

/* Caps are the numbers of end events, from 1. */
static uint32_t cap_of(const toll_section_record *section)
{
    return section->end_event + 1;
}

/* The weight of interval i is what was spent between event i and the next. */
static void weigh_intervals(toll_cap_tree *tree, const ended_scope *s, uint64_t *spent)
{
    for (size_t i = 0; i < s->count; i++) {
        spent[s->list[i].begin_event] = s->list[i].begin_spent;
        if (s->list[i].end_event != TOLL_NONE)
            spent[s->list[i].end_event] = s->list[i].end_spent;
    }
    for (uint32_t i = 0; i + 1 < s->events; i++)
        toll_cap_tree_weigh(tree, i, spent[i + 1] - spent[i]);
    toll_cap_tree_build(tree);
}

static toll_status find_net_units(const ended_scope *s, const toll_mem *mem, toll_error *err)
{
    toll_cap_tree tree;
    uint64_t *spent = toll_mem_new(mem, s->events, sizeof *spent);
    if (!spent || !toll_cap_tree_init(&tree, mem, s->events)) {
        toll_mem_free(mem, spent, s->events, sizeof *spent);
        return toll_fail_nomem(err);
    }
    weigh_intervals(&tree, s, spent);
    for (size_t i = s->count; i-- > 0;) {
        const toll_section_record *r = &s->list[i];
        if (r->end_event != TOLL_NONE)
            s->net[i] = toll_cap_tree_lower(&tree, r->begin_event, r->end_event, cap_of(r));
    }
    toll_cap_tree_free(&tree, mem);
    toll_mem_free(mem, spent, s->events, sizeof *spent);
    return TOLL_OK;
}

static bool tracks_heap(const toll_section_record *r)
{
    return r->has_heap && r->end_event != TOLL_NONE;
}

/* Weights are totals of heap modulo 2^64. So are the nets, and since a net fits into 64 bits, it is
 * exact. */
static toll_status find_net_heap(const ended_scope *s, const toll_mem *mem, toll_error *err)
{
    toll_cap_tree tree;
    size_t tracked = 0;
    for (size_t i = 0; i < s->count; i++)
        tracked += tracks_heap(&s->list[i]);
    if (!tracked)
        return TOLL_OK;
    if (!toll_cap_tree_init(&tree, mem, s->events))
        return toll_fail_nomem(err);
    for (size_t i = s->count; i-- > 0;) {
        const toll_section_record *r = &s->list[i];
        if (!tracks_heap(r))
            continue;
        uint64_t total = r->end_heap - r->begin_heap;
        s->heap_net[i] = (int64_t)(total - toll_cap_tree_lower(&tree, 0, r->end_event, cap_of(r)));
        toll_cap_tree_set(&tree, r->end_event, total);
    }
    toll_cap_tree_free(&tree, mem);
    return TOLL_OK;
}

static toll_section result_of(const toll_sections *s, const toll_section_record *r)
{
    return (toll_section){
        .id = toll_strtab_text(&s->ids, r->id),
        .id_size = toll_strtab_size(&s->ids, r->id),
        .total = r->end_spent - r->begin_spent,
        .has_heap = tracks_heap(r),
        .heap_total = tracks_heap(r) ? (int64_t)(r->end_heap - r->begin_heap) : 0,
        .heap_remaining = tracks_heap(r) ? r->end_heap : 0,
    };
}

/* List the sections that ended, in the order of their ends, then the open ones. Returns how many
 * have ended. */
static size_t fill_results(toll_sections *s, const ended_scope *scope)
{
    size_t n = 0;
    for (size_t i = 0; i < scope->count; i++)
        if (scope->list[i].end_event != TOLL_NONE)
            scope->ended[scope->list[i].end_event] = (uint32_t)i + 1;
    for (uint32_t e = 0; e < scope->events; e++) {
        if (!scope->ended[e])
            continue;
        size_t i = scope->ended[e] - 1;
        s->results[n] = result_of(s, &scope->list[i]);
        s->results[n].net = scope->net[i];
        s->results[n++].heap_net = scope->heap_net[i];
    }
    size_t ended_count = n;
    for (size_t i = 0; i < scope->count; i++)
        if (scope->list[i].end_event == TOLL_NONE)
            s->results[n++] = result_of(s, &scope->list[i]);
    return ended_count;
}

/* Add the net heap values to the recorder's tree as self values. */
static void add_heap_to_tree(toll_sections *s, const ended_scope *scope)
{
    toll_recorder *r = s->recorder;
    uint32_t column = r ? r->section_heap_column : 0;
    for (size_t i = 0; column && i < scope->count; i++) {
        toll_node *node = scope->list[i].node;
        int64_t net = scope->heap_net[i];
        uint64_t size = net < 0 ? -(uint64_t)net : (uint64_t)net;
        if (!node || !size)
            continue;
        if (size <= INT64_MAX - r->section_heap) { /* so that no sum over stacks overflows */
            r->section_heap += size;
            node->values[column] += net;
        } else {
            toll_recorder_note(r, "heap values of sections that no sum can hold", 1, NULL);
        }
    }
}

static toll_status find_results(toll_sections *s, ended_scope *scope, toll_section_results *out,
                                toll_error *err)
{
    if (!scope->net || !scope->heap_net || !scope->ended ||
        !toll_array_grow(&s->mem, &s->results, &s->result_capacity, 0, scope->count))
        return toll_fail_nomem(err);
    toll_status status = find_net_units(scope, &s->mem, err);
    if (!status)
        status = find_net_heap(scope, &s->mem, err);
    if (status)
        return status;
    add_heap_to_tree(s, scope);
    size_t ended = fill_results(s, scope);
    *out = (toll_section_results){ s->results, ended, s->results + ended, scope->count - ended };
    return TOLL_OK;
}

toll_status toll_sections_results(toll_sections *s, size_t first, toll_section_results *out,
                                  toll_error *err)
{
    ended_scope scope = { .list = s->list + first, .count = s->count - first, .events = s->events };
    *out = (toll_section_results){ NULL, 0, NULL, 0 };
    if (scope.count == 0)
        return TOLL_OK;
    scope.net = toll_mem_new(&s->mem, scope.count, sizeof *scope.net);
    scope.heap_net = toll_mem_new(&s->mem, scope.count, sizeof *scope.heap_net);
    scope.ended = toll_mem_new(&s->mem, scope.events, sizeof *scope.ended);
    toll_status status = find_results(s, &scope, out, err);
    toll_mem_free(&s->mem, scope.net, scope.count, sizeof *scope.net);
    toll_mem_free(&s->mem, scope.heap_net, scope.count, sizeof *scope.heap_net);
    toll_mem_free(&s->mem, scope.ended, scope.events, sizeof *scope.ended);
    return status;
}

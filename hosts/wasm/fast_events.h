/* fast_events.h - the fast path of the guest's events: of two at once, the pending one and the next
 * one, or of one. For guest_events.c, which opens it, and clocked_events.c.
 *
 * Each event must be a call of a function that the caller has called recently, or a return from the
 * innermost frame. Either all is delivered, or nothing changes: host_deliver_two first computes the
 * new position, and stores it only when both events fit.
 *
 * The depth needs no check. A node at the depth limit has no children, so no call is found there.
 * Roots, phases and sections have frames that no function has, so no return fits them. */
#ifndef TOLL_HOSTS_WASM_FAST_EVENTS_H
#define TOLL_HOSTS_WASM_FAST_EVENTS_H

#include "callees.h"
#include "delivery.h"
#include "record/fast_path.h"
#include "record/timeline_event.h"

#include <stdbool.h>
#include <stdint.h>

/* Copies for the fast path, at fixed addresses, of what it needs beside host_fast (delivery.h). The
 * recorder, the module and the callees own the originals. */
typedef struct host_event_path {
    uint32_t folded_capacity; /* while recursion is folded, in place of host_fast.capacity */
    uint32_t counters;        /* how many an event charges: 1 (ticks) or 0 */
    const toll_frame_id *frames;
    toll_recorder *recorder;
    toll_timeline_thread *events; /* NULL: there is no timeline */
    uint64_t origin;              /* the value of its axis at 0 ticks */
    uint64_t until;               /* from these ticks on host_stream has something to do */
    uint64_t sections;            /* how many of the open frames are sections' */
    host_callees *callees;
    uint32_t first_place; /* host_place_before() */
} host_event_path;

/* The address never changes. */
host_event_path *host_path(void);

/* The innermost frame, how many are open, how many of them are no sections, and the ticks of the
 * last event. */
typedef struct host_innermost {
    toll_node *node;
    uint64_t frames, depth, ticks;
} host_innermost;

/* It leaves the fast path open if it is. */
host_innermost host_find_innermost(void);

typedef struct host_event {
    bool leaves;         /* else it is a call */
    uint32_t place;      /* of the call, over all modules; 0: not known */
    toll_frame_id frame; /* the function's */
    uint64_t spent;      /* ticks since the previous event */
} host_event;

typedef struct host_position {
    toll_place in_tree;
    uint32_t last_place; /* see callees.h; 0 without call_lines */
} host_position;

#define HOST_ALWAYS_INLINE inline __attribute__((always_inline)) /* `placed` is then a constant */

static inline toll_node *host_find_recent(toll_node *caller, toll_frame_id frame)
{
    return toll_tree_find_recent(&host_path()->recorder->profile->tree, caller, frame);
}

/* The caller's child for a callee. NULL: it was not found recently. */
static inline toll_node *host_find_placed(toll_node *caller, uint64_t callee)
{
    const toll_frame_id frame = host_recent_callee(host_path()->callees, callee);
    return frame == TOLL_NONE ? NULL : host_find_recent(caller, frame);
}

static inline uint64_t host_node_callee(const toll_node *node, bool placed)
{
    return placed ? host_callee_of(host_path()->callees, node->frame) : node->frame;
}

/* Move *p by one event. False: the event is not for the fast path, and *p is unchanged. With
 * `placed` frames are callees, else functions. */
static HOST_ALWAYS_INLINE bool host_move(host_position *p, host_event e, bool placed)
{
    toll_node *node = p->in_tree.node;
    if (e.leaves) {
        uint64_t left = host_node_callee(node, placed);
        if (host_callee_function(left) != e.frame)
            return false;
        p->last_place = host_callee_place(left);
        toll_place_leave(&p->in_tree);
        return true;
    }
    toll_node *callee = node->last_child;
    uint64_t wanted = (uint64_t)(e.place ? e.place : p->last_place) << 32 | e.frame;
    if (!callee || host_node_callee(callee, placed) != wanted)
        callee = placed ? host_find_placed(node, wanted) : host_find_recent(node, e.frame);
    if (!callee)
        return false;
    p->last_place = 0;
    toll_place_enter(&p->in_tree, callee);
    return true;
}

/* The timeline's code that opens the frame of a node. 0: it has no short code. */
static inline toll_code_word host_open_word(const toll_node *node)
{
    return host_path()->recorder->timeline_codes[node->frame].word;
}

/* Append two events to the timeline. `between` is the current node after the first event, `after`
 * that after the second. False: nothing has changed. */
static inline bool host_put_two(host_event first, const toll_node *between, host_event second,
                                const toll_node *after)
{
    toll_timeline_thread *events = host_path()->events;
    toll_code_word a = first.leaves ? TOLL_CLOSE_WORD : host_open_word(between),
                   b = second.leaves ? TOLL_CLOSE_WORD : host_open_word(after);
    uint64_t ticks = host_fast_path()->ticks + first.spent,
             step = ticks + host_path()->origin - events->last_at;
    if (events->next >= events->limit || (step | second.spent) >= TOLL_SHORT_STEP || !a || !b ||
        ticks + second.spent >= host_path()->until)
        return false;
    events->last_at += step + second.spent;
    events->closed += (uint64_t)first.leaves + second.leaves;
    events->opened += (uint64_t)!first.leaves + !second.leaves;
    toll_publish_word(events, toll_word_add(toll_begin_word(a), step));
    toll_publish_word(events, toll_word_add(toll_begin_word(b), second.spent));
    return true;
}

static inline void host_charge_ticks(toll_node *node, uint64_t ticks)
{
    if (host_path()->counters) /* else the node has no column for them */
        toll_charge(node, 0, ticks);
}

static HOST_ALWAYS_INLINE host_position host_here(bool placed)
{
    const host_fast *fast = host_fast_path();
    return (host_position){ { fast->node, fast->depth, fast->node->parent },
                            placed ? host_path()->callees->last_place : 0 };
}

static HOST_ALWAYS_INLINE bool host_deliver_two(host_event first, host_event second, bool placed)
{
    host_fast *fast = host_fast_path();
    toll_node *before = fast->node;
    host_position p = host_here(placed);
    if (!host_move(&p, first, placed))
        return false;
    toll_node *between = p.in_tree.node;
    if (!host_move(&p, second, placed) ||
        (host_path()->events && !host_put_two(first, between, second, p.in_tree.node)))
        return false;
    host_charge_ticks(before, first.spent);
    if (!first.leaves)
        between->values[0]++;
    host_charge_ticks(between, second.spent);
    if (!second.leaves)
        p.in_tree.node->values[0]++;
    fast->node = p.in_tree.node;
    if (first.leaves == second.leaves)
        fast->depth = p.in_tree.depth;
    if (placed)
        host_path()->callees->last_place = p.last_place;
    return true;
}

static HOST_ALWAYS_INLINE uint32_t host_place_in(uint64_t event, bool placed)
{
    uint32_t place = placed ? (uint32_t)(event >> 32) : 0;
    return place ? host_path()->first_place + place : 0;
}

/* One event, as host_deliver_two() has two. There is no timeline. */
static HOST_ALWAYS_INLINE bool host_deliver_next(host_event e, bool placed)
{
    host_fast *fast = host_fast_path();
    toll_node *before = fast->node;
    host_position p = host_here(placed);
    if (!host_move(&p, e, placed))
        return false;
    host_charge_ticks(before, e.spent);
    if (!e.leaves)
        p.in_tree.node->values[0]++;
    fast->node = p.in_tree.node;
    fast->depth = p.in_tree.depth;
    if (placed)
        host_path()->callees->last_place = p.last_place;
    return true;
}

#endif

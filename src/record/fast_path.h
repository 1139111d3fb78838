/* fast_path.h - the fast path of a call and a return. It is for recorder_calls.c, and for adapters
 * with so many events that a function call for each is noticeable (hosts/lua, hosts/wasm).
 *
 * It handles two events on a recorder that runs without lines: a call, if the callee is the child
 * that was last looked up under the caller; and a return from a frame that has a node and is not a
 * section's. If the recorder has a timeline, toll_fast_open or toll_fast_close (fast_timeline.h)
 * must follow. Each function either does everything that the event requires, or returns false.
 * After false, call the function of toll/recorder.h with the same `now`: it takes the general path.
 * (With several counters, some may already be charged by then. The general path charges these 0,
 * since they have not moved.) Counters that have not moved since the last event need not be passed
 * to the fast path: `counters` may be less than the recorder has.
 *
 * Invariant, before and after each event:
 *   - place.node is place.depth steps below the track's base, and place.caller is its parent;
 *   - floor <= place.depth <= limit; calls at the limit and returns at the floor take the general
 *     path. So the fast path need not know the reason: no open frame, a section, the depth limit,
 *     or folded frames;
 *   - each node has been charged for every moment in which it was place.node, up to the last event.
 * Therefore an event charges place.node first, and then moves the place by one step. */
#ifndef TOLL_RECORD_FAST_PATH_H
#define TOLL_RECORD_FAST_PATH_H

#include "record/recorder_data.h"

/* --- one step ----------------------------------------------------------------------------------*/

/* Did the counter move in the wrong direction? So large a step is taken for one. */
static inline bool toll_is_backward(uint64_t spent)
{
    return spent > INT64_MAX;
}

/* Add to the node's value. An overflow is noticed: a snapshot checks the sum of each counter's
 * movement. */
static inline void toll_charge(toll_node *node, uint32_t counter, uint64_t spent)
{
    int64_t *value = &node->values[1 + counter];
    *value = (int64_t)((uint64_t)*value + spent);
}

static inline bool toll_charge_counter(toll_counter_state *c, toll_node *node, uint32_t counter,
                                       uint64_t now)
{
    uint64_t value = toll_counter_value(c, now), spent = value - c->last;
    if (toll_is_backward(spent))
        return false;
    toll_charge(node, counter, spent);
    c->last = value;
    return true;
}

/* Go on from `now` without charging what the counter has moved: the profiler itself took it. */
static inline void toll_pass_counter(toll_counter_state *c, uint64_t now)
{
    uint64_t value = toll_counter_value(c, now);
    c->segment_start += value - c->last;
    c->last = value;
}

/* The callee's node if it is the child of `caller` that was last looked up; else NULL. */
static inline toll_node *toll_fast_callee(const toll_node *caller, toll_frame_id frame)
{
    toll_node *callee = caller->last_child;
    return callee && callee->frame == frame ? callee : NULL;
}

static inline void toll_place_enter(toll_place *place, toll_node *callee)
{
    place->caller = place->node;
    place->node = callee;
    place->depth++;
}

static inline void toll_place_leave(toll_place *place)
{
    place->node = place->caller;
    place->caller = place->node->parent;
    place->depth--;
}

/* --- one event ---------------------------------------------------------------------------------*/

/* False also with lines, which only the general path handles. */
static inline bool toll_recorder_is_running(const toll_recorder *r)
{
    return r->state == TOLL_RECORDER_RUNNING;
}

/* May an adapter call the functions below for each event? The recorder has that many counters. The
 * answer holds until the recorder is stopped, reset or started over. */
static inline bool toll_recorder_is_fast(const toll_recorder *r, uint32_t counters)
{
    return toll_recorder_is_running(r) && r->counter_count == counters;
}

/* Charge the current node with the first `counters` of the recorder's counters. */
static inline bool toll_fast_charge(toll_recorder *r, const uint64_t *now, uint32_t counters)
{
    toll_node *node = r->track->place.node;
    for (uint32_t i = 0; i < counters; i++)
        if (!toll_charge_counter(&r->counters[i], node, i, now[i]))
            return false;
    return true;
}

/* Enter `callee`, a child of the current node. */
static inline bool toll_fast_enter(toll_recorder *r, toll_node *callee, const uint64_t *now,
                                   uint32_t counters)
{
    if (!toll_fast_charge(r, now, counters))
        return false;
    callee->values[0]++;
    toll_place_enter(&r->track->place, callee);
    return true;
}

static inline bool toll_fast_call(toll_recorder *r, toll_frame_id frame, const uint64_t *now,
                                  uint32_t counters)
{
    const toll_track *t = r->track;
    toll_node *callee = toll_fast_callee(t->place.node, frame);
    return callee && t->place.depth < t->limit && toll_fast_enter(r, callee, now, counters);
}

/* The same after toll_fast_call has failed: for a callee that the caller has called recently. */
static inline bool toll_fast_call_recent(toll_recorder *r, toll_frame_id frame, const uint64_t *now,
                                         uint32_t counters)
{
    const toll_track *t = r->track;
    if (t->place.depth >= t->limit)
        return false;
    toll_node *callee = toll_tree_find_recent(&r->profile->tree, t->place.node, frame);
    return callee && toll_fast_enter(r, callee, now, counters);
}

static inline bool toll_fast_return(toll_recorder *r, const uint64_t *now, uint32_t counters)
{
    toll_track *t = r->track;
    if (t->place.depth == t->floor || !toll_fast_charge(r, now, counters))
        return false;
    toll_place_leave(&t->place);
    return true;
}

#endif

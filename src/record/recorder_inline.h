/* recorder_inline.h - the steps of a call and a return, for recorder.c and for hosts built with
 * Toll whose events are so many that a function call each shows (hosts/lua). What must hold is in
 * recorder.c. */
#ifndef TOLL_RECORD_RECORDER_INLINE_H
#define TOLL_RECORD_RECORDER_INLINE_H

#include "record/recorder_data.h"

/* Before the first event, or after the last: false if there is nothing to do. */
bool toll_recorder_not_running(toll_recorder *recorder, const uint64_t *now);

/* The counter went the wrong way: nobody is charged, it is counted. */
void toll_recorder_count_backward(toll_recorder *recorder, uint32_t counter, uint64_t now);

/* The callee's node, made if need be; NULL: no memory, or there is no such frame. */
toll_node *toll_recorder_find_child(toll_recorder *recorder, toll_node *caller,
                                    toll_frame_id frame);

/* Make `track` current without charging first: what is due is its, not the current one's. */
void toll_recorder_hand_over(toll_recorder *recorder, toll_track *track);

/* A frame that gets no node: beyond the depth limit, unknown, or there was no memory for one. */
void toll_recorder_fold_call(toll_recorder *recorder, toll_frame_id frame);

/* A return from a frame that has no node (folded, or never entered), or with sections above it. */
void toll_recorder_leave_none(toll_recorder *recorder);

static inline void toll_recorder_charge_node(toll_recorder *r, const uint64_t *now)
{
    int64_t *values = r->track->current->values + 1;
    for (uint32_t i = 0; i < r->counter_count; i++) {
        toll_counter_state *c = &r->counters[i];
        uint64_t step = ((now[i] - c->last) ^ c->flip) - c->flip;
        if (step > INT64_MAX) {
            toll_recorder_count_backward(r, i, now[i]);
            continue;
        }
        /* No wrap that goes unseen: all steps together are checked in the snapshot. */
        values[i] = (int64_t)((uint64_t)values[i] + step);
        c->last = now[i];
    }
}

/* Charge; false if the recorder has stopped. */
static inline bool toll_recorder_begin(toll_recorder *r, const uint64_t *now)
{
    if (r->state != TOLL_RECORDER_RUNNING && !toll_recorder_not_running(r, now))
        return false;
    toll_recorder_charge_node(r, now);
    return true;
}

/* Enter `frame`; `calls` is 1 for a call, 0 for a frame that stood already. */
static inline void toll_recorder_enter(toll_recorder *r, toll_frame_id frame, int calls)
{
    toll_track *t = r->track;
    toll_node *caller = t->current, *node = caller->last_child;
    if (t->depth >= t->limit)
        node = NULL;
    else if (!node || node->frame != frame)
        node = toll_recorder_find_child(r, caller, frame);
    if (!node) {
        toll_recorder_fold_call(r, frame);
        return;
    }
    node->values[0] += calls;
    t->current = node;
    t->caller = caller;
    t->depth++;
    if (r->timeline)
        toll_recorder_timeline_open(r, frame);
}

static inline void toll_recorder_leave(toll_recorder *r)
{
    toll_track *t = r->track;
    if (t->folded || t->depth == t->floor) {
        toll_recorder_leave_none(r);
        return;
    }
    toll_node *left = t->current;
    toll_track_stand_at(t, t->caller);
    t->depth--;
    if (r->timeline)
        toll_recorder_timeline_close(r, left->frame);
}

static inline void toll_recorder_call_inline(toll_recorder *r, toll_frame_id frame,
                                             const uint64_t *now)
{
    if (toll_recorder_begin(r, now))
        toll_recorder_enter(r, frame, 1);
}

static inline void toll_recorder_return_inline(toll_recorder *r, const uint64_t *now)
{
    if (toll_recorder_begin(r, now))
        toll_recorder_leave(r);
}

/* --- the plainest recorder ---------------------------------------------------------------------*/

/* One counter that counts up, no timeline, and running: then the functions below will do, until
 * something else is asked of the recorder. They change nothing when they return false; the general
 * ones must be called then. */
static inline bool toll_recorder_is_plain(const toll_recorder *r)
{
    return r->state == TOLL_RECORDER_RUNNING && r->counter_count == 1 && !r->counters[0].flip &&
           !r->timeline;
}

static inline void toll_recorder_charge_plain(toll_recorder *r, toll_node *node, uint64_t now)
{
    node->values[1] = (int64_t)((uint64_t)node->values[1] + (now - r->counters[0].last));
    r->counters[0].last = now;
}

/* A call of the function that the current frame called last. */
static inline bool toll_recorder_call_plain(toll_recorder *r, toll_frame_id frame, uint64_t now)
{
    toll_track *t = r->track;
    toll_node *node = t->current, *child = node->last_child;
    if (!child || child->frame != frame || now < r->counters[0].last || t->depth >= t->limit)
        return false;
    toll_recorder_charge_plain(r, node, now);
    child->values[0]++;
    t->current = child;
    t->caller = node;
    t->depth++;
    return true;
}

/* Of one that it has called of late. */
static inline bool toll_recorder_call_recent(toll_recorder *r, toll_frame_id frame, uint64_t now)
{
    return toll_tree_find_recent(&r->profile->tree, r->track->current, frame) &&
           toll_recorder_call_plain(r, frame, now);
}

/* The caller knows that a frame stands, folded or not. */
static inline bool toll_recorder_return_plain(toll_recorder *r, uint64_t now)
{
    toll_track *t = r->track;
    toll_node *node = t->current;
    if (t->folded || t->depth == t->floor || now < r->counters[0].last)
        return false;
    toll_recorder_charge_plain(r, node, now);
    toll_track_stand_at(t, t->caller);
    t->depth--;
    return true;
}

#endif

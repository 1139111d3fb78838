/* fold_recursion.c - see fold_recursion.h.
 *
 * node_at[] is the path from the base to the recorder's current node. Each open function of the
 * guest has an entry on another stack, with what its call has changed on the path, so that its
 * return can undo that.
 *
 * Example: main calls a, a calls b, b calls a. The path is main, a, b and then, since a is open,
 * main, a again: its depth goes from 3 back to 2. When the inner a returns, the depth becomes 3
 * again, and node_at[3] is still b.
 *
 * Invariant: frame f is on the path if place[f] is between 1 and the path's depth and
 * node_at[place[f]] has that frame. place[f] may be out of date otherwise. */
#include "fold_recursion.h"

#include "base/array.h"
#include "delivery.h"
#include "modules.h"
#include "record/fast_path.h"
#include "resumptions.h"

#include <toll/embedder.h>

typedef struct opened {
    toll_frame_id frame;
    uint32_t depth;  /* of the path before the call */
    uint32_t place;  /* if is_deeper: place[frame] before the call, */
    toll_node *node; /* and the node at the new depth before the call */
    bool is_deeper;  /* the call has made the path longer by one; else shorter, or not at all */
} opened;

static struct {
    bool is_on;
    opened *stack;
    size_t count, capacity;
    uint64_t lost; /* the innermost calls, for which there was no memory */
    toll_node **node_at;
    size_t node_capacity;
    uint32_t depth;      /* of the path */
    uint64_t base_depth; /* depth of the recorder where the path begins, for example in a phase */
    uint32_t *place;     /* by frame */
    size_t place_capacity;
} fold;

void host_begin_folding(bool folds)
{
    fold.is_on = folds;
}

bool host_folds(void)
{
    return fold.is_on;
}

/* Make room for one call on both stacks, and in place[]. */
static bool reserve(toll_frame_id frame)
{
    toll_mem mem = toll_mem_from(NULL);
    size_t had = fold.place_capacity;
    bool good = toll_array_grow(&mem, &fold.stack, &fold.capacity, fold.count, 1) &&
                toll_array_grow(&mem, &fold.node_at, &fold.node_capacity, fold.depth, 2);
    if (good && frame >= had) {
        size_t more = (size_t)frame + 1 - had;
        good = toll_array_grow(&mem, &fold.place, &fold.place_capacity, had, more);
        for (size_t i = had; good && i < fold.place_capacity; i++)
            fold.place[i] = 0;
    }
    return good;
}

/* Move the recorder to the last node of the path. */
static void stand(void)
{
    toll_track_stand_at(host_recorder()->track, fold.node_at[fold.depth],
                        fold.base_depth + fold.depth);
}

/* Is the frame on the path? */
static bool is_open(toll_frame_id frame)
{
    uint32_t place = fold.place[frame];
    return place && place <= fold.depth && fold.node_at[place]->frame == frame;
}

/* The node of a call's callee. NULL: it gets none, and is folded into the caller. */
static toll_node *find_callee(toll_frame_id frame)
{
    toll_recorder *r = host_recorder();
    bool is_deep = fold.base_depth + fold.depth >= r->max_depth;
    toll_node *callee =
        is_deep ? NULL : toll_recorder_find_callee(r, fold.node_at[fold.depth], frame);
    if (!callee)
        r->counts[is_deep                            ? TOLL_COUNT_FOLDED
                  : frame >= r->profile->frame_count ? TOLL_COUNT_UNKNOWN
                                                     : TOLL_COUNT_NOMEM]++;
    return callee;
}

static void enter(toll_frame_id frame)
{
    if (fold.lost || frame == HOST_NO_FRAME || !reserve(frame)) {
        host_recorder()->counts[TOLL_COUNT_NOMEM]++;
        fold.lost++;
        return;
    }
    const toll_track *t = host_recorder()->track;
    if (!fold.count) {
        fold.depth = 0;
        fold.base_depth = t->place.depth;
        fold.node_at[0] = t->place.node;
    }
    opened *o = &fold.stack[fold.count++];
    *o = (opened){ .frame = frame, .depth = fold.depth };
    if (is_open(frame)) {
        fold.depth = fold.place[frame];
        fold.node_at[fold.depth]->values[0] += !host_is_resuming();
        return;
    }
    toll_node *callee = find_callee(frame);
    if (!callee)
        return;
    callee->values[0] += !host_is_resuming();
    o->is_deeper = true;
    o->place = fold.place[frame];
    o->node = fold.node_at[++fold.depth];
    fold.node_at[fold.depth] = callee;
    fold.place[frame] = fold.depth;
}

static void leave(void)
{
    if (fold.lost) {
        fold.lost--;
        return;
    }
    const opened *o = &fold.stack[--fold.count];
    if (o->is_deeper) {
        fold.node_at[fold.depth] = o->node;
        fold.place[o->frame] = o->place;
    }
    fold.depth = o->depth;
}

/* Leave a function that is not the innermost one: the deeper ones have ended without an event. */
static void leave_below(toll_frame_id frame)
{
    size_t left = fold.count;
    while (left > 0 && fold.stack[left - 1].frame != frame)
        left--;
    host_note_unmatched(left > 0);
    while (left > 0 && fold.count >= left)
        leave();
}

bool host_fold_is_open(void)
{
    return fold.count || fold.lost;
}

void host_fold_event(bool leaves, toll_frame_id frame, const uint64_t *now)
{
    bool any = host_fold_is_open();
    toll_recorder_charge(host_recorder(), now);
    if (!leaves)
        enter(frame);
    else if (fold.lost || (fold.count && fold.stack[fold.count - 1].frame == frame))
        leave();
    else
        leave_below(frame);
    if (fold.node_capacity && (any || fold.count))
        stand();
}

/* --- the fast path -----------------------------------------------------------------------------*/

/* Is there room for one call more? */
static bool is_reserved(toll_frame_id frame)
{
    return fold.count < fold.capacity && fold.depth + 1 < fold.node_capacity &&
           frame < fold.place_capacity;
}

/* A call of an open function. Functions that are resumed are not called. */
static bool call_open(toll_recorder *r, toll_frame_id frame, uint64_t ticks, uint32_t counters)
{
    if (host_resumes_callees(r->track->place.node) || !toll_fast_charge(r, &ticks, counters))
        return false;
    fold.stack[fold.count++] = (opened){ .frame = frame, .depth = fold.depth };
    fold.depth = fold.place[frame];
    fold.node_at[fold.depth]->values[0]++;
    toll_track_stand_at(r->track, fold.node_at[fold.depth], fold.base_depth + fold.depth);
    return true;
}

/* The child of the current node for a callee; NULL: it was not called recently. */
static toll_node *find_recent(toll_recorder *r, toll_frame_id frame)
{
    toll_node *caller = r->track->place.node, *callee = toll_fast_callee(caller, frame);
    return callee ? callee : toll_tree_find_recent(&r->profile->tree, caller, frame);
}

static bool call_other(toll_recorder *r, toll_frame_id frame, uint64_t ticks, uint32_t counters)
{
    toll_node *callee = find_recent(r, frame);
    if (!callee || !toll_fast_enter(r, callee, &ticks, counters))
        return false;
    opened *o = &fold.stack[fold.count++];
    *o = (opened){ .frame = frame,
                   .depth = fold.depth,
                   .is_deeper = true,
                   .place = fold.place[frame],
                   .node = fold.node_at[fold.depth + 1] };
    fold.node_at[++fold.depth] = callee;
    fold.place[frame] = fold.depth;
    return true;
}

static bool return_from(toll_recorder *r, toll_frame_id frame, uint64_t ticks, uint32_t counters)
{
    if (fold.stack[fold.count - 1].frame != frame || !toll_fast_charge(r, &ticks, counters))
        return false;
    leave();
    toll_track_stand_at(r->track, fold.node_at[fold.depth], fold.base_depth + fold.depth);
    return true;
}

bool host_fold_fast(toll_recorder *r, bool leaves, toll_frame_id frame, uint64_t ticks,
                    uint32_t counters)
{
    if (!fold.count || fold.lost)
        return false;
    if (leaves)
        return return_from(r, frame, ticks, counters);
    if (!is_reserved(frame) || fold.base_depth + fold.depth >= r->max_depth)
        return false;
    return is_open(frame) ? call_open(r, frame, ticks, counters)
                          : call_other(r, frame, ticks, counters);
}

bool host_fold_leaf(toll_recorder *r, toll_frame_id frame, uint64_t then, uint64_t ticks,
                    uint32_t counters)
{
    if (!fold.count || fold.lost || !is_reserved(frame) ||
        fold.base_depth + fold.depth >= r->max_depth || toll_is_backward(ticks - then))
        return false;
    bool opens = !is_open(frame);
    toll_node *callee = opens ? find_recent(r, frame) : fold.node_at[fold.place[frame]];
    if (!callee || (!opens && host_resumes_callees(r->track->place.node)) ||
        !toll_fast_charge(r, &then, counters))
        return false;
    callee->values[0]++;
    if (counters)
        toll_charge_counter(&r->counters[0], callee, 0, ticks);
    return true;
}

/* --- phases and failures -----------------------------------------------------------------------*/

static bool is_phase(toll_frame_id frame)
{
    return toll_profile_frame(host_recorder()->profile, frame).kind == TOLL_KIND_PHASE;
}

bool host_fold_end_phase(const uint64_t *now)
{
    size_t left = fold.count;
    toll_recorder_charge(host_recorder(), now);
    while (left > 0 && !is_phase(fold.stack[left - 1].frame))
        left--;
    while (host_fold_is_open() && (fold.lost || fold.count >= left))
        leave();
    if (fold.node_capacity)
        stand();
    return left > 0;
}

static uint64_t open_depth(void)
{
    return fold.base_depth + fold.count + fold.lost;
}

uint32_t host_depth(void)
{
    const toll_track *t = host_recorder()->track;
    return (uint32_t)(host_fold_is_open() ? open_depth()
                                          : t->place.depth - t->sections.standing + t->folded);
}

void host_fold_unwind(uint64_t depth)
{
    bool any = host_fold_is_open();
    while (host_fold_is_open() && open_depth() > depth)
        leave();
    if (any && fold.node_capacity)
        stand();
}

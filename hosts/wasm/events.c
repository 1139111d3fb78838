/* events.c - see events.h. */
#include "events.h"

#include "callees.h"
#include "delivery.h"
#include "fold_recursion.h"
#include "frame_limit.h"
#include "heap_events.h"
#include "modules.h"
#include "resumptions.h"

#include <toll/embedder.h>

static void enter(toll_recorder *r, toll_frame_id frame, uint64_t ticks)
{
    const uint64_t *now = host_counters(ticks);
    if (host_folds())
        host_fold_event(false, frame, now);
    else if (host_is_resuming())
        toll_recorder_adopt(r, &frame, 1, now);
    else
        toll_recorder_call(r, frame, now);
}

/* Enter a function that its caller resumes. Remove it from the caller's cache of recent children,
 * so that the fast path, which would count a call, never finds it. */
static void resume(toll_recorder *r, toll_frame_id frame, uint64_t ticks)
{
    toll_node *caller = r->track->place.node;
    host_set_resuming(true);
    enter(r, frame, ticks);
    host_set_resuming(false);
    toll_tree_forget_recent(&r->profile->tree, caller, frame);
}

static void enter_function(toll_recorder *r, uint32_t place, uint32_t function, uint64_t ticks)
{
    toll_frame_id entry = host_frame_entry(host_current_frames(), function);
    host_rewinder kind = host_rewinder_of(entry);
    if (kind == HOST_STOPS_REWIND)
        host_set_resuming(false);
    toll_frame_id plain = host_frame_of_entry(entry),
                  frame = place ? host_callee_frame(place, function, plain) : plain;
    host_check_frame_limit(r, frame);
    if (!host_is_resuming() && host_resumes_callees(r->track->place.node)) {
        resume(r, frame, ticks);
        return;
    }
    enter(r, frame, ticks);
    if (kind == HOST_STARTS_REWIND)
        host_set_resuming(true);
}

/* Does the current node show which function is innermost? Not while sections or folded frames are
 * open. */
static bool is_plain(const toll_track *t)
{
    return !t->folded && !t->sections.standing;
}

/* The depth of a function's innermost open frame; 0: the function is not open. */
static uint64_t find_open(const host_callees *c, const toll_track *t, toll_frame_id frame)
{
    const toll_node *node = t->place.node;
    uint64_t depth = t->place.depth;
    for (; depth > 0 && host_callee_function(host_callee_of(c, node->frame)) != frame; depth--)
        node = node->parent;
    return depth;
}

/* Leave the functions deeper than `depth`. */
static void unwind(toll_recorder *r, uint64_t depth, const uint64_t *now)
{
    host_callees *c = host_callees_so_far();
    const toll_track *t = r->track;
    const toll_node *node = t->place.node;
    uint32_t last_place = is_plain(t) ? c->last_place : 0;
    for (uint64_t d = t->place.depth; c->count && is_plain(t) && d > depth; d--) {
        last_place = host_callee_place(host_callee_of(c, node->frame));
        node = node->parent;
    }
    toll_recorder_unwind(r, depth, now);
    c->last_place = last_place;
}

/* Leave a function that returns and is not the innermost one. Either the deeper ones have ended
 * without an event (JavaScript has thrown an exception through them, and caught it), or the engine
 * has switched stacks. */
static void leave_outer(toll_recorder *r, toll_frame_id frame, const uint64_t *now)
{
    uint64_t depth = find_open(host_callees_so_far(), r->track, frame),
             still_open = depth > 0 ? depth - 1 : 0;
    if (depth > 0)
        unwind(r, still_open, now);
    host_unwind_allocator(still_open);
    host_note_unmatched(depth > 0);
}

static void leave_function(toll_recorder *r, toll_frame_id frame, uint64_t ticks)
{
    const uint64_t *now = host_counters(ticks);
    host_callees *c = host_callees_so_far();
    const toll_track *t = r->track;
    if (host_folds()) {
        host_fold_event(true, frame, now);
        return;
    }
    uint64_t callee = host_callee_of(c, t->place.node->frame);
    if (t->place.depth > 0 && is_plain(t) && host_callee_function(callee) != frame) {
        leave_outer(r, frame, now);
        return;
    }
    c->last_place = host_callee_place(callee);
    toll_recorder_return(r, now);
}

void host_deliver_one(bool leaves, uint32_t place, uint32_t function, uint64_t ticks)
{
    toll_recorder *r = host_recorder();
    if (leaves) {
        toll_frame_id entry = host_frame_entry(host_current_frames(), function);
        leave_function(r, host_frame_of_entry(entry), ticks);
        return;
    }
    host_callees *c = host_callees_so_far();
    uint32_t before = host_place_before(host_current_module());
    enter_function(r, place ? before + place : c->last_place, function, ticks);
    c->last_place = 0;
}

static bool is_function(const toll_recorder *r, const toll_node *node)
{
    toll_frame_kind kind = toll_profile_frame(r->profile, node->frame).kind;
    return kind != TOLL_KIND_PHASE && kind != TOLL_KIND_SECTION;
}

bool host_function_is_open(void)
{
    const toll_recorder *r = host_recorder();
    if (host_fold_is_open() || r->track->folded)
        return true;
    for (const toll_node *node = r->track->place.node; node->parent; node = node->parent)
        if (is_function(r, node))
            return true;
    return false;
}

void host_leave_deeper(uint32_t to, uint64_t ticks)
{
    toll_recorder *r = host_recorder();
    host_unwind_allocator(to);
    host_set_resuming(false); /* the functions that were being resumed are left too */
    if (host_fold_is_open()) {
        toll_recorder_charge(r, host_counters(ticks));
        host_fold_unwind(to);
    }
    if (!host_fold_is_open())
        unwind(r, to, host_counters(ticks));
}

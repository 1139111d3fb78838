/* events.c - what happens while the guest runs. See wasm_host.h. */
#include "wasm_host.h"

#include "record/fast_path.h"
#include "record/timeline_event.h"

#include <stdlib.h>

const uint64_t *host_counters(uint64_t ticks)
{
    if (host.has_ticks)
        host.now[0] = ticks;
    if (host.has_time) {
        host.now[host.has_ticks] = (uint64_t)(host_clock() - host.clock_began);
        host.clock_readings++;
        host.has_time = !host.looks_began;
    }
    if (host.streams)
        host_stream();
    return host.now;
}

/* --- one event ---------------------------------------------------------------------------------*/

static bool is_fast(void)
{
    return host.fast.node != &host_nowhere;
}

/* After an event that the recorder has handled: open the fast path, if ticks are the only counter
 * or there is none, and every open frame has a node, and is open in the timeline. */
static void open_fast_path(void)
{
    const toll_recorder *r = host.recorder;
    const toll_track *t = r->track;
    if (host.has_time || !toll_recorder_is_fast(r, host.has_ticks + (uint32_t)host.looks) ||
        t->folded || host.resumes || host.folds || (r->timeline && t->events == &r->no_events))
        return;
    host.fast = (host_fast){ t->place.node,
                             t->place.depth,
                             r->counters[0].last,
                             r->timeline ? t->events : NULL,
                             toll_recorder_elapsed(r, 0) - r->counters[0].last,
                             host.streams ? host.look_at : UINT64_MAX };
}

toll_recorder *host_recorder(void)
{
    toll_recorder *r = host.recorder;
    if (!r)
        __builtin_trap(); /* begin was not called */
    if (is_fast()) {
        toll_track_stand_at(r->track, host.fast.node, host.fast.depth);
        r->counters[0].last = host.fast.last;
        host.fast.node = &host_nowhere;
    }
    return r;
}

static inline void charge_ticks(toll_node *node, uint64_t ticks)
{
    if (host.has_ticks) /* else the node has no column for them */
        toll_charge(node, 0, ticks);
}

/* How the timeline opens the frame of a node. */
static inline toll_code_word open_word(const toll_node *node)
{
    return host.recorder->timeline_codes[node->frame].word;
}

/* Where the ticks are on the timeline's axis. */
static inline uint64_t on_axis(uint64_t ticks)
{
    return ticks + host.fast.origin;
}

/* Put an event into the timeline, if there is one. False: the recorder must handle it. */
static inline bool put_one(toll_code_word word, uint64_t ticks)
{
    toll_timeline_thread *events = host.fast.events;
    return ticks < host.fast.until && toll_fast_event(events, word, on_axis(ticks));
}

/* The node of a call's callee; NULL: the recorder must handle the event. */
static toll_node *find_callee(toll_frame_id frame)
{
    toll_node *caller = host.fast.node;
    if (host.fast.depth >= host.recorder->track->limit)
        return NULL;
    toll_node *callee = toll_fast_callee(caller, frame);
    return callee ? callee : toll_recorder_find_callee(host.recorder, caller, frame);
}

void host_enter_one(toll_frame_id frame, uint64_t ticks)
{
    if (!host.has_ticks)
        ticks = host.fast.last;
    uint64_t spent = ticks - host.fast.last;
    toll_node *callee = is_fast() && !toll_is_backward(spent) ? find_callee(frame) : NULL;
    if (!callee || (host.fast.events && !put_one(open_word(callee), ticks))) {
        if (host.folds)
            host_fold_event(false, frame, host_counters(ticks));
        else if (host.resumes)
            toll_recorder_adopt(host_recorder(), &frame, 1, host_counters(ticks));
        else
            toll_recorder_call(host_recorder(), frame, host_counters(ticks));
        open_fast_path();
        return;
    }
    if (host.fast.events)
        host.fast.events->opened++;
    charge_ticks(host.fast.node, spent);
    host.fast.last = ticks;
    callee->values[0]++;
    host.fast.node = callee;
    host.fast.depth++;
}

/* The function of a node's frame, also where that is a callee; and the place that called it. */
static toll_frame_id function_of(const toll_node *node)
{
    return (toll_frame_id)host_callee_of(node->frame);
}

static uint32_t place_of(const toll_node *node)
{
    return (uint32_t)(host_callee_of(node->frame) >> 32);
}

/* The depth of the innermost frame of a function; 0: it has none open. */
static uint64_t find_open(toll_frame_id frame)
{
    const toll_track *t = host.recorder->track;
    const toll_node *node = t->place.node;
    uint64_t depth = t->place.depth;
    for (; depth > 0 && function_of(node) != frame; depth--)
        node = node->parent;
    return depth;
}

/* The functions deeper than `depth` are left: the innermost one is at the place that called the
 * last of them. With sections or folded frames open that is not known. */
static void unwind(uint64_t depth, const uint64_t *now)
{
    const toll_track *t = host.recorder->track;
    const toll_node *node = t->place.node;
    bool is_plain = !t->folded && !t->sections.standing;
    uint32_t at = host.at;
    for (uint64_t d = t->place.depth; host.callees.count && is_plain && d > depth; d--) {
        at = place_of(node);
        node = node->parent;
    }
    toll_recorder_unwind(host.recorder, depth, now);
    host.at = is_plain ? at : 0;
}

/* A function returns that is not the innermost one: either the deeper ones were left without an
 * event (JavaScript threw through them, and caught it), or the engine has switched stacks. */
static void leave_below(toll_frame_id frame, const uint64_t *now)
{
    uint64_t depth = find_open(frame);
    if (depth)
        unwind(depth - 1, now);
    if (host.allocating >= depth)
        host.allocating = 0;
    host_note_unseen(depth > 0);
}

static void leave_by_recorder(toll_frame_id frame, uint64_t ticks)
{
    if (host.folds) {
        host_fold_event(true, frame, host_counters(ticks));
        return;
    }
    const uint64_t *now = host_counters(ticks);
    const toll_track *t = host_recorder()->track;
    const toll_node *left = t->place.node;
    if (t->place.depth == 0 || t->folded || t->sections.standing || function_of(left) == frame) {
        host.at = place_of(left);
        toll_recorder_return(host.recorder, now);
    } else {
        leave_below(frame, now);
    }
    open_fast_path();
}

void host_leave_one(toll_frame_id frame, uint64_t ticks)
{
    if (!host.has_ticks)
        ticks = host.fast.last;
    uint64_t spent = ticks - host.fast.last;
    if (!is_fast() || function_of(host.fast.node) != frame || toll_is_backward(spent) ||
        (host.fast.events && !put_one(TOLL_CLOSE_WORD, ticks))) {
        leave_by_recorder(frame, ticks);
        return;
    }
    if (host.fast.events)
        host.fast.events->closed++;
    host.at = place_of(host.fast.node);
    charge_ticks(host.fast.node, spent);
    host.fast.last = ticks;
    host.fast.node = host.fast.node->parent;
    host.fast.depth--;
}

/* The frame of function `number` - 1. */
static toll_frame_id frame_of(uint32_t number)
{
    return number < host.frame_capacity ? host_watched_frame(host.frames[number]) : HOST_NO_FRAME;
}

static toll_node *current_node(void)
{
    return is_fast() ? host.fast.node : host.recorder->track->place.node;
}

/* A function begins that its caller resumes. The tree forgets it as what the caller has called
 * recently, so that the fast path, which would count a call, never finds it. */
static void resume_function(toll_node *caller, toll_frame_id frame, uint64_t ticks)
{
    host_recorder();
    host.resumes = true;
    host_enter_one(frame, ticks);
    host.resumes = false;
    toll_tree_forget_recent(&host.recorder->profile->tree, caller, frame);
    open_fast_path();
}

/* A function begins. If it is watched, what comes after its own event is resumed, or no longer. */
static void enter_function(uint32_t function, uint64_t ticks)
{
    uint32_t number = function + 1;
    host_watched_kind kind =
        number < host.frame_capacity ? host_watched_kind_of(host.frames[number]) : HOST_NOT_WATCHED;
    if (kind == HOST_STOPS_REWIND)
        host.resumes = false;
    toll_frame_id frame = host.at ? host_callee_frame(host.at, function) : frame_of(number);
    if (host.watches && !host.resumes && host_resumes_callees(current_node())) {
        resume_function(current_node(), frame, ticks);
        return;
    }
    host_enter_one(frame, ticks);
    if (kind != HOST_STARTS_REWIND)
        return;
    host_recorder(); /* closes the fast path, which would count calls */
    host.resumes = true;
}

void host_handle_one(bool leaves, uint32_t place, uint32_t function, uint64_t ticks)
{
    if (leaves) {
        host_leave_one(frame_of(function + 1), ticks);
        return;
    }
    if (place && host.module)
        host.at = host.module->first_place + place;
    enter_function(function, ticks);
    host.at = 0;
}

enum { CLOSED, OPEN }; /* values of the guest's toll:pending that are no event: see toll/wasm.h */

/* An event is handled next: the pending one, or with HOST_SETTLED the one behind it. */
static void handle_next(host_settling settling)
{
    host.settled_from = host_depth();
    host.settling = settling;
}

/* Handle the pending event, if there is one; returns the new value of toll:pending. */
static uint64_t settle(uint64_t event, uint64_t ticks)
{
    uint32_t number = (uint32_t)event;
    handle_next(HOST_SETTLING);
    if (number > OPEN)
        host_handle_one(number & 1, (uint32_t)(event >> 32), (number >> 1) - 1, ticks);
    handle_next(HOST_SETTLED);
    return host.settles;
}

uint64_t host_settle_placed(uint64_t event, uint64_t ticks)
{
    uint64_t next = settle(event, ticks);
    host.settling = HOST_NOT_SETTLING;
    return next;
}

uint32_t host_settle(uint32_t event, uint64_t ticks)
{
    return (uint32_t)host_settle_placed(event, ticks);
}

void host_set_settles(int settles)
{
    host.settles = settles && !host.has_time && !host.looks;
}

/* --- two events --------------------------------------------------------------------------------*/

/* Fast path for the pending event and the one that follows it: a call of a function that the
 * caller has called recently, or a return from the innermost frame. Either both are handled, or
 * nothing changes. The depth needs no check: nodes at the limit have no children, and roots, phases
 * and sections have frames that no function has. */

typedef struct host_event {
    bool leaves;    /* else it is a call */
    uint32_t place; /* of the call, over all modules; 0: not known */
    toll_frame_id function;
    uint64_t spent; /* ticks, since the event before it */
} host_event;

typedef struct host_position {
    toll_place in_tree;
    uint32_t at; /* see host.at; 0 without call_lines */
} host_position;

#define ALWAYS_INLINE inline __attribute__((always_inline)) /* `placed` is then a constant */

static inline toll_node *find_recent(toll_node *caller, toll_frame_id frame)
{
    return toll_tree_find_recent(&host.recorder->profile->tree, caller, frame);
}

/* The caller's child for a callee, if both have been found recently; else NULL. */
static inline toll_node *find_placed(toll_node *caller, uint64_t callee)
{
    const host_callees *c = &host.callees;
    uint64_t place = callee >> 32;
    toll_frame_id frame = place && place <= c->place_count ? c->recent[place] : TOLL_NONE;
    return frame < c->count && c->of[frame] == callee ? find_recent(caller, frame) : NULL;
}

/* The position after the event. False: it is not on the fast path; the position is unchanged. With
 * `placed` frames are callees, else functions. */
static ALWAYS_INLINE bool move(host_position *p, host_event e, bool placed)
{
    toll_node *node = p->in_tree.node;
    if (e.leaves) {
        uint64_t callee = placed ? host_callee_of(node->frame) : node->frame;
        if ((toll_frame_id)callee != e.function)
            return false;
        p->at = (uint32_t)(callee >> 32);
        toll_place_leave(&p->in_tree);
        return true;
    }
    toll_node *callee = node->last_child;
    uint64_t wanted = (uint64_t)(e.place ? e.place : p->at) << 32 | e.function;
    if (!callee || (placed ? host_callee_of(callee->frame) : callee->frame) != wanted)
        callee = placed ? find_placed(node, wanted) : find_recent(node, e.function);
    if (!callee)
        return false;
    p->at = 0;
    toll_place_enter(&p->in_tree, callee);
    return true;
}

/* Put two events into the timeline: `first`, which calls a function whose node is `between` or
 * leaves one, and `second`, the same with `after`. False: nothing has changed. */
static inline bool put_two(host_event first, const toll_node *between, host_event second,
                           const toll_node *after)
{
    toll_timeline_thread *events = host.fast.events;
    toll_code_word a = first.leaves ? TOLL_CLOSE_WORD : open_word(between),
                   b = second.leaves ? TOLL_CLOSE_WORD : open_word(after);
    uint64_t ticks = host.fast.last + first.spent, step = on_axis(ticks) - events->last_at;
    if (events->next >= events->limit || (step | second.spent) >= TOLL_SHORT_STEP || !a || !b ||
        ticks + second.spent >= host.fast.until)
        return false;
    events->last_at += step + second.spent;
    events->closed += (uint64_t)first.leaves + second.leaves;
    events->opened += (uint64_t)!first.leaves + !second.leaves;
    toll_publish_word(events, toll_word_add(toll_begin_word(a), step));
    toll_publish_word(events, toll_word_add(toll_begin_word(b), second.spent));
    return true;
}

static ALWAYS_INLINE bool handle_two(host_event first, host_event second, bool placed)
{
    toll_node *before = host.fast.node;
    host_position p = { { before, host.fast.depth, before->parent }, placed ? host.at : 0 };
    if (!move(&p, first, placed))
        return false;
    toll_node *between = p.in_tree.node;
    if (!move(&p, second, placed) ||
        (host.fast.events && !put_two(first, between, second, p.in_tree.node)))
        return false;
    charge_ticks(before, first.spent);
    if (!first.leaves)
        between->values[0]++;
    charge_ticks(between, second.spent);
    if (!second.leaves)
        p.in_tree.node->values[0]++;
    host.fast.node = p.in_tree.node;
    if (first.leaves == second.leaves)
        host.fast.depth = p.in_tree.depth;
    if (placed)
        host.at = p.at;
    return true;
}

static __attribute__((noinline)) uint64_t one_by_one(uint64_t event, uint64_t then, bool leaves,
                                                     uint64_t function, uint64_t ticks)
{
    settle(event, then);
    host_handle_one(leaves, (uint32_t)(function >> 32), (uint32_t)function, ticks);
    host.settling = HOST_NOT_SETTLING;
    return host.settles;
}

static ALWAYS_INLINE uint32_t place_in(uint64_t event, bool placed)
{
    uint32_t place = placed ? (uint32_t)(event >> 32) : 0;
    return place ? host.module->first_place + place : 0;
}

static ALWAYS_INLINE uint64_t take_event(uint64_t event, uint64_t then, bool leaves,
                                         uint64_t function, uint64_t ticks, bool placed)
{
    uint32_t number = (uint32_t)event >> 1, next = (uint32_t)function;
    uint64_t first = then - host.fast.last, second = ticks - then;
    if ((number | next) < host.frame_capacity && !toll_is_backward(first | second)) {
        toll_frame_id f = host.frames[number], g = host.frames[next + 1];
        host_event e = { leaves, place_in(function, placed), g, second };
        uint32_t place = place_in(event, placed);
        if (event & 1 ? handle_two((host_event){ true, 0, f, first }, e, placed)
                      : handle_two((host_event){ false, place, f, first }, e, placed)) {
            host.fast.last = ticks;
            return OPEN;
        }
    }
    return one_by_one(event, then, leaves, function, ticks);
}

uint32_t host_enter(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    return (uint32_t)take_event(pending, then, false, function, ticks, false);
}

uint32_t host_leave(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    return (uint32_t)take_event(pending, then, true, function, ticks, false);
}

/* The same for modules with call_lines. */
uint64_t host_enter_placed(uint64_t pending, uint64_t then, uint64_t function, uint64_t ticks)
{
    return take_event(pending, then, false, function, ticks, true);
}

uint64_t host_leave_placed(uint64_t pending, uint64_t then, uint64_t function, uint64_t ticks)
{
    return take_event(pending, then, true, function, ticks, true);
}

uint32_t host_depth(void)
{
    const toll_track *t = host.recorder->track;
    if (host_fold_is_open())
        return (uint32_t)host_fold_depth();
    uint64_t placed = is_fast() ? host.fast.depth : t->place.depth;
    return (uint32_t)(placed - t->sections.standing + t->folded);
}

void host_unwind(uint32_t to, uint64_t ticks)
{
    if (host.allocating > to) /* an exception has left the allocator */
        host.allocating = 0;
    host.resumes = false; /* whatever was being resumed is left */
    host_recorder();
    if (host_fold_is_open()) {
        toll_recorder_charge(host.recorder, host_counters(ticks));
        host_fold_unwind(to);
    }
    if (!host_fold_is_open())
        unwind(to, host_counters(ticks));
}

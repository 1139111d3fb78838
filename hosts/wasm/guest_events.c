/* guest_events.c - see guest_events.h. */
#include "guest_events.h"

#include "callees.h"
#include "clocked_time.h"
#include "delivery.h"
#include "events.h"
#include "fold_recursion.h"
#include "frame_limit.h"
#include "modules.h"
#include "record/fast_path.h"
#include "record/timeline_event.h"
#include "resumptions.h"
#include "timeline_stream.h"

#include <toll/embedder.h>

/* --- the fast path -----------------------------------------------------------------------------*/

/* Copies for the fast path, at fixed addresses, of what it needs beside host_fast (delivery.h). The
 * recorder, the module and the callees own the originals. */
static struct {
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
} path;

/* May events take the fast path, until one takes the general path? */
static bool is_fast(const toll_recorder *r)
{
    const toll_track *t = r->track;
    host_delivery state = host_delivery_state();
    return state == HOST_PAIRED && toll_recorder_is_running(r) && !t->folded &&
           !t->sections.enter_late && !host_is_resuming() &&
           !(r->timeline && t->events == &r->no_events);
}

/* Open the fast path if it may be open. To be called after each event on the general path. */
static void open_fast_path(void)
{
    toll_recorder *r = host_recorder();
    uint32_t capacity = is_fast(r) ? host_current_frames()->capacity : 0;
    path.folded_capacity = host_folds() ? capacity : 0;
    path.events = NULL;
    if (r->timeline) {
        path.events = r->track->events;
        path.origin = toll_recorder_elapsed(r, 0) - r->counters[0].last;
        path.until = host_stream_due();
    }
    path.sections = r->track->sections.standing;
    if (!host_folds())
        host_open_fast_path(capacity);
}

void host_use_current_module(void)
{
    path.recorder = host_recorder(); /* closes the fast path of pairs */
    path.folded_capacity = 0;
    path.counters = host_has_ticks();
    path.frames = host_current_frames()->of;
    path.callees = host_callees_so_far();
    path.first_place = host_place_before(host_current_module());
}

/* --- the general path --------------------------------------------------------------------------*/

enum { CLOSED, OPEN }; /* values of the guest's toll:pending that are not events: see toll/wasm.h */

static host_interruption current; /* the event that is being delivered */

static host_innermost innermost(void)
{
    const host_fast *fast = host_fast_path();
    if (fast->capacity)
        return (host_innermost){ fast->node, fast->depth, fast->depth - path.sections,
                                 fast->ticks };
    const toll_place *place = &host_recorder()->track->place;
    return (host_innermost){ place->node, place->depth, host_depth(), host_ticks_so_far() };
}

static void begin_step(host_step step)
{
    current.depth = (uint32_t)innermost().depth;
    current.step = step;
}

/* End a report. Returns the new value of the guest's toll:pending: OPEN lets it keep the next
 * event. */
static uint64_t end_steps(void)
{
    bool may_wait = host_delivery_state() == HOST_PAIRED && !host_is_at_frame_limit() &&
                    (!host_time_is_clocked() || host_clock_lets_wait(innermost().depth));
    current.step = HOST_IDLE;
    if (!host_fast_path()->capacity)
        open_fast_path();
    return may_wait ? OPEN : CLOSED;
}

/* While a call is repeated: what was before. Its node is NULL otherwise. */
typedef struct host_repeated {
    toll_node *node;
    int64_t calls;
    uint32_t last_place;
} host_repeated;

static host_repeated repeated;

static void end_repeating(void)
{
    if (!repeated.node)
        return;
    repeated.node->values[0] = repeated.calls;
    path.callees->last_place = repeated.last_place;
    repeated.node = NULL;
}

host_interruption host_interrupt_events(void)
{
    end_repeating();
    host_interruption was = current;
    current.step = HOST_IDLE;
    return was;
}

/* --- two events --------------------------------------------------------------------------------*/

/* The fast path takes two events at once, the pending one and the next one. Each must be a call of
 * a function that the caller has called recently, or a return from the innermost frame. Either both
 * are delivered, or nothing changes: deliver_two first computes the new position, and stores it
 * only when both events fit.
 *
 * The depth needs no check. A node at the depth limit has no children, so no call is found there.
 * Roots, phases and sections have frames that no function has, so no return fits them. */

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

#define ALWAYS_INLINE inline __attribute__((always_inline)) /* `placed` is then a constant */

static inline toll_node *find_recent(toll_node *caller, toll_frame_id frame)
{
    return toll_tree_find_recent(&path.recorder->profile->tree, caller, frame);
}

/* The caller's child for a callee. NULL: the place has last called another one, or the child is not
 * in the caller's cache. */
static inline toll_node *find_placed(toll_node *caller, uint64_t callee)
{
    const host_callees *c = path.callees;
    uint32_t place = host_callee_place(callee);
    toll_frame_id frame = place && place <= c->place_count ? c->recent[place] : TOLL_NONE;
    return frame < c->count && c->of[frame] == callee ? find_recent(caller, frame) : NULL;
}

static inline uint64_t callee_of(const toll_node *node, bool placed)
{
    return placed ? host_callee_of(path.callees, node->frame) : node->frame;
}

/* Move *p by one event. False: the event is not for the fast path, and *p is unchanged. With
 * `placed` frames are callees, else functions. */
static ALWAYS_INLINE bool move(host_position *p, host_event e, bool placed)
{
    toll_node *node = p->in_tree.node;
    if (e.leaves) {
        uint64_t left = callee_of(node, placed);
        if (host_callee_function(left) != e.frame)
            return false;
        p->last_place = host_callee_place(left);
        toll_place_leave(&p->in_tree);
        return true;
    }
    toll_node *callee = node->last_child;
    uint64_t wanted = (uint64_t)(e.place ? e.place : p->last_place) << 32 | e.frame;
    if (!callee || callee_of(callee, placed) != wanted)
        callee = placed ? find_placed(node, wanted) : find_recent(node, e.frame);
    if (!callee)
        return false;
    p->last_place = 0;
    toll_place_enter(&p->in_tree, callee);
    return true;
}

/* The timeline's code that opens the frame of a node. 0: it has no short code. */
static inline toll_code_word open_word(const toll_node *node)
{
    return path.recorder->timeline_codes[node->frame].word;
}

/* Append two events to the timeline. `between` is the current node after the first event, `after`
 * that after the second. False: nothing has changed. */
static inline bool put_two(host_event first, const toll_node *between, host_event second,
                           const toll_node *after)
{
    toll_timeline_thread *events = path.events;
    toll_code_word a = first.leaves ? TOLL_CLOSE_WORD : open_word(between),
                   b = second.leaves ? TOLL_CLOSE_WORD : open_word(after);
    uint64_t ticks = host_fast_path()->ticks + first.spent,
             step = ticks + path.origin - events->last_at;
    if (events->next >= events->limit || (step | second.spent) >= TOLL_SHORT_STEP || !a || !b ||
        ticks + second.spent >= path.until)
        return false;
    events->last_at += step + second.spent;
    events->closed += (uint64_t)first.leaves + second.leaves;
    events->opened += (uint64_t)!first.leaves + !second.leaves;
    toll_publish_word(events, toll_word_add(toll_begin_word(a), step));
    toll_publish_word(events, toll_word_add(toll_begin_word(b), second.spent));
    return true;
}

static inline void charge(toll_node *node, uint64_t ticks)
{
    if (path.counters) /* else the node has no column for them */
        toll_charge(node, 0, ticks);
}

static ALWAYS_INLINE bool deliver_two(host_event first, host_event second, bool placed)
{
    host_fast *fast = host_fast_path();
    toll_node *before = fast->node;
    host_position p = { { before, fast->depth, before->parent },
                        placed ? path.callees->last_place : 0 };
    if (!move(&p, first, placed))
        return false;
    toll_node *between = p.in_tree.node;
    if (!move(&p, second, placed) ||
        (path.events && !put_two(first, between, second, p.in_tree.node)))
        return false;
    charge(before, first.spent);
    if (!first.leaves)
        between->values[0]++;
    charge(between, second.spent);
    if (!second.leaves)
        p.in_tree.node->values[0]++;
    fast->node = p.in_tree.node;
    if (first.leaves == second.leaves)
        fast->depth = p.in_tree.depth;
    if (placed)
        path.callees->last_place = p.last_place;
    return true;
}

static ALWAYS_INLINE uint32_t place_in(uint64_t event, bool placed)
{
    uint32_t place = placed ? (uint32_t)(event >> 32) : 0;
    return place ? path.first_place + place : 0;
}

/* --- one event ---------------------------------------------------------------------------------*/

/* One event, as deliver_two() has two. There is no timeline. */
static ALWAYS_INLINE bool deliver_next(host_event e, bool placed)
{
    host_fast *fast = host_fast_path();
    toll_node *before = fast->node;
    host_position p = { { before, fast->depth, before->parent },
                        placed ? path.callees->last_place : 0 };
    if (!move(&p, e, placed))
        return false;
    charge(before, e.spent);
    if (!e.leaves)
        p.in_tree.node->values[0]++;
    fast->node = p.in_tree.node;
    fast->depth = p.in_tree.depth;
    if (placed)
        path.callees->last_place = p.last_place;
    return true;
}

/* With time by windows: the clock first, then the event, by the fast path if it fits. */
static bool deliver_clocked_one(bool leaves, uint64_t function, uint64_t ticks, bool waited,
                                bool placed)
{
    host_fast *fast = host_fast_path();
    const uint32_t number = (uint32_t)function;
    const host_innermost in = innermost();
    host_clock_event(&in, leaves, number, ticks, waited);
    if (number >= fast->capacity || toll_is_backward(ticks - fast->ticks))
        return false;
    const host_event e = { leaves, place_in(function, placed), path.frames[number + 1],
                           ticks - fast->ticks };
    if (!deliver_next(e, placed))
        return false;
    fast->ticks = ticks;
    return true;
}

/* `waited`: the event was pending. */
static void deliver_one(bool leaves, uint64_t function, uint64_t ticks, bool waited, bool placed)
{
    if (!host_time_is_clocked() || !deliver_clocked_one(leaves, function, ticks, waited, placed))
        host_deliver_one(leaves, (uint32_t)(function >> 32), (uint32_t)function, ticks);
}

static void deliver_pending(uint64_t event, uint64_t ticks, bool placed)
{
    uint32_t number = (uint32_t)event;
    if (number > OPEN) {
        begin_step(HOST_FIRST);
        deliver_one(number & 1, (event >> 32 << 32) + (number >> 1) - 1, ticks, true, placed);
    }
    begin_step(HOST_SECOND);
}

static uint64_t settle(uint64_t event, uint64_t ticks, bool placed)
{
    if ((uint32_t)event >= (uint32_t)TOLL_LONG_BEGINS)
        host_clock_long((uint32_t)event == (uint32_t)TOLL_LONG_ENDS, ticks);
    else
        deliver_pending(event, ticks, placed);
    return end_steps();
}

uint64_t host_settle_placed(uint64_t event, uint64_t ticks)
{
    return settle(event, ticks, true);
}

uint32_t host_settle(uint32_t event, uint64_t ticks)
{
    return (uint32_t)settle(event, ticks, false);
}

static __attribute__((noinline)) uint64_t one_by_one(uint64_t event, uint64_t then, bool leaves,
                                                     uint64_t function, uint64_t ticks, bool placed)
{
    deliver_pending(event, then, placed);
    deliver_one(leaves, function, ticks, false, placed);
    return end_steps();
}

/* --- recursion is folded -----------------------------------------------------------------------*/

/* Fold an event of a function by its number + 1, if the general path is not needed. */
static inline bool fold_fast(bool leaves, uint32_t number, uint64_t ticks)
{
    return number < path.folded_capacity &&
           host_fold_fast(path.recorder, leaves, path.frames[number], ticks, path.counters);
}

/* Deliver two events that fold recursion, one after the other. The nodes of open functions do not
 * show how many are open, which a frame limit must know. */
static uint64_t fold_two(uint64_t event, uint64_t then, bool leaves, uint64_t function,
                         uint64_t ticks)
{
    uint32_t next = (uint32_t)function + 1;
    if (host_has_frame_limit())
        return one_by_one(event, then, leaves, function, ticks, false);
    if (leaves && event == (uint64_t)next << 1 && next < path.folded_capacity &&
        host_fold_leaf(path.recorder, path.frames[next], then, ticks, path.counters))
        return OPEN;
    begin_step(HOST_FIRST);
    if (!fold_fast(event & 1, (uint32_t)event >> 1, then))
        return one_by_one(event, then, leaves, function, ticks, false);
    begin_step(HOST_SECOND);
    if (!fold_fast(leaves, next, ticks)) {
        host_deliver_one(leaves, 0, (uint32_t)function, ticks);
        return end_steps();
    }
    current.step = HOST_IDLE;
    return OPEN;
}

/* --- events without time, or with time that the engine samples ---------------------------------*/

static ALWAYS_INLINE uint64_t deliver(uint64_t event, uint64_t then, bool leaves, uint64_t function,
                                      uint64_t ticks, bool placed)
{
    uint32_t number = (uint32_t)event >> 1, next = (uint32_t)function;
    host_fast *fast = host_fast_path();
    if ((number | next) < fast->capacity) {
        uint64_t first = then - fast->ticks, second = ticks - then;
        toll_frame_id f = path.frames[number], g = path.frames[next + 1];
        host_event e = { leaves, place_in(function, placed), g, second };
        uint32_t place = place_in(event, placed);
        if (!toll_is_backward(first | second) &&
            (event & 1 ? deliver_two((host_event){ true, 0, f, first }, e, placed)
                       : deliver_two((host_event){ false, place, f, first }, e, placed))) {
            fast->ticks = ticks;
            return OPEN;
        }
    }
    return path.folded_capacity ? fold_two(event, then, leaves, function, ticks)
                                : one_by_one(event, then, leaves, function, ticks, placed);
}

uint32_t host_enter(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    return (uint32_t)deliver(pending, then, false, function, ticks, false);
}

uint32_t host_leave(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    return (uint32_t)deliver(pending, then, true, function, ticks, false);
}

/* The same for modules with call_lines. */
uint64_t host_enter_placed(uint64_t pending, uint64_t then, uint64_t function, uint64_t ticks)
{
    return deliver(pending, then, false, function, ticks, true);
}

uint64_t host_leave_placed(uint64_t pending, uint64_t then, uint64_t function, uint64_t ticks)
{
    return deliver(pending, then, true, function, ticks, true);
}

/* --- with time by windows ----------------------------------------------------------------------*/

/* The last event, if none is pending. */
static ALWAYS_INLINE bool clocked_single(bool leaves, uint64_t function, uint64_t ticks,
                                         bool placed)
{
    host_fast *fast = host_fast_path();
    const host_event e = { leaves, place_in(function, placed), path.frames[(uint32_t)function + 1],
                           ticks - fast->ticks };
    if (toll_is_backward(e.spent) ||
        host_clock_is_due(leaves, fast->depth - path.sections, host_clock_position(ticks, 0)) ||
        !deliver_next(e, placed))
        return false;
    fast->ticks = ticks;
    host_next_stops()->events++;
    return true;
}

/* A tick that is to be kept is one of those between two events that the fast path has delivered. */
static __attribute__((noinline)) void choose(toll_node *before, uint64_t then, bool left,
                                             uint64_t at)
{
    const host_fast *fast = host_fast_path();
    const host_innermost in = { .node = before, .ticks = fast->ticks };
    host_clock_choose(&in, host_clock_position(then, 0), left ? before->parent : before->last_child,
                      at);
}

/* The pending one and the last one. Where the fast path is open the pending one was allowed to
 * wait, so the clock may be due at the last one by its position, or if both leave. */
static ALWAYS_INLINE bool clocked_pair(uint64_t event, uint64_t then, bool leaves,
                                       uint64_t function, uint64_t ticks, bool placed)
{
    host_fast *fast = host_fast_path();
    const uint64_t first = then - fast->ticks, second = ticks - then,
                   at = host_clock_position(ticks, 1);
    const host_event e = { leaves, place_in(function, placed), path.frames[(uint32_t)function + 1],
                           second };
    const toll_frame_id f = path.frames[(uint32_t)event >> 1];
    const uint32_t place = place_in(event, placed);
    host_clock_stops *stops = host_next_stops();
    toll_node *before = fast->node;
    if (toll_is_backward(first | second) || at >= stops->end ||
        (event & 1 && leaves && fast->depth - path.sections - 1 <= stops->depth + 1) ||
        !(event & 1 ? deliver_two((host_event){ true, 0, f, first }, e, placed)
                    : deliver_two((host_event){ false, place, f, first }, e, placed)))
        return false;
    if (at >= stops->at)
        choose(before, then, event & 1, at);
    fast->ticks = ticks;
    stops->events += 2;
    return true;
}

static ALWAYS_INLINE bool clocked_fast(uint64_t event, uint64_t then, bool leaves,
                                       uint64_t function, uint64_t ticks, bool placed)
{
    return (uint32_t)event > OPEN ? clocked_pair(event, then, leaves, function, ticks, placed)
                                  : clocked_single(leaves, function, ticks, placed);
}

static ALWAYS_INLINE bool repeat_once(toll_frame_id frame, uint32_t place, bool placed)
{
    return deliver_two((host_event){ true, 0, frame, 0 }, (host_event){ false, place, frame, 0 },
                       placed);
}

/* Return from the function that the last event has called, and call it again, by the fast path
 * alone. Nothing of it is recorded. Returns how many times. */
static uint64_t repeat(uint64_t function, bool placed)
{
    enum { ROUNDS = 64 };
    const host_fast *fast = host_fast_path();
    uint64_t done = 0;
    if ((uint32_t)function >= fast->capacity)
        return 0;
    const toll_frame_id frame = path.frames[(uint32_t)function + 1];
    const uint32_t place = place_in(function, placed);
    repeated = (host_repeated){ fast->node, fast->node->values[0], path.callees->last_place };
    while (done < ROUNDS &&
           (placed ? repeat_once(frame, place, true) : repeat_once(frame, 0, false)))
        done++;
    end_repeating();
    return done;
}

static ALWAYS_INLINE uint64_t deliver_clocked(uint64_t event, uint64_t then, bool leaves,
                                              uint64_t function, uint64_t ticks, bool placed)
{
    const host_fast *fast = host_fast_path();
    if (((uint32_t)event >> 1 | (uint32_t)function) < fast->capacity &&
        clocked_fast(event, then, leaves, function, ticks, placed))
        return ((uint32_t)event > OPEN && (event & 1) != leaves) ||
                       host_clock_lets_wait(fast->depth - path.sections)
                   ? OPEN
                   : CLOSED;
    const uint64_t result = one_by_one(event, then, leaves, function, ticks, placed);
    if (!leaves && host_next_stops()->measures && host_clock_begin_measuring())
        host_clock_end_measuring(repeat(function, placed));
    return result;
}

uint32_t host_enter_clocked(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    return (uint32_t)deliver_clocked(pending, then, false, function, ticks, false);
}

uint32_t host_leave_clocked(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    return (uint32_t)deliver_clocked(pending, then, true, function, ticks, false);
}

uint64_t host_enter_placed_clocked(uint64_t pending, uint64_t then, uint64_t function,
                                   uint64_t ticks)
{
    return deliver_clocked(pending, then, false, function, ticks, true);
}

uint64_t host_leave_placed_clocked(uint64_t pending, uint64_t then, uint64_t function,
                                   uint64_t ticks)
{
    return deliver_clocked(pending, then, true, function, ticks, true);
}

/* guest_events.c - see guest_events.h. */
#include "guest_events.h"

#include "clocked_time.h"
#include "delivery.h"
#include "events.h"
#include "fast_events.h"
#include "fold_recursion.h"
#include "frame_limit.h"
#include "memory_gate.h"
#include "modules.h"
#include "resumptions.h"
#include "timeline_stream.h"

#include <toll/embedder.h>

/* --- the fast path -----------------------------------------------------------------------------*/

/* May events take the fast path, until one takes the general path? */
static bool is_fast(const toll_recorder *r)
{
    const toll_track *t = r->track;
    host_delivery state = host_delivery_state();
    return state == HOST_PAIRED && toll_recorder_is_running(r) && !t->folded &&
           !t->sections.enter_late && !host_is_resuming() &&
           !(r->timeline && t->events == &r->no_events);
}

/* Open the fast path if it may be open. To be called after each event on the general host_path()->
 */
static void open_fast_path(void)
{
    toll_recorder *r = host_recorder();
    uint32_t capacity = is_fast(r) ? host_current_frames()->capacity : 0;
    host_path()->folded_capacity = host_folds() ? capacity : 0;
    host_path()->events = NULL;
    if (r->timeline) {
        host_path()->events = r->track->events;
        host_path()->origin = toll_recorder_elapsed(r, 0) - r->counters[0].last;
        host_path()->until = host_stream_due();
    }
    host_path()->sections = r->track->sections.standing;
    if (!host_folds())
        host_open_fast_path(capacity);
}

void host_use_current_module(void)
{
    host_path()->recorder = host_recorder(); /* closes the fast path of pairs */
    host_path()->folded_capacity = 0;
    host_path()->counters = host_has_ticks();
    host_path()->frames = host_current_frames()->of;
    host_path()->callees = host_callees_so_far();
    host_path()->first_place = host_place_before(host_current_module());
}

/* --- the general path --------------------------------------------------------------------------*/

static host_interruption current; /* the event that is being delivered */

void host_set_step(host_step step)
{
    *(volatile host_step *)&current.step = step; /* the engine may end the guest at any call */
}

static void begin_step(host_step step)
{
    current.depth = (uint32_t)host_find_innermost().depth;
    host_set_step(step);
}

/* End a report. Returns the new value of the guest's toll:pending: HOST_OPEN lets it keep the next
 * event. */
static uint64_t end_steps(void)
{
    bool may_wait = host_delivery_state() == HOST_PAIRED && !host_is_at_frame_limit() &&
                    (!host_time_is_clocked() || host_clock_lets_wait(host_find_innermost().depth));
    if (!host_fast_path()->capacity)
        open_fast_path();
    host_set_step(HOST_IDLE);
    return may_wait ? HOST_OPEN : HOST_CLOSED;
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
    host_path()->callees->last_place = repeated.last_place;
    repeated.node = NULL;
}

host_interruption host_interrupt_events(void)
{
    end_repeating();
    host_interruption was = current;
    host_set_step(HOST_IDLE);
    return was;
}

/* --- one event ---------------------------------------------------------------------------------*/

/* With time by windows: the clock first, then the event, by the fast path if it fits. */
static bool deliver_clocked_one(bool leaves, uint64_t function, uint64_t ticks, bool waited,
                                bool placed)
{
    host_fast *fast = host_fast_path();
    const uint32_t number = (uint32_t)function;
    const host_innermost in = host_find_innermost();
    host_clock_event(&in, leaves, number, ticks, waited);
    if (number >= fast->capacity || toll_is_backward(ticks - fast->ticks))
        return false;
    const host_event e = { leaves, host_place_in(function, placed), host_path()->frames[number + 1],
                           ticks - fast->ticks };
    if (!host_deliver_next(e, placed))
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
    if (number > HOST_OPEN) {
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

__attribute__((noinline)) uint64_t host_one_by_one(uint64_t event, uint64_t then, bool leaves,
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
    return number < host_path()->folded_capacity &&
           host_fold_fast(host_path()->recorder, leaves, host_path()->frames[number], ticks,
                          host_path()->counters);
}

/* Deliver two events that fold recursion, one after the other. The nodes of open functions do not
 * show how many are open, which a frame limit must know. */
static uint64_t fold_two(uint64_t event, uint64_t then, bool leaves, uint64_t function,
                         uint64_t ticks)
{
    uint32_t next = (uint32_t)function + 1;
    if (host_has_frame_limit())
        return host_one_by_one(event, then, leaves, function, ticks, false);
    if (leaves && event == (uint64_t)next << 1 && next < host_path()->folded_capacity &&
        host_fold_leaf(host_path()->recorder, host_path()->frames[next], then, ticks,
                       host_path()->counters))
        return HOST_OPEN;
    begin_step(HOST_FIRST);
    if (!fold_fast(event & 1, (uint32_t)event >> 1, then))
        return host_one_by_one(event, then, leaves, function, ticks, false);
    begin_step(HOST_SECOND);
    if (!fold_fast(leaves, next, ticks)) {
        host_deliver_one(leaves, 0, (uint32_t)function, ticks);
        return end_steps();
    }
    host_set_step(HOST_IDLE);
    return HOST_OPEN;
}

/* --- events without time, or with time that the engine samples ---------------------------------*/

static HOST_ALWAYS_INLINE uint64_t deliver(uint64_t event, uint64_t then, bool leaves,
                                           uint64_t function, uint64_t ticks, bool placed)
{
    uint32_t number = (uint32_t)event >> 1, next = (uint32_t)function;
    host_fast *fast = host_fast_path();
    if ((number | next) < fast->capacity) {
        uint64_t first = then - fast->ticks, second = ticks - then;
        toll_frame_id f = host_path()->frames[number], g = host_path()->frames[next + 1];
        host_event e = { leaves, host_place_in(function, placed), g, second };
        uint32_t place = host_place_in(event, placed);
        if (!toll_is_backward(first | second) &&
            (event & 1 ? host_deliver_two((host_event){ true, 0, f, first }, e, placed)
                       : host_deliver_two((host_event){ false, place, f, first }, e, placed))) {
            fast->ticks = ticks;
            return HOST_OPEN;
        }
    }
    return host_path()->folded_capacity
               ? fold_two(event, then, leaves, function, ticks)
               : host_one_by_one(event, then, leaves, function, ticks, placed);
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

/* --- the same behind the gate ------------------------------------------------------------------*/

uint32_t host_enter_watched(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    host_pass_gate();
    uint64_t result = deliver(pending, then, false, function, ticks, false);
    host_leave_gate();
    return (uint32_t)result;
}

uint32_t host_leave_watched(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    host_pass_gate();
    uint64_t result = deliver(pending, then, true, function, ticks, false);
    host_leave_gate();
    return (uint32_t)result;
}

/* --- a call is repeated ------------------------------------------------------------------------*/

static HOST_ALWAYS_INLINE bool repeat_once(toll_frame_id frame, uint32_t place, bool placed)
{
    return host_deliver_two((host_event){ true, 0, frame, 0 },
                            (host_event){ false, place, frame, 0 }, placed);
}

uint64_t host_repeat(uint64_t function, bool placed)
{
    enum { ROUNDS = 64 };
    const host_fast *fast = host_fast_path();
    uint64_t done = 0;
    if ((uint32_t)function >= fast->capacity)
        return 0;
    const toll_frame_id frame = host_path()->frames[(uint32_t)function + 1];
    const uint32_t place = host_place_in(function, placed);
    repeated =
        (host_repeated){ fast->node, fast->node->values[0], host_path()->callees->last_place };
    while (done < ROUNDS &&
           (placed ? repeat_once(frame, place, true) : repeat_once(frame, 0, false)))
        done++;
    end_repeating();
    return done;
}

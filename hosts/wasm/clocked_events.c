/* clocked_events.c - the events that a guest reports whose time is recorded by windows
 * (clocked_time.h). See toll/embedder.h. They take the fast path where the clock need not be read.
 */
#include "clocked_time.h"
#include "fast_events.h"
#include "guest_events.h"
#include "memory_gate.h"

#include <toll/embedder.h>

/* The last event, if none is pending. */
static HOST_ALWAYS_INLINE bool clocked_single(bool leaves, uint64_t function, uint64_t ticks,
                                              bool placed)
{
    host_fast *fast = host_fast_path();
    const host_event e = { leaves, host_place_in(function, placed),
                           host_path()->frames[(uint32_t)function + 1], ticks - fast->ticks };
    if (toll_is_backward(e.spent) ||
        host_clock_is_due(leaves, fast->depth - host_path()->sections,
                          host_clock_position(ticks, 0)) ||
        !host_deliver_next(e, placed))
        return false;
    fast->ticks = ticks;
    host_next_stops()->events++;
    return true;
}

/* A tick that is to be kept is one of those between two events that the fast path has delivered. */
static __attribute__((noinline)) void choose(toll_node *before, uint64_t last, uint64_t then,
                                             bool left, uint64_t at)
{
    host_clock_choose(before, last, then, left ? before->parent : before->last_child, at);
    host_set_step(HOST_IDLE);
}

/* The pending one and the last one. Where the fast path is open the pending one was allowed to
 * wait, so the clock may be due at the last one by its position, or if both leave. */
static HOST_ALWAYS_INLINE bool clocked_pair(uint64_t event, uint64_t then, bool leaves,
                                            uint64_t function, uint64_t ticks, bool placed)
{
    host_fast *fast = host_fast_path();
    const uint64_t first = then - fast->ticks, second = ticks - then,
                   at = host_clock_position(ticks, 1);
    const host_event e = { leaves, host_place_in(function, placed),
                           host_path()->frames[(uint32_t)function + 1], second };
    const toll_frame_id f = host_path()->frames[(uint32_t)event >> 1];
    const uint32_t place = host_place_in(event, placed);
    host_clock_stops *stops = host_next_stops();
    toll_node *before = fast->node;
    if (toll_is_backward(first | second) || at >= stops->end ||
        (event & 1 && leaves && fast->depth - host_path()->sections - 1 <= stops->depth + 1) ||
        !(event & 1 ? host_deliver_two((host_event){ true, 0, f, first }, e, placed)
                    : host_deliver_two((host_event){ false, place, f, first }, e, placed)))
        return false;
    const uint64_t last = fast->ticks;
    fast->ticks = ticks;
    stops->events += 2;
    if (at >= stops->at) {
        host_set_step(HOST_SECOND); /* if the engine ends the guest now, no event is pending */
        choose(before, last, then, event & 1, at);
    }
    return true;
}

static HOST_ALWAYS_INLINE bool clocked_fast(uint64_t event, uint64_t then, bool leaves,
                                            uint64_t function, uint64_t ticks, bool placed)
{
    return (uint32_t)event > HOST_OPEN ? clocked_pair(event, then, leaves, function, ticks, placed)
                                       : clocked_single(leaves, function, ticks, placed);
}

/* What an event takes, by the call that was just delivered. */
static void measure(uint64_t function, bool placed)
{
    host_set_step(HOST_SECOND);
    if (host_clock_begin_measuring())
        host_clock_end_measuring(host_repeat(function, placed));
    host_set_step(HOST_IDLE);
}

static HOST_ALWAYS_INLINE uint64_t deliver_clocked(uint64_t event, uint64_t then, bool leaves,
                                                   uint64_t function, uint64_t ticks, bool placed)
{
    const host_fast *fast = host_fast_path();
    if (((uint32_t)event >> 1 | (uint32_t)function) < fast->capacity &&
        clocked_fast(event, then, leaves, function, ticks, placed))
        return ((uint32_t)event > HOST_OPEN && (event & 1) != leaves) ||
                       host_clock_lets_wait(fast->depth - host_path()->sections)
                   ? HOST_OPEN
                   : HOST_CLOSED;
    const uint64_t result = host_one_by_one(event, then, leaves, function, ticks, placed);
    if (!leaves && host_next_stops()->measures && !host_is_watched((uint32_t)function))
        measure(function, placed);
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

/* --- the same behind the gate ------------------------------------------------------------------*/

uint32_t host_enter_clocked_watched(uint32_t pending, uint64_t then, uint32_t function,
                                    uint64_t ticks)
{
    host_pass_gate();
    uint64_t result = deliver_clocked(pending, then, false, function, ticks, false);
    host_leave_gate();
    return (uint32_t)result;
}

uint32_t host_leave_clocked_watched(uint32_t pending, uint64_t then, uint32_t function,
                                    uint64_t ticks)
{
    host_pass_gate();
    uint64_t result = deliver_clocked(pending, then, true, function, ticks, false);
    host_leave_gate();
    return (uint32_t)result;
}

/* clocked_events.c - the events that a guest reports whose time is recorded by windows
 * (clocked_time.h). See toll/embedder.h. None stays pending: with a pending event the current node
 * would not be that of the innermost frame, to which time is charged. */
#include "clocked_time.h"
#include "delivery.h"
#include "guest_events.h"

#include <toll/embedder.h>

enum {
    CLOSED,
    OPEN
}; /* values of the guest's toll:pending: no event may stay pending, or the next */

/* Read the clock, if it is to be read at the event. */
static inline void look(bool leaves, uint64_t function, uint64_t ticks)
{
    host_clock_stops *stops = host_next_stops();
    const toll_track *track = host_recorder()->track;
    const uint64_t at = (host_has_ticks() ? ticks : stops->events + 1) + stops->own;
    if (at >= stops->at || track->place.depth - track->sections.standing <= stops->depth + leaves ||
        host_is_watched((uint32_t)function))
        host_clock_event(leaves, (uint32_t)function, at);
    stops->events++;
    stops->own += stops->each;
    stops->last = at + stops->each;
}

static inline void deliver(bool leaves, uint64_t function, uint64_t ticks, bool placed)
{
    look(leaves, function, ticks);
    if (placed)
        host_deliver_single_placed(leaves, function, ticks);
    else
        host_deliver_single(leaves, function, ticks);
    if (!leaves && host_next_stops()->measures)
        host_clock_measure(function, ticks, placed);
}

/* None is pending, unless the embedder has said that one may: limit_frames(). */
static __attribute__((noinline)) void deliver_pending(uint64_t event, uint64_t ticks, bool placed)
{
    const uint32_t number = (uint32_t)event;
    deliver(number & 1, (event >> 32 << 32) + (number >> 1) - 1, ticks, placed);
}

static inline void deliver_both(uint64_t event, uint64_t then, bool leaves, uint64_t function,
                                uint64_t ticks, bool placed)
{
    if ((uint32_t)event > OPEN)
        deliver_pending(event, then, placed);
    deliver(leaves, function, ticks, placed);
}

uint32_t host_enter_clocked(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    deliver_both(pending, then, false, function, ticks, false);
    return CLOSED;
}

uint32_t host_leave_clocked(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    deliver_both(pending, then, true, function, ticks, false);
    return CLOSED;
}

uint64_t host_enter_placed_clocked(uint64_t pending, uint64_t then, uint64_t function,
                                   uint64_t ticks)
{
    deliver_both(pending, then, false, function, ticks, true);
    return CLOSED;
}

uint64_t host_leave_placed_clocked(uint64_t pending, uint64_t then, uint64_t function,
                                   uint64_t ticks)
{
    deliver_both(pending, then, true, function, ticks, true);
    return CLOSED;
}

static void settle(uint64_t event, uint64_t ticks, bool placed)
{
    if ((uint32_t)event > OPEN)
        deliver_pending(event, ticks, placed);
    else
        host_clock_long(event == TOLL_LONG_ENDS, ticks);
}

uint64_t host_settle_placed_clocked(uint64_t event, uint64_t ticks)
{
    settle(event, ticks, true);
    return CLOSED;
}

uint32_t host_settle_clocked(uint32_t event, uint64_t ticks)
{
    settle(event, ticks, false);
    return CLOSED;
}

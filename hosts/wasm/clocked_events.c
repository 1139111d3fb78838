/* clocked_events.c - the events that a guest reports whose time is recorded by windows
 * (clocked_time.h). See toll/embedder.h. None stays pending: with a pending event the current node
 * would not be that of the innermost frame, to which time is charged. */
#include "clocked_time.h"
#include "delivery.h"
#include "guest_events.h"

#include <toll/embedder.h>

enum { CLOSED }; /* no event may stay pending */

/* Read the clock, if it is to be read at the event. */
static inline void look(bool leaves, uint64_t function, uint64_t ticks)
{
    host_clock_stops *stops = host_next_stops();
    const toll_track *track = host_recorder()->track;
    const uint64_t at = (host_has_ticks() ? ticks : stops->events + 1) + stops->own;
    if (at >= stops->at || track->place.depth - track->sections.standing == stops->depth + leaves ||
        host_is_watched((uint32_t)function))
        host_clock_event(leaves, (uint32_t)function, at);
    stops->events++;
    stops->own += stops->each;
    stops->last = at + stops->each;
}

uint32_t host_enter_clocked(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    (void)pending, (void)then;
    look(false, function, ticks);
    host_deliver_single(false, function, ticks);
    if (host_next_stops()->measures)
        host_clock_measure(function, ticks, false);
    return CLOSED;
}

uint32_t host_leave_clocked(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    (void)pending, (void)then;
    look(true, function, ticks);
    host_deliver_single(true, function, ticks);
    return CLOSED;
}

uint64_t host_enter_placed_clocked(uint64_t pending, uint64_t then, uint64_t function,
                                   uint64_t ticks)
{
    (void)pending, (void)then;
    look(false, function, ticks);
    host_deliver_single_placed(false, function, ticks);
    if (host_next_stops()->measures)
        host_clock_measure(function, ticks, true);
    return CLOSED;
}

uint64_t host_leave_placed_clocked(uint64_t pending, uint64_t then, uint64_t function,
                                   uint64_t ticks)
{
    (void)pending, (void)then;
    look(true, function, ticks);
    host_deliver_single_placed(true, function, ticks);
    return CLOSED;
}

uint64_t host_settle_placed_clocked(uint64_t event, uint64_t ticks)
{
    if (event == TOLL_LONG_BEGINS || event == TOLL_LONG_ENDS)
        host_clock_long(event == TOLL_LONG_ENDS, ticks);
    return CLOSED;
}

uint32_t host_settle_clocked(uint32_t event, uint64_t ticks)
{
    return (uint32_t)host_settle_placed_clocked(event, ticks);
}

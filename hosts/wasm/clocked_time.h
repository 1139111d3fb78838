/* clocked_time.h - time by windows (TOLL_RECORD_WINDOWS, and components that record themselves):
 * the clock is read at some events, and what has passed is charged to one of the stacks that ran
 * since the reading before. docs/semantics.md, "Time by windows", has the rules.
 *
 * Owns when the clock is read next, whom the time is charged to, and whether it may be read now.
 *
 * A window is what runs from one reading to the next. While it lasts, a tick of it is kept that is
 * chosen at random, each with the same chance: the stack that executed it gets the window's time.
 * Without ticks each event counts as one, of the stack that ran until then.
 *
 * What recording an event takes is the profiler's: each event counts as that many ticks which are
 * no stack's. How many is learned from time to time: an event is repeated, which takes as long as
 * in the program at least.
 *
 *     an event                         the clock           the window's time goes to
 *     -----                            ---------           -----
 *     enter at depth 0                 is read             no stack: it was the embedder's
 *     leave at depth 1                 is read             the stack of the kept tick
 *     any that was not pending,        is read             the same
 *       `span` ticks after the
 *       window began
 *     enter of a watched function      is read             the same
 *     its leave                        is read             its stack
 *     enter, called by a watched one   is read             the watched one's stack
 *     its leave                        is read             the stack of the kept tick
 *     begin of a phase or section,     is read             the same
 *       its end; functions are left
 *       without an event
 *     a long instruction begins        is read             the same
 *     it ends                          is read             the innermost stack, which executed it
 *     any in a held function           is not read         the window goes on
 *     all others                       is not read         the window goes on
 *
 * Watched are the imported functions: the host's, which may take longer than their ticks say. A
 * phase of the embedder calls the guest as they do. In a component that records itself an imported
 * function may be another core module's: then what it calls is like all others, and it is watched
 * no more. */
#ifndef TOLL_HOSTS_WASM_CLOCKED_TIME_H
#define TOLL_HOSTS_WASM_CLOCKED_TIME_H

#include "fast_events.h"

#include <stdbool.h>
#include <stdint.h>
#include <toll/toll.h>

/* Prepare the recording, which has begun with time, for this kind. host_begin_component_clock()
 * says when the clock can be read. */
void host_begin_clocked_time(bool in_component);

/* Is the time of this kind? Then imported functions are watched. */
bool host_time_is_clocked(void);

bool host_is_watched(uint32_t function);

/* Where host_clock_event() has something to do, beside the events of watched functions: at and
 * after this position; at an enter at this depth or above it; at a leave one deeper. Sections do
 * not count as deeper.
 *
 * A position is the guest's ticks and what recording the events so far has cost, in ticks: `each`
 * for each of them, of which `own` corrects the sum when it has changed. Without ticks it is the
 * number of events. */
typedef struct host_clock_stops {
    uint64_t at, depth;
    uint64_t end;    /* at or behind `at`: before this position host_clock_choose() is enough */
    uint64_t events; /* so far */
    uint64_t each, own;
    bool measures;   /* what an event takes is to be measured, after the next call */
    bool no_waiting; /* for good: some module may leave events of watched functions pending */
    bool alone;      /* nor may the next event wait: it may end a watched function */
} host_clock_stops;

/* The address never changes. */
host_clock_stops *host_next_stops(void);

/* The position of the event that comes after so many others. */
static inline uint64_t host_clock_position(uint64_t ticks, uint64_t others)
{
    const host_clock_stops *s = host_next_stops();
    return ticks + s->own + (s->events + others) * s->each;
}

/* Is there something to do at an event, by its position and the depth before it? */
static inline bool host_clock_is_due(bool leaves, uint64_t depth, uint64_t at)
{
    const host_clock_stops *s = host_next_stops();
    return at >= s->at || depth <= s->depth + leaves;
}

/* May the next event stay pending at this depth? The clock must not have to be read at it. */
static inline bool host_clock_lets_wait(uint64_t depth)
{
    const host_clock_stops *s = host_next_stops();
    return depth > s->depth + 1 && !s->measures && !s->no_waiting && !s->alone;
}

/* Two events were delivered at once, and count already. Until the first, which had `then` ticks,
 * `before` was the innermost frame; then `between` was until the second, at position `at`. The
 * event before them had `last` ticks. */
void host_clock_choose(toll_node *before, uint64_t last, uint64_t then, toll_node *between,
                       uint64_t at);

/* An event is to be delivered, not as two at once. `waited`: it was pending, so the clock is not
 * read at its end of a window: that ends at the next event. */
void host_clock_event(const host_innermost *in, bool leaves, uint32_t function, uint64_t ticks,
                      bool waited);

/* stops->measures: measure what an event takes. Between the two the caller delivers so many pairs
 * of events again. False: the clock cannot be read now. */
bool host_clock_begin_measuring(void);
void host_clock_end_measuring(uint64_t pairs);

/* A module becomes part of the recording. `is_prompt`: events of its watched functions never stay
 * pending. */
void host_clock_module(bool is_prompt);

/* An instruction that takes long begins, or has ended. */
void host_clock_long(bool ends, uint64_t ticks);

/* If the time is of this kind: charge what has passed since the last reading; omit it, since the
 * embedder was at work; charge it before functions that are deeper than `to` are left without an
 * event. */
void host_clock_charge(uint64_t ticks);
void host_clock_pass(uint64_t ticks);
void host_clock_unwind(uint64_t to, uint64_t ticks);

/* A phase has begun, or has ended; what passed before it is charged. */
void host_clock_begin_phase(void);
void host_clock_end_phase(void);

#endif

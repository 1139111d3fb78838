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
 *     any, `span` ticks after          is read             the same
 *       the window began
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

#include <stdbool.h>
#include <stdint.h>
#include <toll/toll.h>

/* Prepare the recording, which has begun with time, for this kind. host_begin_component_clock()
 * says when the clock can be read. */
void host_begin_clocked_time(bool in_component);

/* Is the time of this kind? Then imported functions are watched. */
bool host_time_is_clocked(void);

bool host_is_watched(uint32_t function);

/* Where host_clock_event must be called, beside the events of watched functions: at and after this
 * position; at an enter at this depth or above it; at a leave one deeper. Sections and folded
 * frames do not count as deeper.
 *
 * A position is the guest's ticks, or without them the events so far, and `own`: what recording the
 * events so far has cost, in ticks. The caller adds `each` to it for each event, counts the event,
 * and sets `last`, the position behind it. */
typedef struct host_clock_stops {
    uint64_t at, depth;
    uint64_t events, own, each, last;
    bool measures; /* host_clock_measure() is to be called after the next call */
} host_clock_stops;

/* The address never changes. */
host_clock_stops *host_next_stops(void);

/* An event is to be delivered, for which the stops say so, or of a watched function. */
void host_clock_event(bool leaves, uint32_t function, uint64_t at);

/* stops->measures: measure what an event takes, by the call of this function that was just
 * delivered. */
void host_clock_measure(uint64_t function, uint64_t ticks, bool placed);

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

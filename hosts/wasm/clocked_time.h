/* clocked_time.h - the time of a component that records itself: the clock is read at some events,
 * and what has passed is charged to one of the stacks that ran since the reading before.
 * docs/semantics.md, "Time of a component that records itself", has the rules.
 *
 * Owns when the clock is read next, whom the time is charged to, and whether it may be read now.
 *
 * A window is what runs from one reading to the next. While it lasts, a tick of it is kept that is
 * chosen at random, each with the same chance: the stack that executed it gets the window's time.
 *
 *     an event                         the clock           the window's time goes to
 *     -----                            ---------           -----
 *     enter at depth 0                 is read             no stack: it was the host's
 *     leave at depth 1                 is read             the stack of the kept tick
 *     any, `span` ticks after          is read             the same
 *       the window began
 *     enter of a watched function      is read             the same
 *     its leave                        is read             its stack
 *     a long instruction begins        is read             the stack of the kept tick
 *     it ends                      is read             the innermost stack, which executed it
 *     any in a held function           is not read         the window goes on
 *     all others                       is not read         the window goes on */
#ifndef TOLL_HOSTS_WASM_CLOCKED_TIME_H
#define TOLL_HOSTS_WASM_CLOCKED_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <toll/toll.h>

/* A recording with this kind of time begins. */
void host_begin_clocked_time(void);

/* Has it? Then imported functions are watched: they may take longer than their ticks say. */
bool host_time_is_clocked(void);

bool host_is_watched(uint32_t function);

/* An event is to be delivered: of a watched function, one that begins or ends the outermost
 * function, or one at which host_next_stop() is reached. */
void host_clock_event(bool leaves, uint32_t function, uint64_t ticks);

/* An instruction that takes long begins, or has ended. */
void host_clock_long(bool ends, uint64_t ticks);

/* From these ticks on host_clock_event must be called. */
uint64_t host_next_stop(void);

#endif

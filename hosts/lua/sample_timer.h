/* sample_timer.h - a timer that interrupts a thread at equal distances while it uses CPU time.
 *
 * A thread that waits is woken 10 times a second at most: after an interruption in which it has
 * used nearly no CPU time, the timer looks at it less and less often, until it has used some.
 *
 * The signal is SIGVTALRM, which stands for a timer of CPU time as SIGPROF does, and which other
 * profilers leave alone. A handler that the program had before is called for signals that are not
 * of a timer here. Ours stays installed, since a signal may arrive after its timer has ended. */
#ifndef TOLL_LUA_SAMPLE_TIMER_H
#define TOLL_LUA_SAMPLE_TIMER_H

#include <stdint.h>

typedef struct sample_timer sample_timer;

/* Interrupt the calling thread `hz` times a second of its CPU time: `tick` is called in a signal's
 * handler, which restricts what it may do. It is not called if the thread has used less than 1/16
 * of the interval since the last tick. NULL: the system has no such timers, or no more of them.
 */
sample_timer *sample_timer_start(uint32_t hz, void (*tick)(void *user), void *user);

/* A forked process inherits no timers: make them anew, unless it is NULL. */
void sample_timer_after_fork(sample_timer *t);

/* End it, unless it is NULL. No tick begins after that, unless another thread than the timer's ends
 * it. */
void sample_timer_stop(sample_timer *t);

#endif

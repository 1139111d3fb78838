/* clock.h - a clock that is cheap enough to read at each call and return: a reading takes a few
 * nanoseconds.
 *
 *     toll_clock_create(NULL, &clock, &err);                         once a thread
 *     uint64_t now = toll_clock_now(clock);                          at each event
 *     toll_recorder_call(recorder, frame, &now);
 *
 * On x86-64 it reads the processor's time stamp counter, if that ticks at a constant rate, and
 * compares it with the system's clock every few hundredths of a second. Elsewhere each reading
 * reads the system's clock: CLOCK_MONOTONIC, on Windows QueryPerformanceCounter. toll_clock_source
 * names the one in use.
 *
 * Experimental: see toll.h. */
#ifndef TOLL_CLOCK_H
#define TOLL_CLOCK_H

#include <stdint.h>
#include <toll/error.h>
#include <toll/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toll_clock toll_clock;

/* Create a clock. Takes 2 ms if it must measure the rate of the time stamp counter.
 *   allocator  NULL: the C library's; copied
 *   out        the caller's to free (toll_clock_free); must not be NULL; NULL after a failure
 * Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM.
 * Threads: any. A clock belongs to one thread at a time: give each thread one.
 * Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_clock_create(const toll_allocator *allocator,
                                                       toll_clock **out, toll_error *err);

/* Create a clock of the CPU time of the thread that reads it: what other programs and threads run
 * meanwhile, and what the thread sleeps or waits for, is not in it. On a machine that does other
 * work, wall time charges that to whatever function is open.
 *
 * It counts like CLOCK_THREAD_CPUTIME_ID. If another thread than before reads the clock, it goes on
 * from its last reading with that thread's CPU time; so it does in the child after a fork.
 *   allocator  NULL: the C library's; copied
 *   out        the caller's to free (toll_clock_free); must not be NULL; NULL after a failure
 *
 * Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_UNSUPPORTED: each reading would take a system call
 * here. It needs Linux on x86-64, glibc 2.35 or later, and that restartable sequences (rseq) are
 * not switched off by GLIBC_TUNABLES. Threads: any. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_clock_create_cpu(const toll_allocator *allocator,
                                                           toll_clock **out, toll_error *err);

/* Free a clock. NULL is fine. Threads: that of the clock. Since 0.1. */
TOLL_API void toll_clock_free(toll_clock *clock);

/* The time in nanoseconds, counted like CLOCK_MONOTONIC, or CPU time. It never goes back. The
 * clocks of two threads differ by at most some microseconds. After the machine was asleep or
 * stopped in a debugger, a clock of wall time catches up at once.
 *
 * Cost: on x86-64 about the time of one rdtsc, 5 to 20 ns; else that of clock_gettime. A clock of
 * CPU time also reads the system's after each interruption of the thread, and after a tenth of a
 * millisecond without a reading. It does not allocate and cannot fail. `clock` must not be NULL,
 * which is not checked. Threads: that of the clock. Since 0.1. */
TOLL_API uint64_t toll_clock_now(toll_clock *clock);

/* How much longer than its CPU time the thread has taken, in nanoseconds, from the creation of a
 * clock of CPU time to its last reading: it slept, waited for a lock or for input, or others ran.
 * It grows only when the thread was interrupted. 0 for a clock of wall time. Threads: that of the
 * clock. Since 0.1. */
TOLL_API uint64_t toll_clock_waited(const toll_clock *clock);

/* The source of the clock: "time stamp counter", "clock_gettime", on Windows
 * "QueryPerformanceCounter", or "CPU time by time stamp counter". Never NULL, static.
 * Threads: any. Since 0.1. */
TOLL_API const char *toll_clock_source(const toll_clock *clock);

#ifdef __cplusplus
}
#endif
#endif

/* cpu_time.h - reads the CPU time of the thread that runs the Lua state. base/tsc_clock.h has the
 * wall time. */
#ifndef TOLL_LUA_CPU_TIME_H
#define TOLL_LUA_CPU_TIME_H

#include <stdint.h>

/* All fields 0: not read so far. */
typedef struct host_cpu_time {
    uint64_t thread; /* the thread that read it last */
    uint64_t ahead;  /* added to that thread's clock; modulo 2^64 */
} host_cpu_time;

/* CPU time in nanoseconds of the calling thread, whose number is `thread`; `last` is the result of
 * the previous call. A Lua state may move to another thread. Then the clock continues from `last`
 * with the new thread's CPU time, so that it never runs backwards. What the old thread has used
 * since `last` is not charged. */
uint64_t host_cpu_time_now(host_cpu_time *clock, uint64_t thread, uint64_t last);

#endif

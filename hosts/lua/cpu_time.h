/* cpu_time.h - the CPU time of the thread that runs the Lua state. Wall time is base/tsc_clock.h.
 */
#ifndef TOLL_LUA_CPU_TIME_H
#define TOLL_LUA_CPU_TIME_H

#include <stdint.h>

/* All fields 0: not read so far. */
typedef struct host_cpu_time {
    uint64_t thread; /* that read it last */
    uint64_t ahead;  /* how much this clock is ahead of that thread's */
} host_cpu_time;

/* Nanoseconds of CPU time of the calling thread, whose number is `thread`; `last` is what this
 * returned before. A Lua state may move from one thread to another. Then the clock continues from
 * `last` at the pace of the new thread, and what the old one used since then is not charged.
 */
uint64_t host_cpu_time_now(host_cpu_time *clock, uint64_t thread, uint64_t last);

#endif

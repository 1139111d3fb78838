/* lua_clock.h - time in nanoseconds, from the time stamp counter where that ticks steadily.
 *
 * A program of tiny calls reads the clock twice a call. A system clock costs 30 to 50 ns a reading,
 * the time stamp counter 10. So the counter is read and scaled, and compared with the system's
 * clock every few hundredths of a second. The clock never goes back: an error is made up for by a
 * slightly different scale in the next span. */
#ifndef TOLL_LUA_CLOCK_H
#define TOLL_LUA_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef struct host_clock {
    clockid_t source;
    bool tsc;                     /* the time stamp counter is read; else clock_gettime */
    uint64_t tsc_start, ns_start; /* both clocks at the start */
    uint64_t tsc_base, ns_base;   /* time is ns_base + (tsc - tsc_base) * scale / 2^32 */
    uint64_t scale;
    uint64_t thread; /* CPU time: the thread that read it last, */
    uint64_t ahead;  /* and how much this clock is ahead of that thread's */
} host_clock;

void host_clock_start(host_clock *clock, clockid_t source);
uint64_t host_clock_resync(host_clock *clock);

/* CPU time of the calling thread, whose number is `thread`; `last` is what this returned before. A
 * Lua state may move from one thread to another. Then the clock continues from `last` at the pace
 * of the new thread, and what the old one used since then is not charged. */
uint64_t host_clock_of_thread(host_clock *clock, uint64_t thread, uint64_t last);

#if defined(__x86_64__)
static inline uint64_t host_tsc(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}
enum { HOST_TSC_SPAN = 1 << 26 }; /* ticks between two comparisons with the system's clock */
static inline uint64_t host_clock_now(host_clock *c)
{
    uint64_t passed = c->tsc ? host_tsc() - c->tsc_base : HOST_TSC_SPAN;
    return passed < HOST_TSC_SPAN ? c->ns_base + (passed * c->scale >> 32) : host_clock_resync(c);
}
#else
static inline uint64_t host_clock_now(host_clock *c)
{
    return host_clock_resync(c);
}
#endif

#endif

/* tsc_clock.h - the clock of toll/clock.h as an inline function, for hosts/lua, where a function
 * call for each event is noticeable. Others use toll/clock.h.
 *
 * If the time stamp counter ticks at a constant rate, the time is
 *
 *     ns_base + (counter - tsc_base) * scale / 2^32
 *
 * during a span of TOLL_TSC_SPAN ticks (some hundredths of a second), in which the product cannot
 * overflow. At the end of a span the clock is compared with the system's (toll_tsc_resync), which
 * sets base and scale for the next one. */
#ifndef TOLL_BASE_TSC_CLOCK_H
#define TOLL_BASE_TSC_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <toll/clock.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define TOLL_HAVE_TSC 1
#endif

/* All fields 0: not started; only `is_scaled` may be read. */
typedef struct toll_tsc {
    bool is_scaled;               /* the time stamp counter is used; else clock_gettime */
    uint64_t tsc_start, ns_start; /* at toll_tsc_start */
    uint64_t tsc_base, ns_base;   /* at the beginning of the span */
    uint64_t scale;               /* nanoseconds a tick, times 2^32 */
} toll_tsc;

enum { TOLL_TSC_SPAN = 1 << 26 }; /* ticks */

/* Start the clock. Takes 2 ms if the counter's rate must be measured. */
void toll_tsc_start(toll_tsc *clock);

/* Begin the next span, and return the time. Without a time stamp counter it only returns the
 * time. */
uint64_t toll_tsc_resync(toll_tsc *clock);

#ifdef TOLL_HAVE_TSC
static inline uint64_t toll_tsc_ticks(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}
#endif

#ifdef TOLL_HAVE_TSC
/* The same as toll_tsc_read, of a clock that is scaled. */
static inline bool toll_tsc_read_scaled(const toll_tsc *c, uint64_t *now)
{
    uint64_t passed = toll_tsc_ticks() - c->tsc_base;
    *now = c->ns_base + (passed * c->scale >> 32);
    return passed < TOLL_TSC_SPAN;
}
#endif

/* The fast path. False if the span is over, or there is no time stamp counter: *now is then
 * invalid, and toll_tsc_resync returns the time. */
static inline bool toll_tsc_read(const toll_tsc *c, uint64_t *now)
{
#ifdef TOLL_HAVE_TSC
    if (c->is_scaled)
        return toll_tsc_read_scaled(c, now);
#endif
    (void)c;
    *now = 0;
    return false;
}

static inline uint64_t toll_tsc_now(toll_tsc *c)
{
    uint64_t now;
    return toll_tsc_read(c, &now) ? now : toll_tsc_resync(c);
}

#endif

/* cpu_clock.h - a clock of the CPU time of the thread that reads it, as cheap as the one of wall
 * time, and the time that the thread has waited. For hosts/lua; others use toll/clock.h.
 *
 * As long as there was no break (base/unbroken.h) since both clocks were read together, the thread
 * has used as much CPU time as has passed. After a break the kernel's clock of the thread is read,
 * by a system call, and the rest of what has passed was waited. It is read after a long step, too:
 * a virtual machine's host may have taken the whole processor away, which the kernel within it
 * learns, but is no break. */
#ifndef TOLL_BASE_CPU_CLOCK_H
#define TOLL_BASE_CPU_CLOCK_H

#include "base/tsc_clock.h"
#include "base/unbroken.h"

enum { TOLL_CPU_CLOCK_STEP = 100000 }; /* ns; a system call takes some hundredth of that */

/* All fields 0: not started. */
typedef struct toll_cpu_clock {
    toll_tsc tsc;
    toll_unbroken watch;
    uint64_t wall, cpu; /* at the last reading of both */
    uint64_t shift;     /* cpu - wall, modulo 2^64 */
    uint64_t waited;    /* since the start */
    uint64_t ahead;     /* added to the thread's own clock; modulo 2^64 */
    uint64_t thread;    /* the kernel's number of the thread that read it last */
    uint64_t of_thread; /* that thread's own clock then */
} toll_cpu_clock;

/* False: CPU time is not cheap here: no restartable sequences, or no steady time stamp counter. */
bool toll_cpu_clock_start(toll_cpu_clock *clock);
void toll_cpu_clock_end(toll_cpu_clock *clock);

/* Read both clocks, after a break or at the end of a span. If another thread than before reads it,
 * the clock goes on from `last` with that thread's CPU time: what the old one has used since then
 * is in no result. */
uint64_t toll_cpu_clock_resync(toll_cpu_clock *clock, uint64_t last);

/* The fast path. `last` is the clock's last result. False: *now is invalid, and
 * toll_cpu_clock_resync returns the time. */
static inline bool toll_cpu_clock_read(const toll_cpu_clock *c, uint64_t last, uint64_t *now)
{
#ifdef TOLL_HAVE_UNBROKEN
    uint64_t wall; /* read first: the break that this reading may contain is seen then */
    bool is_in_span = toll_tsc_read_scaled(&c->tsc, &wall);
    *now = wall + c->shift;
    return is_in_span && toll_unbroken_is(&c->watch) && *now - last < TOLL_CPU_CLOCK_STEP;
#else
    (void)c;
    *now = last;
    return false;
#endif
}

static inline uint64_t toll_cpu_clock_now(toll_cpu_clock *c, uint64_t last)
{
    uint64_t now;
    return toll_cpu_clock_read(c, last, &now) ? now : toll_cpu_clock_resync(c, last);
}

#endif

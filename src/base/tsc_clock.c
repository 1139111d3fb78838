/* tsc_clock.c - see tsc_clock.h.
 *
 * The clock never goes back: if it is ahead of the system's clock, or behind, the next span is
 * scaled so that both agree at its end. */
#include "base/tsc_clock.h"

#include "base/os.h"

#ifdef TOLL_HAVE_TSC
#include <cpuid.h>
#endif

#ifdef TOLL_HAVE_TSC

enum { CALIBRATION_NS = 2000000, TRIES = 5, CLOSE_TICKS = 10000 };

/* Does the counter tick at a constant rate, whatever the processor's state? (CPUID 0x80000007, edx
 * bit 8) */
static bool has_steady_tsc(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

static uint64_t scale_of(uint64_t ns, uint64_t ticks)
{
    return ticks ? (uint64_t)((double)ns / (double)ticks * 4294967296.0) : 0;
}

/* Read both clocks at one moment. If the thread is suspended in between, the readings are far
 * apart; so the closest pair of a few tries is used. */
static void read_both(uint64_t *ns, uint64_t *ticks)
{
    uint64_t closest = UINT64_MAX;
    for (int i = 0; i < TRIES && closest > CLOSE_TICKS; i++) {
        uint64_t before = toll_tsc_ticks(), real = toll_os_clock_ns(),
                 apart = toll_tsc_ticks() - before;
        if (apart < closest) {
            closest = apart;
            *ns = real;
            *ticks = before + apart / 2;
        }
    }
}

void toll_tsc_start(toll_tsc *c)
{
    *c = (toll_tsc){ 0 };
    if (!has_steady_tsc())
        return;
    read_both(&c->ns_start, &c->tsc_start);
    uint64_t ns = 0, ticks = 0;
    do
        read_both(&ns, &ticks);
    while (ns - c->ns_start < CALIBRATION_NS);
    c->scale = scale_of(ns - c->ns_start, ticks - c->tsc_start);
    c->ns_base = ns;
    c->tsc_base = ticks;
    c->is_scaled = c->scale != 0;
}

/* The clock's time `passed` ticks after the beginning of its span, which may be long over. */
static uint64_t shown_after(const toll_tsc *c, uint64_t passed)
{
    return c->ns_base + (passed < (uint64_t)1 << 31
                             ? passed * c->scale >> 32
                             : (uint64_t)((double)passed * (double)c->scale / 4294967296.0));
}

/* Handle a counter that is behind the beginning of the span. A little behind: this processor's
 * counter lags, so time stops until it has caught up. Far behind: the counter was restarted, after
 * the machine slept or was migrated. Then new spans begin; time still never goes back. */
static uint64_t after_step_back(toll_tsc *c, uint64_t real, uint64_t ticks)
{
    uint64_t shown = c->ns_base + ((uint64_t)TOLL_TSC_SPAN * (c->scale >> 16) >> 16);
    if (c->tsc_base - ticks < TOLL_TSC_SPAN && ticks > c->tsc_start)
        return c->ns_base;
    c->tsc_base = c->tsc_start = ticks;
    c->ns_start = real;
    c->ns_base = real > shown ? real : shown;
    return c->ns_base;
}

uint64_t toll_tsc_resync(toll_tsc *c)
{
    uint64_t real = 0, ticks = 0;
    if (!c->is_scaled)
        return toll_os_clock_ns();
    read_both(&real, &ticks);
    if (ticks < c->tsc_base)
        return after_step_back(c, real, ticks);
    uint64_t shown = shown_after(c, ticks - c->tsc_base);
    uint64_t steady = scale_of(real - c->ns_start, ticks - c->tsc_start);
    uint64_t span_ns = (uint64_t)TOLL_TSC_SPAN * (steady >> 16) >> 16;
    c->tsc_base = ticks;
    if (real > shown + span_ns) { /* the machine slept: catch up at once */
        c->ns_base = real;
        c->scale = steady;
    } else { /* agree at the end of the next span, but run at no less than half the rate */
        int64_t behind = (int64_t)(real - shown);
        double next = (double)span_ns + (double)behind;
        if (next < (double)span_ns / 2)
            next = (double)span_ns / 2;
        c->ns_base = shown;
        c->scale = (uint64_t)(next / (double)TOLL_TSC_SPAN * 4294967296.0);
    }
    return c->ns_base;
}

#else

void toll_tsc_start(toll_tsc *c)
{
    *c = (toll_tsc){ 0 };
}

uint64_t toll_tsc_resync(toll_tsc *c)
{
    (void)c;
    return toll_os_clock_ns();
}

#endif

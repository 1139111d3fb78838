/* lua_clock.c - see lua_clock.h. */
#include "lua_clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static uint64_t system_now(const host_clock *c)
{
    struct timespec t;
    clock_gettime(c->source, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t host_clock_of_thread(host_clock *c, uint64_t thread, uint64_t last)
{
    uint64_t now = system_now(c);
    if (c->thread && c->thread != thread)
        c->ahead = last - now; /* modulo 2^64, as the sum below */
    c->thread = thread;
    return now + c->ahead;
}

#if defined(__x86_64__)

enum { CALIBRATION_NS = 2000000 };

/* Does the counter tick at one rate in all states of the processor? (CPUID 0x80000007, bit 8 of
 * edx) */
static bool has_steady_tsc(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

static uint64_t ratio(uint64_t ns, uint64_t ticks)
{
    return ticks ? (uint64_t)((double)ns / (double)ticks * 4294967296.0) : 0;
}

void host_clock_start(host_clock *c, clockid_t source)
{
    *c = (host_clock){ .source = source };
    if (source != CLOCK_MONOTONIC || !has_steady_tsc())
        return;
    c->ns_start = system_now(c);
    c->tsc_start = host_tsc();
    uint64_t ns, tsc;
    do {
        ns = system_now(c);
        tsc = host_tsc();
    } while (ns - c->ns_start < CALIBRATION_NS);
    c->scale = ratio(ns - c->ns_start, tsc - c->tsc_start);
    c->ns_base = ns;
    c->tsc_base = tsc;
    c->tsc = c->scale != 0;
}

uint64_t host_clock_resync(host_clock *c)
{
    if (!c->tsc)
        return system_now(c);
    uint64_t real = system_now(c), tsc = host_tsc();
    uint64_t passed = tsc - c->tsc_base;
    uint64_t shown =
        c->ns_base + (passed < (uint64_t)1 << 31
                          ? passed * c->scale >> 32
                          : (uint64_t)((double)passed * (double)c->scale / 4294967296.0));
    uint64_t steady = ratio(real - c->ns_start, tsc - c->tsc_start);
    uint64_t span_ns = (uint64_t)HOST_TSC_SPAN * (steady >> 16) >> 16;
    c->tsc_base = tsc;
    if (real > shown + span_ns) { /* the machine was suspended: catch up at once */
        c->ns_base = real;
        c->scale = steady;
    } else {
        /* A little behind or ahead: choose the scale so that the clock is right at the end of the
         * next span. */
        int64_t off = (int64_t)(real - shown);
        double next = (double)span_ns + (double)off;
        if (next < (double)span_ns / 2)
            next = (double)span_ns / 2;
        c->ns_base = shown;
        c->scale = (uint64_t)(next / (double)HOST_TSC_SPAN * 4294967296.0);
    }
    return c->ns_base;
}

#else

void host_clock_start(host_clock *c, clockid_t source)
{
    *c = (host_clock){ .source = source };
}

uint64_t host_clock_resync(host_clock *c)
{
    return system_now(c);
}

#endif

/* fast_event.h - how an event of the fast path begins and ends, for the hook (fast_hook.c) and for
 * LuaJIT's returns from C functions (luajit/jit_return.c). */
#ifndef TOLL_LUA_FAST_EVENT_H
#define TOLL_LUA_FAST_EVENT_H

#include "layout.h"
#include "process_end.h"
#include "record/fast_path.h"

/* Reads the counter into *now. False: the time stamp counter must be compared with the system's
 * clock first, or the clock is not one that the fast path can read. Without a clock the counter
 * stays as it is. */
static inline bool fast_now(const profiler *p, uint64_t *now)
{
    if (LIKELY(p->clock.is_scaled))
        return toll_tsc_read(&p->clock, now);
    *now = p->now[0];
    return p->options.no_clock;
}

static inline void end_event(profiler *p, uint64_t now)
{
    p->now[0] = now;
    host_end_change(p, 0);
}

/* A return that the recorder's fast path does not handle. Not inlined: that keeps the callers'
 * common way short. */
static __attribute__((noinline, unused)) void return_other(profiler *p, uint64_t now)
{
    toll_recorder_return(p->recorder, &now);
    end_event(p, now);
}

#endif

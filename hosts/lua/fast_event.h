/* fast_event.h - begins and ends an event of the fast path, for the hook (fast_hook.c) and for
 * LuaJIT's returns from C functions (luajit/jit_return.c). */
#ifndef TOLL_LUA_FAST_EVENT_H
#define TOLL_LUA_FAST_EVENT_H

#include "layout.h"
#include "process_end.h"
#include "record/fast_path.h"
#include "record/fast_timeline.h"

/* Read the counter into *now. False: the general path must read it, because the time stamp counter
 * has to be compared with the system's clock first, or because the fast path cannot read this
 * clock. Without a clock the counter does not move. What was waited moves only where the general
 * path reads the clock. */
static inline bool fast_now(const profiler *p, uint64_t *now)
{
    if (LIKELY(p->cpu_is_cheap))
        return toll_cpu_clock_read(&p->cpu, p->now[0], now);
    if (LIKELY(p->clock.is_scaled))
        return toll_tsc_read(&p->clock, now);
    *now = p->now[0];
    return p->options.clock == HOST_CLOCK_NONE;
}

/* What an event of the general path has taken is charged to no function: it may be many times what
 * others take. The fast path has no time for another reading of the clock; its events take about
 * the same each (call_costs.h). With a timeline all time is charged, so that the times in it are
 * those of other clocks; with ticks, too, whose events take as long as what they count. To be
 * called at the end of the event, before host_end_change. */
static inline void pass_own_time(profiler *p)
{
    uint64_t now;
    if (p->options.clock == HOST_CLOCK_NONE || p->options.ticks || p->recorder->timeline ||
        !fast_now(p, &now))
        return;
    p->own_ns += now - p->now[0];
    p->now[0] = now;
    toll_pass_counter(&p->recorder->counters[0], now);
}

static inline void end_event(profiler *p, uint64_t now)
{
    p->now[0] = now;
    host_end_change(p, 0);
}

/* To be called after toll_fast_call and toll_fast_return if the hook is one for timelines. Not
 * inlined, for the same reason as return_other. The recorder's timeline is tested at each event,
 * because a forked process keeps the hook but has no timeline. */
static __attribute__((noinline, unused)) void open_in_timeline(profiler *p, toll_frame_id frame,
                                                               uint64_t now)
{
    if (p->recorder->timeline)
        toll_fast_open(p->recorder, frame);
    end_event(p, now);
}

static __attribute__((noinline, unused)) void close_in_timeline(profiler *p, toll_frame_id frame,
                                                                uint64_t now)
{
    if (p->recorder->timeline)
        toll_fast_close(p->recorder, frame);
    end_event(p, now);
}

/* A return that the recorder's fast path does not handle. Not inlined, so that callers save no
 * registers for it on their common path. */
static __attribute__((noinline, unused)) void return_other(profiler *p, uint64_t now)
{
    p->now[0] = now;
    toll_recorder_return(p->recorder, p->now);
    pass_own_time(p);
    end_event(p, p->now[0]);
}

/* Return from the innermost frame. `timed`: there may be a timeline. */
static inline __attribute__((always_inline)) void return_from_top(profiler *p, bool timed,
                                                                  uint64_t now)
{
    toll_frame_id frame = timed ? p->recorder->track->place.node->frame : 0;
    if (UNLIKELY(!toll_fast_return(p->recorder, &now, 1)))
        return_other(p, now);
    else if (timed)
        close_in_timeline(p, frame, now);
    else
        end_event(p, now);
}

#endif

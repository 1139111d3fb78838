/* process_end.h - writes the files of a recording that is never stopped: when the Lua state
 * closes, the process exits or a signal ends it. Forked processes are handled, too.
 *
 * `busy` means that the profiler's own thread is in the middle of an event, or of another change:
 * no other thread may read the profiler. A thread that wants the files written then sets
 * `signalled`, and the profiler's own thread writes them when the change has ended.
 *
 * If no change begins for a while, the other thread writes the files itself. So every change, after
 * it has set `busy`, looks at `signalled`, and waits until they are written. The common events
 * (fast_hook.c) do not look; instead, the fast path is closed when `signalled` is set. `busy` needs
 * no memory fence before that look, since the other thread lets much time pass between setting
 * `signalled` and reading `busy`.
 *
 * The end of each event may write the files; so this part lies below all that handles events. */
#ifndef TOLL_LUA_PROCESS_END_H
#define TOLL_LUA_PROCESS_END_H

#include "lua_profiler.h"

enum { HOST_EXITS = -1 }; /* `signalled`: write the files and continue; else a signal's number */

/* It records, or has a file to write at the end. */
void host_watch_end(profiler *p);
void host_forget_end(profiler *p);

/* The recording was stopped: writes the files that toll.start named. */
toll_status host_end_recording(profiler *p, toll_error *err);

/* The Lua state closes, and the recording is stopped: writes all files that are still due. */
void host_finish(profiler *p);

/* `signalled` is set, and no change is under way: writes the files unless another thread has, and
 * ends the process by the signal if this was the last profiler. */
void host_die_of_signal(profiler *p);

static inline void host_set_busy(profiler *p)
{
    atomic_store_explicit(&p->busy, 1, memory_order_relaxed);
}

static inline bool host_is_signalled(const profiler *p)
{
    return atomic_load_explicit(&p->signalled, memory_order_relaxed);
}

/* Begins an event, or another change that neither a signal nor another thread may see half done.
 * The files may be written in here: afterwards `active` must be looked at (again). Returns what
 * `busy` was, for host_end_change: Lua may allocate in the middle of a change, which is another. */
static inline int host_begin_change(profiler *p)
{
    int was_busy = atomic_load_explicit(&p->busy, memory_order_relaxed);
    host_set_busy(p);
    atomic_signal_fence(memory_order_seq_cst); /* the change comes after that */
    if (UNLIKELY(host_is_signalled(p)) && !was_busy)
        host_die_of_signal(p);
    return was_busy;
}

static inline void host_end_change(profiler *p, int was_busy)
{
    atomic_store_explicit(&p->busy, was_busy, memory_order_release);
    if (UNLIKELY(host_is_signalled(p)) && !was_busy)
        host_die_of_signal(p);
}

#endif

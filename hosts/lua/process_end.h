/* process_end.h - writes the files of a recording that is never stopped, when the Lua state closes,
 * the process exits or a signal ends it.
 *
 * Two flags coordinate the threads:
 *   - `busy`: the profiler's own thread is in the middle of an event, or of another change. No
 *     other thread may read the profiler now.
 *   - `signalled`: a thread wants the files written. If the profiler is busy, its own thread writes
 *     them when the change has ended. If it is idle for a while, the other thread writes them
 *     itself.
 *
 * So every change first sets `busy` and then reads `signalled`; if that is set, it waits until the
 * files are written. The fast path (fast_hook.c) does not read `signalled`. Instead it is closed
 * when `signalled` is set. No memory fence is needed between setting `busy` and reading
 * `signalled`, since the other thread lets much time pass between setting `signalled` and reading
 * `busy`.
 *
 * A forked process records anew, and writes only files that are named after it. The end of each
 * event may write the files, so the files of the adapter that handle events are in layers on top of
 * this one. */
#ifndef TOLL_LUA_PROCESS_END_H
#define TOLL_LUA_PROCESS_END_H

#include "lua_profiler.h"

enum {
    HOST_EXITS = -1
}; /* `signalled`: write the files and continue; other values are the signal's number */

/* Keep the module in memory when its Lua state closes: the end of a run is an atexit handler. */
void host_stay_loaded(void);

/* Add the profiler to the list of live ones: it records, or has a file to write at the end. And
 * remove it. */
void host_watch_end(profiler *p);
void host_forget_end(profiler *p);

/* The recording was stopped: write the files that toll.start named. */
toll_status host_end_recording(profiler *p, toll_error *err);

/* The recording goes on: write those files with what it has so far. */
toll_status host_write_so_far(profiler *p, toll_error *err);

/* The Lua state closes, and the recording is stopped: write all files that are still due. */
void host_finish(profiler *p);

/* `signalled` is set, and no change is in progress: write the files unless another thread has, and
 * end the process by the signal if this was the last profiler. */
void host_die_of_signal(profiler *p);

static inline void host_set_busy(profiler *p)
{
    atomic_store_explicit(&p->busy, 1, memory_order_relaxed);
}

static inline bool host_is_signalled(const profiler *p)
{
    return atomic_load_explicit(&p->signalled, memory_order_relaxed);
}

/* Begin an event, or another change that neither a signal nor another thread may see half done.
 * This function may write the files, which ends the recording: read `active` only after it. Returns
 * the former `busy`, for host_end_change: changes nest, because Lua may allocate in the middle of
 * one. */
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
    void (*turn)(profiler *, lua_State *) = atomic_load_explicit(&p->turn, memory_order_relaxed);
    if (UNLIKELY(turn != NULL) && !was_busy)
        turn(p, NULL);
}

#endif

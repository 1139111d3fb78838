/* process_end.h - the files of a recording are written though nobody stops it: when the Lua state
 * closes, the process exits or a signal ends it. Forked processes are handled, too.
 *
 * `busy` means that the profiler is in the middle of an event: no other thread may read it. A
 * thread that wants its files written then sets `signalled`, and the profiler's own thread writes
 * them when the event has ended.
 *
 * The end of each event may therefore write the files; so this part lies below all that handles
 * events. */
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

/* An event has ended, and `signalled` is set: writes the files, and ends the process by the signal
 * if this was the last profiler. */
void host_die_of_signal(profiler *p);

/* Ends an event, or another change that no signal may interrupt; `was_busy` is what `busy` was when
 * it began, since a finalizer may run in the middle of an event. */
static inline void host_leave(profiler *p, sig_atomic_t was_busy)
{
    p->busy = was_busy;
    if (p->signalled && !was_busy)
        host_die_of_signal(p);
}

#endif

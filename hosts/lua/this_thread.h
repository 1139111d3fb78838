/* this_thread.h - what a thread knows of itself: its number, and whose its last event was. */
#ifndef TOLL_LUA_THIS_THREAD_H
#define TOLL_LUA_THIS_THREAD_H

#include <stdint.h>

typedef struct profiler profiler; /* lua_profiler.h */

#if defined(__GLIBC__)
#define HOST_TLS __attribute__((tls_model("initial-exec"))) /* reading it calls no function */
#else
#define HOST_TLS
#endif

/* The profiler of this thread's last event; before the first, one that records nothing. The next
 * event may belong to another Lua state, so the fast path compares `fast_for` with the coroutine it
 * comes from. Profilers are never freed (start_stop.c), so that comparison is always safe. */
extern _Thread_local profiler *host_last HOST_TLS;

/* A full event of `p` has begun in this thread. */
void host_set_last(profiler *p);

/* The number of this thread; no other has or had the same. */
uint64_t host_this_thread(void);

#endif

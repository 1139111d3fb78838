/* this_thread.h - the number of the running thread, and the profiler of its last event. */
#ifndef TOLL_LUA_THIS_THREAD_H
#define TOLL_LUA_THIS_THREAD_H

#include <stdint.h>

typedef struct profiler profiler; /* lua_profiler.h */
struct lua_State;

#if defined(__GLIBC__)
#define HOST_TLS __attribute__((tls_model("initial-exec"))) /* reading it calls no function */
#else
#define HOST_TLS
#endif

/* The profiler of this thread's last event; before the first event, one that records nothing. The
 * next event may belong to another Lua state, so the fast path compares `fast_for` with the event's
 * coroutine. Profilers are never freed (start_stop.c), so reading `fast_for` is always safe. */
extern _Thread_local profiler *host_last HOST_TLS;

/* The state with which the host has called Lua in this thread, where its calls are seen
 * (host_calls.h); NULL: it is outside of Lua, or not known. */
extern _Thread_local struct lua_State *host_entered HOST_TLS;

/* An event of `p` on the general path has begun in this thread. */
void host_set_last(profiler *p);

/* The number of this thread. No other thread of the process ever has the same. */
uint64_t host_this_thread(void);

#endif

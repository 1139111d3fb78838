/* this_thread.c - see this_thread.h. */
#include "this_thread.h"

#include "lua_profiler.h"

static profiler no_profiler;
_Thread_local profiler *host_last HOST_TLS = &no_profiler;
_Thread_local struct lua_State *host_entered HOST_TLS;

void host_set_last(profiler *p)
{
    host_last = p;
    atomic_store_explicit(&p->thread, host_this_thread(), memory_order_relaxed);
}

uint64_t host_this_thread(void)
{
    static _Atomic uint64_t threads;
    static _Thread_local uint64_t thread HOST_TLS;
    if (UNLIKELY(!thread))
        thread = atomic_fetch_add(&threads, 1) + 1;
    return thread;
}

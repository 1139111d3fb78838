/* coroutine_switch.h - which coroutine is current. */
#ifndef TOLL_LUA_COROUTINE_SWITCH_H
#define TOLL_LUA_COROUTINE_SWITCH_H

#include "lua_profiler.h"

/* An event comes from L, which is not the current coroutine: it becomes current, as resumed by the
 * one before or, if it had resumed that one, as the one that continues. NULL: no memory. */
coroutine *host_switch(profiler *p, lua_State *L, lua_Debug *ar);

/* The same for a coroutine that had an event before. */
void host_switch_between(profiler *p, coroutine *co, const uint64_t *now);

/* The coroutine `to` continues, because those that it has resumed, directly or not, have yielded,
 * ended or failed. NULL: the host continues. */
void host_go_back(profiler *p, coroutine *to);

/* The current coroutine may have yielded or ended unnoticed since the last event: if so, the one
 * that has resumed it becomes current, and is charged for the time since then. */
void host_catch_up(profiler *p);

#endif

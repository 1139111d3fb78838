/* coroutine_list.h - makes and frees what the profiler keeps of each coroutine of a Lua state. */
#ifndef TOLL_LUA_COROUTINE_LIST_H
#define TOLL_LUA_COROUTINE_LIST_H

#include "lua_profiler.h"

/* Add a coroutine that had no event so far. NULL: no memory. */
coroutine *host_new_coroutine(profiler *p, lua_State *L);

/* Make p->outside, the track of the time in which no coroutine runs. False: no memory. */
bool host_make_outside(profiler *p);

/* Lua has made the coroutine p->new_thread, with our hook: remember it. If the host replaces that
 * hook before the first event, nothing else shows that the coroutine exists. */
void host_expect_coroutine(profiler *p);

/* Lua is about to free a coroutine that has yielded or ended. Its memory can still be read. */
void host_free_coroutine(profiler *p, const object *known);

/* Free a coroutine that nothing points to any more; NULL does nothing. */
void host_drop_coroutine(coroutine *co);

/* The other hook that a new coroutine inherits from its creator. Nothing shows which coroutine that
 * is; the current one is assumed. For a hook of the script this does not matter, since the debug
 * library has none for a new coroutine. */
user_hook host_inherited_hook(const profiler *p);

#endif

/* coroutine_list.h - the coroutines of a Lua state, from when Lua makes them until it frees them.
 */
#ifndef TOLL_LUA_COROUTINE_LIST_H
#define TOLL_LUA_COROUTINE_LIST_H

#include "lua_profiler.h"

/* A coroutine that had no event so far. NULL: no memory. */
coroutine *host_new_coroutine(profiler *p, lua_State *L);

/* Makes p->outside. False: no memory. */
bool host_make_outside(profiler *p);

/* Lua has made the coroutine p->new_thread, with our hook. If the host replaces that hook before
 * the first event, nothing else will show that the coroutine exists. */
void host_expect_coroutine(profiler *p);

/* Lua frees a coroutine, which has yielded or ended; its memory is still there. */
void host_free_coroutine(profiler *p, const object *known);

/* Frees a coroutine that nothing points to any more; NULL does nothing. */
void host_drop_coroutine(coroutine *co);

/* The hook that a coroutine gets from the one that makes it. Which one that is is not known: it is
 * taken to be the current one. For hooks of the script's that does not matter, since the debug
 * library has none for a new coroutine. */
user_hook host_inherited_hook(const profiler *p);

#endif

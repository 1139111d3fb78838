/* coroutine_switch.h - decides which coroutine is current, and switches the recorder's track to it.
 */
#ifndef TOLL_LUA_COROUTINE_SWITCH_H
#define TOLL_LUA_COROUTINE_SWITCH_H

#include "lua_profiler.h"

/* An event comes from L, which is not the current coroutine: make it current. If it has resumed the
 * coroutine that was current, it continues; otherwise that one has resumed it. NULL: no memory. */
coroutine *host_switch(profiler *p, lua_State *L, lua_Debug *ar);

/* The same for a coroutine that had an event before. */
void host_switch_between(profiler *p, coroutine *co);

/* Make `to` current again: all coroutines that it has resumed, directly or not, have yielded, ended
 * or failed. NULL: the host continues. */
void host_go_back(profiler *p, coroutine *to);

/* No hook is called for a yield or for an end by an error. If the current coroutine has yielded or
 * ended since the last event, make the one that resumed it current, and charge that one for the
 * time since the last event. */
void host_catch_up(profiler *p);

#endif

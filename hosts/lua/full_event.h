/* full_event.h - any event of Lua's: call, return, counted instruction. */
#ifndef TOLL_LUA_FULL_EVENT_H
#define TOLL_LUA_FULL_EVENT_H

#include "lua_api.h"

/* What our hook does with an event that does not take the fast path (fast_hook.c). */
void host_event(lua_State *L, lua_Debug *ar);

#endif

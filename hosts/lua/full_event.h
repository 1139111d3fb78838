/* full_event.h - the general path of our hook: handles any event of Lua (call, return, line,
 * counted instruction). */
#ifndef TOLL_LUA_FULL_EVENT_H
#define TOLL_LUA_FULL_EVENT_H

#include "lua_api.h"

/* Handle an event that does not take the fast path (fast_hook.c). */
void host_event(lua_State *L, lua_Debug *ar);

#endif

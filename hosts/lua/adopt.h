/* adopt.h - the frames that are active when a recording starts, or when a coroutine is first seen.
 */
#ifndef TOLL_LUA_ADOPT_H
#define TOLL_LUA_ADOPT_H

#include "lua_profiler.h"

/* The outermost frame of L, into *ar, which may hold any level. False: no frame is active. */
bool host_outermost_level(const profiler *p, lua_State *L, lua_Debug *ar);

/* Enters the active frames of L, outermost first, without counting a call: those from level `first`
 * outwards (0 is the innermost). The innermost `hide` of them belong to the profiler. */
void host_adopt(profiler *p, coroutine *co, lua_State *L, int first, int hide);

#endif

/* adopt.h - enters the frames that are active when a recording starts, or when a coroutine has its
 * first event. */
#ifndef TOLL_LUA_ADOPT_H
#define TOLL_LUA_ADOPT_H

#include "lua_profiler.h"

/* Set *ar to the outermost frame of L. *ar may hold any level before. False: no frame is active. */
bool host_outermost_level(const profiler *p, lua_State *L, lua_Debug *ar);

/* Enter the active frames of L, outermost first, without counting a call. They begin at level
 * `first` (0 is the innermost) and go outwards. The innermost `hide` of them belong to the
 * profiler, and get no frame. */
void host_adopt(profiler *p, coroutine *co, lua_State *L, int first, int hide);

#endif

/* start_stop.h - makes the profiler of a Lua state; starts and stops a recording. */
#ifndef TOLL_LUA_START_STOP_H
#define TOLL_LUA_START_STOP_H

#include "lua_profiler.h"

/* Is L of LuaJIT? Raises an error of Lua's for lack of memory. */
bool host_is_jit(lua_State *L);

/* The state's profiler, made if there is none. It lives until the state closes. NULL: no memory. */
profiler *host_make(lua_State *L);

/* Make the recorder, and all that a recording needs. No event is seen before host_go. False: *err
 * has a message, and nothing has changed. */
bool host_start(profiler *p, lua_State *L, const host_options *options, toll_error *err);

/* Enter the active frames except for the innermost `hide` levels, and set the hooks. */
void host_go(profiler *p, lua_State *L, int hide);

/* Stop the recording, if there is one. `closing`: the Lua state closes, and no script runs any
 * more. */
void host_stop(profiler *p, lua_State *L, bool closing);

#endif

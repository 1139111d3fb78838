/* start_stop.h - a recording of a Lua state: made, started, stopped. */
#ifndef TOLL_LUA_START_STOP_H
#define TOLL_LUA_START_STOP_H

#include "lua_profiler.h"

/* The state's profiler, made if need be. It lives until the state closes. NULL: no memory. */
profiler *host_make(lua_State *L);

/* Makes the recorder, and all that a recording needs, but no event is seen before host_go. False: a
 * message is in *err, and nothing has changed. */
bool host_start(profiler *p, lua_State *L, const host_options *options, toll_error *err);

/* Enters the active frames, but for the innermost `hide` levels, and sets the hooks. */
void host_go(profiler *p, lua_State *L, int hide);

/* Does nothing if nothing is recorded. `closing`: the Lua state closes, no script runs any more. */
void host_stop(profiler *p, lua_State *L, bool closing);

#endif

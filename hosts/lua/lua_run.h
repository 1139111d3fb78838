/* lua_run.h - what `toll run` loads, by a line in LUA_INIT. Its options come in the environment,
 * which is then restored: the script sees its own. */
#ifndef TOLL_LUA_LUA_RUN_H
#define TOLL_LUA_LUA_RUN_H

#include "lua_profiler.h"

/* Starts the recording that the environment asks for; raises an error if it cannot. */
profiler *host_start_run(lua_State *L);

/* Runs the file that the user's own LUA_INIT names, if it names one. (If it contains Lua code, that
 * follows the line that loads us.) */
void host_run_own_init(lua_State *L);

#endif

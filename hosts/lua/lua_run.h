/* lua_run.h - starts the recording of `toll run`, which loads the module by a line in LUA_INIT.
 *
 * The options are in environment variables. They are restored before the script runs, so that it
 * sees its own environment. */
#ifndef TOLL_LUA_LUA_RUN_H
#define TOLL_LUA_LUA_RUN_H

#include "lua_profiler.h"

/* Push the version of Toll that the module is of: one value on the stack. */
int host_push_version(lua_State *L);

/* Start the recording that the environment describes. Raises an error if that fails. */
profiler *host_start_run(lua_State *L);

/* Run the file that the user's own LUA_INIT names, if it names one. (If it contains Lua code, toll
 * run has put that code after the line that loads us.) */
void host_run_own_init(lua_State *L);

#endif

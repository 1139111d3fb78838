/* start_options.h - the options of toll.start and toll.control: a table. */
#ifndef TOLL_LUA_START_OPTIONS_H
#define TOLL_LUA_START_OPTIONS_H

#include "lua_profiler.h"

/* Read the table at index 1, or none, into *o, which is all zero. Raise an error if it is wrong, or
 * TOLL_LABELS is: it is better to fail now than when a file is written. Strings stay on the stack:
 * they live as long as the call. */
void host_read_options(lua_State *L, host_options *o);

/* Push a copy of the table at index 1, in which the output's path is absolute: the program may
 * change the table and its folder before the options are used. */
void host_push_kept_options(lua_State *L, const char *output);

#endif

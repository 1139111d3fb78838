/* lua_names.h - the frame of a function.
 *
 * A Lua function is one frame for each place in the source. Its name is where it is stored
 * (stored_names.h), else what most of its first calls use (frame_names.h), else "file.lua:12".
 *
 * A C function is one frame for each name. One that is stored nowhere is named by its calls, else
 * by its symbol, else by its offset in its shared object, and has the latter as its file.
 *
 * Functions are named when they are first met, and those that are stored nowhere examined at some
 * of their next calls: that may take its time. */
#ifndef TOLL_LUA_LUA_NAMES_H
#define TOLL_LUA_LUA_NAMES_H

#include "lua_profiler.h"

/* The profiler's own function `c` gets no frame. To be called before it is first met. */
void host_hide_function(profiler *p, lua_CFunction c);

/* The function at `ar`, which is met for the first time; valid until the next one. `shows_name`:
 * the call may show the function's name. A tail call does not: Lua knows nothing of the caller
 * then, and LuaJIT names another one. */
object *host_name_function(profiler *p, lua_State *L, lua_Debug *ar, const void *address,
                           bool shows_name);

/* The function at any level, known or not. */
object *host_function_of(profiler *p, lua_State *L, lua_Debug *ar, bool shows_name);

/* A call of a function with OBJECT_OPEN_NAME, which is cleared when enough calls were examined. */
void host_examine_name(profiler *p, lua_State *L, lua_Debug *ar, object *o, bool shows_name);

#endif

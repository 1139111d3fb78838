/* lua_names.h - finds the frame of a function, and names it.
 *
 * A Lua function has one frame for each place in the source. It is named by the place where it is
 * stored (stored_names.h); if it is stored nowhere, by the name that most of its first calls use
 * (frame_names.h); otherwise by its position: "file.lua:12".
 *
 * A C function has one frame for each name. If it is stored nowhere, its calls name it, otherwise
 * its symbol, otherwise its offset in its shared object. That offset is also the frame's file.
 *
 * Naming is slow, but happens only at a function's first event, and at some of the next calls if it
 * is stored nowhere. */
#ifndef TOLL_LUA_LUA_NAMES_H
#define TOLL_LUA_LUA_NAMES_H

#include "lua_profiler.h"

/* Give the profiler's own function `c` no frame. To be called before its first event. */
void host_hide_function(profiler *p, lua_CFunction c);

/* Add and name the function at `ar`, which is new. Valid until the next one is added. `shows_name`:
 * the call may show the function's name. A tail call does not: Lua has no caller then, and LuaJIT
 * names a wrong one. */
object *host_name_function(profiler *p, lua_State *L, lua_Debug *ar, const void *address,
                           bool shows_name);

/* The function at any level, added if it is new. */
object *host_function_of(profiler *p, lua_State *L, lua_Debug *ar, bool shows_name);

/* The frame of the function at a level, for samples: nothing of the function is remembered but its
 * place or its C function, since Lua may free it at any time. */
toll_frame_id host_frame_of_level(profiler *p, lua_State *L, lua_Debug *ar, bool *is_native);

/* The same for a C function of which only the address is known. L is NULL where Lua's functions may
 * not be called: then its symbol or place names it. TOLL_NONE: it is the profiler's own. */
toll_frame_id host_frame_of_c_function(profiler *p, lua_State *L, lua_CFunction c);

/* The same for a Lua function whose place is known: the fields of lua_getinfo's "S". */
toll_frame_id host_frame_of_place(profiler *p, const lua_Debug *ar);

/* Examine a call of a function with OBJECT_OPEN_NAME. Clears that flag when enough calls were
 * examined. */
void host_examine_name(profiler *p, lua_State *L, lua_Debug *ar, object *o, bool shows_name);

#endif

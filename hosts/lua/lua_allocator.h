/* lua_allocator.h - Lua's allocator, called by one of ours: to forget objects when Lua frees them,
 * and, with the heap option, to charge allocations to the call stack that makes them. */
#ifndef TOLL_LUA_LUA_ALLOCATOR_H
#define TOLL_LUA_LUA_ALLOCATOR_H

#include "lua_profiler.h"

void host_take_allocator(profiler *p, lua_State *L);

/* Sets Lua's own allocator again. If another one has replaced ours since, ours must stay, and the
 * profiler is never reused. */
void host_give_back_allocator(profiler *p, lua_State *L);

/* The profiler, while the allocator is ours; else NULL. */
profiler *host_of_allocator(lua_State *L);

#endif

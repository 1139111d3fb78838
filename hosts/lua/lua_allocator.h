/* lua_allocator.h - wraps Lua's allocator, to forget objects that Lua frees and to charge
 * allocations to their call stacks (heap option). */
#ifndef TOLL_LUA_LUA_ALLOCATOR_H
#define TOLL_LUA_LUA_ALLOCATOR_H

#include "lua_profiler.h"

void host_replace_allocator(profiler *p, lua_State *L);

/* Set Lua's own allocator again. If somebody has replaced ours since, ours must stay, since the new
 * one may call it; then the profiler is never used again. */
void host_restore_allocator(profiler *p, lua_State *L);

/* The profiler, while the allocator is ours; otherwise NULL. */
profiler *host_of_allocator(lua_State *L);

#endif

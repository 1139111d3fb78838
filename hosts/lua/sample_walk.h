/* sample_walk.h - takes samples of Lua 5.1 to 5.4, which have no profiler of their own.
 *
 * The signal's handler reads the stack out of memory (luastack/lua_walk.h), since Lua's functions
 * may not be called there, and keeps it. What is kept is charged later, at a point where memory may
 * be allocated and functions be named.
 *
 * A hook would see the stack only at Lua's next safe point, which is often in another function. It
 * is used for names alone: after a sample with a function that has none, our hook is called at the
 * next instruction, once, where Lua knows the name. */
#ifndef TOLL_LUA_SAMPLE_WALK_H
#define TOLL_LUA_SAMPLE_WALK_H

#include "lua_profiler.h"

/* Start to take samples in the calling thread. False: *err says why it cannot be done. */
bool host_walk_start(profiler *p, lua_State *L, toll_error *err);

/* Charge what is kept. L is NULL where Lua's functions may not be called. The profiler is busy. */
void host_walk_charge(profiler *p, lua_State *L);

/* Stop it, and free what it has needed. */
void host_walk_stop(profiler *p, lua_State *L);

#endif

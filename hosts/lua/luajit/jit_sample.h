/* jit_sample.h - LuaJIT: takes samples with its compiler on, by LuaJIT's own profiler.
 *
 * LuaJIT's profiler interrupts by a timer that ticks as seldom as the kernel's clock, and gives all
 * samples one weight. So ours (sample_timer.h) interrupts, LuaJIT's handler asks for a sample at
 * the next instruction where the stack can be read, and its weight is the CPU time since the last
 * one. */
#ifndef TOLL_LUA_JIT_SAMPLE_H
#define TOLL_LUA_JIT_SAMPLE_H

#include "lua_profiler.h"

#if IS_51

/* Start to take samples. False: *err says why it cannot be done. */
bool host_jit_sample(profiler *p, lua_State *L, toll_error *err);

void host_jit_stop_sampling(profiler *p, lua_State *L);

#endif
#endif

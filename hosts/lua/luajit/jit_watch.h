/* jit_watch.h - LuaJIT: finds which instruction runs after the C function that was just called, and
 * makes only that one seen (jit_table.h says why). */
#ifndef TOLL_LUA_JIT_WATCH_H
#define TOLL_LUA_JIT_WATCH_H

#include "lua_profiler.h"
#include "luajit/jit_frame.h"

#if IS_51

/* Find coroutine.yield, coroutine.resume and the function that coroutine.wrap returns. To be called
 * at the start. If one is not found, no function is watched. */
void host_find_jit_switches(profiler *p, lua_State *L);

/* The object_flags of a C function that say how it returns; 0: not known. */
uint32_t host_jit_flags(const profiler *p, const void *function);

/* The instruction that runs after an error which leaves a coroutine, if the innermost frame of
 * `resumer` has resumed it. */
uint8_t host_landing_outside(const coroutine *resumer);

/* host_watch_return for a function that switches coroutines. */
bool host_watch_switch(profiler *p, lua_State *L, frame_ref f);

static inline uint8_t host_landing(const coroutine *co, uint8_t landing)
{
    return landing == JIT_OUTSIDE ? co->landing_outside : landing;
}

/* From now on see only the instruction after the current C function, `f`. False: that instruction
 * is not known, and nothing is changed. */
static inline bool host_watch_return(profiler *p, lua_State *L, frame_ref f)
{
    if (f.flags & OBJECT_GOES_ON) {
        uint8_t landing = host_landing(p->co, host_native_landing(f));
        if (!jit_table_see_some(&p->table, host_native_next(f), landing, JIT_NOWHERE, NULL))
            return false;
    } else if (!host_watch_switch(p, L, f)) {
        return false;
    }
    p->armed = true;
    return true;
}

#endif
#endif

/* fast_hook.h - our hook, which Lua calls for each event; its fast path handles the common ones.
 *
 * With lines, those are lines of the current coroutine's innermost frame. Else they are calls and
 * returns of the current coroutine, of functions and from frames that are known already, under a
 * recorder that has one counter. They are nearly all events, and each instruction
 * shows in the time of a program of tiny calls. */
#ifndef TOLL_LUA_FAST_HOOK_H
#define TOLL_LUA_FAST_HOOK_H

#include "lua_profiler.h"
#include "record/fast_path.h"

/* For lua_sethook: for LuaJIT, or for the Lua that the module is built for; with lines or without;
 * `timed`: with a timeline. */
lua_Hook host_hook(bool jit, bool lines, bool timed);

static inline bool host_may_take_fast_path(const profiler *p)
{
    return p->options.lines ? !p->options.ticks
                            : p->reads_callinfo && toll_recorder_is_fast(p->recorder, 1);
}

#endif

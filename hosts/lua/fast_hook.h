/* fast_hook.h - our hook, which Lua calls for each event; its fast path handles the common ones.
 *
 * With lines, the common events are lines of the current coroutine's innermost frame. Without lines
 * they are calls and returns in the current coroutine, if the function is known, the innermost
 * frame is the expected one, and no counter but the time moves. Nearly all events are of these
 * kinds. Each instruction here shows in the run time of a program that makes many short calls. */
#ifndef TOLL_LUA_FAST_HOOK_H
#define TOLL_LUA_FAST_HOOK_H

#include "lua_profiler.h"
#include "record/fast_path.h"

/* The hook to pass to lua_sethook. `jit`: for LuaJIT; otherwise for the Lua for which the module is
 * built. `timed`: with a timeline. */
lua_Hook host_hook(bool jit, bool lines, bool timed);

static inline bool host_may_take_fast_path(const profiler *p)
{
    const uint32_t counters = p->cpu_is_cheap ? 2 : 1;
    return p->options.lines ? !p->options.ticks
                            : p->reads_callinfo && toll_recorder_is_fast(p->recorder, counters);
}

#endif

/* user_hook.h - hooks that are not ours: of the script (debug.sethook) and of the host
 * (lua_sethook).
 *
 * While a profile is recorded the real hook is ours. It calls the other one for the events that
 * that one asked for, as Lua would: with the same lua_Debug, at the same level of the stack, and
 * after as many instructions. At the stop the other one becomes the real hook again. To Lua, a hook
 * of the script's is one of the debug library's, which finds the script's function by itself: both
 * kinds are alike here.
 *
 * During the recording debug.sethook and debug.gethook are replaced by functions that call the
 * library's own, and make sure that these find the hook which they expect. */
#ifndef TOLL_LUA_USER_HOOK_H
#define TOLL_LUA_USER_HOOK_H

#include "lua_profiler.h"

/* The events of our own hook, except for counted instructions. */
static inline int host_hook_mask(const profiler *p)
{
    return LUA_MASKCALL | LUA_MASKRET | (p->options.lines ? LUA_MASKLINE : 0);
}

/* Sets our hook on L, for our events and those of the other hook. */
void host_set_hook(profiler *p, lua_State *L);

/* Removes our hook from L, if it is there, and sets the other one. */
void host_unset_hook(profiler *p, lua_State *L);

/* Remembers the hook that is set on L as the other one, unless it is ours. */
void host_take_over_hook(profiler *p, lua_State *L);

/* Calls the other hook, if it wants the event. It may fail or yield. */
void host_call_user_hook(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar);

/* Replaces debug.sethook and debug.gethook, and back. */
void host_take_debug(profiler *p, lua_State *L);
void host_give_back_debug(lua_State *L);

#endif

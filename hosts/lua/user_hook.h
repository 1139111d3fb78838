/* user_hook.h - calls the hooks of others during a recording: of the script (debug.sethook) and of
 * the host (lua_sethook).
 *
 * During a recording Lua's hook is ours. It calls the other hook for the events that this one has
 * asked for, exactly as Lua would: with the same lua_Debug, at the same level of the stack, and
 * after the same number of instructions. When the recording stops, the other hook becomes Lua's
 * hook again. Both kinds are handled alike: for a script's function the debug library sets a hook
 * of its own, which finds the function by itself.
 *
 * During the recording functions of ours replace debug.sethook and debug.gethook. They call the
 * library's own functions, and make sure that these find the hook that they expect. */
#ifndef TOLL_LUA_USER_HOOK_H
#define TOLL_LUA_USER_HOOK_H

#include "lua_profiler.h"

/* The events of our own hook, except for counted instructions. */
static inline int host_hook_mask(const profiler *p)
{
    return LUA_MASKCALL | LUA_MASKRET | (p->options.lines ? LUA_MASKLINE : 0);
}

/* Set our hook on L, for our events and those of the other hook. */
void host_set_hook(profiler *p, lua_State *L);

/* Remove our hook from L, if it is there, and set the other one. */
void host_unset_hook(profiler *p, lua_State *L);

/* Remember the hook that is set on L as the other one, unless it is ours. */
void host_take_over_hook(profiler *p, lua_State *L);

/* Call the other hook, if it wants the event. It may fail or yield. */
void host_call_user_hook(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar);

/* Replace debug.sethook and debug.gethook; restore them. */
void host_replace_debug(profiler *p, lua_State *L);
void host_restore_debug(lua_State *L);

#endif

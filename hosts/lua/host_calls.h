/* host_calls.h - observes the host's calls of lua_resume, lua_pcall and lua_call.
 *
 * There are two reasons. First, Lua calls no hook when a coroutine fails, or yields to the host:
 * its frames would stay open, and be charged for what the host does next. Second, a host may set a
 * hook of its own before each lua_resume, as servers do for every request; then Lua does not call
 * ours.
 *
 * So functions of ours replace Lua's in the host's global offset table (offset_tables.h). Before
 * the call they set our hook again, which calls the host's. After the call they make the caller's
 * frames current again. */
#ifndef TOLL_LUA_HOST_CALLS_H
#define TOLL_LUA_HOST_CALLS_H

#include "lua_api.h"

/* Observe the host's calls from now on, in each thread. */
void host_watch_calls(void);

/* Called before each call of the host's that is observed, with the state that it calls; NULL:
 * nothing is (lua_control.c). It may set a hook, and call nothing of Lua's that may fail. */
extern void (*_Atomic host_before_call)(lua_State *L);

#endif

/* host_calls.h - the host's calls of lua_resume, lua_pcall and lua_call.
 *
 * No hook is called when a coroutine yields to a host, or fails: without more, its frames would
 * stay, and be charged for what the host does next. And a host may set a hook of its own before
 * each lua_resume, as servers do for every request; then ours is not called. Both are seen where
 * the host calls Lua, through its global offset table (offset_tables.h): before the call our hook
 * is set again, and calls the host's; after it the caller's frames are current again. */
#ifndef TOLL_LUA_HOST_CALLS_H
#define TOLL_LUA_HOST_CALLS_H

/* The host's calls are seen from now on, in each thread. */
void host_watch_calls(void);

#endif

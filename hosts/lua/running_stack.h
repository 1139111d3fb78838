/* running_stack.h - reads the call stack of the coroutine that runs in this thread, at any moment:
 * in a signal's handler, where Lua's functions may not be called. Lua 5.1 to 5.4. */
#ifndef TOLL_LUA_RUNNING_STACK_H
#define TOLL_LUA_RUNNING_STACK_H

#include "lua_api.h"
#include "luastack/lua_walk.h"

#include <toll/error.h>

/* Of a Lua state. All 0: closed. */
typedef struct host_running_stack {
    toll_lua_walk *now; /* the stack that was read last */
    toll_lua_walk *next;
    lua_State *main_thread; /* of the state; where 5.1 does not show it, the one at the opening */
    uint64_t global, resume, wrap;
} host_running_stack;

/* May raise an error of Lua's for lack of memory, with *r closed. False: *err says why it cannot be
 * done. */
bool host_running_stack_open(host_running_stack *r, lua_State *L, toll_error *err);

/* Read it. Returns its coroutine; NULL: it changes at this moment. Safe in a signal's handler, also
 * of a forked process. */
lua_State *host_running_stack_read(host_running_stack *r);

void host_running_stack_close(host_running_stack *r);

#endif

/* lua_running.h - reads the call stack of the coroutine of a state that runs now, in another
 * process. */
#ifndef TOLL_LUA_RUNNING_H
#define TOLL_LUA_RUNNING_H

#include "lua_find.h"
#include "lua_walk.h"

/* A state, and the walks of its innermost coroutine and of one that it may have resumed. */
typedef struct toll_lua_running {
    uint64_t main_thread, global;
    toll_lua_walk *now; /* the stack that was read last; none: nothing of the state runs */
    toll_lua_walk *next;
    uint64_t coroutine; /* whose stack it is */
} toll_lua_running;

/* False: no memory. Close it in any case. */
bool toll_lua_running_open(toll_lua_running *running, const toll_lua_state *state, pid_t pid);
void toll_lua_running_close(toll_lua_running *running);

/* Read the stack: from the main thread on, of each coroutine that the last has resumed. If the main
 * thread does nothing, the host may have resumed one itself. False: it changes at this moment. */
bool toll_lua_running_read(toll_lua_running *running, const toll_mappings *mappings,
                           struct toll_lua_stacks *stacks);

#endif

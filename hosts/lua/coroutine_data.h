/* coroutine_data.h - a coroutine and its call stack, as the profiler keeps them. Data alone: the
 * functions are in call_stack.h, coroutine_list.h and coroutine_switch.h. */
#ifndef TOLL_LUA_COROUTINE_DATA_H
#define TOLL_LUA_COROUTINE_DATA_H

#include "lua_api.h"
#include "object_map.h"

/* An active frame. `ci` identifies it: in Lua 5.2 and later it is the pointer to the CallInfo, of
 * which there is one for each level; in 5.1 it is the level; in LuaJIT the slot on the stack.
 * Levels and slots grow with depth. */
typedef struct entry {
    uintptr_t ci;
    frame_ref f;
} entry;

/* A hook of the host or the script: the arguments of lua_sethook, and, where we count for it, how
 * many instructions remain until its next count event. */
typedef struct user_hook {
    lua_Hook hook; /* NULL: none */
    int mask, count, remaining;
} user_hook;

typedef struct coroutine {
    lua_State *L;
    toll_track *track;         /* NULL until its first event */
    struct coroutine *resumer; /* the one that resumed it, while it runs; borrowed */
    /* The active frames, outermost first, are stack[1] to *top. stack[0] has a ci of 0 and no
     * frame. `last` is the last entry for which there is room. */
    entry *stack, *top, *last;
    /* The hook of Lua 5.1 does not say whether a call is a tail call. Where the calling instruction
     * cannot be read (reads_callinfo is false), the call of `pending_function` is recorded at the
     * next event, which shows it. */
    bool pending;
    frame_ref pending_function;
    /* LuaJIT: the opcode that runs after an error in the innermost frame, and after an error that
     * leaves the coroutine. */
    uint8_t landing, landing_outside;
    bool is_entered; /* the host's calls into it are seen (host_calls.h), so its hook does not
                        matter */
    user_hook user;
} coroutine;

#endif

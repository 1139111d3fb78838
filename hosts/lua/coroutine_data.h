/* coroutine_data.h - a coroutine and its call stack, as the profiler keeps them. Data alone: the
 * functions are in call_stack.h, coroutine_list.h and coroutine_switch.h. */
#ifndef TOLL_LUA_COROUTINE_DATA_H
#define TOLL_LUA_COROUTINE_DATA_H

#include "lua_api.h"
#include "object_map.h"

/* An active frame. It is known by its CallInfo: in Lua 5.2 and later by the pointer to it, of which
 * there is one for each level; in 5.1 by the level; in LuaJIT by its slot on the stack. The latter
 * two grow with depth. */
typedef struct entry {
    uintptr_t ci;
    frame_ref f;
} entry;

/* A hook of the host's or the script's: what lua_sethook was given, and how many instructions are
 * left until its next count event, where we count for it. */
typedef struct user_hook {
    lua_Hook hook; /* NULL: none */
    int mask, count, left;
} user_hook;

typedef struct coroutine {
    lua_State *L;
    toll_track *track;         /* NULL until its first event */
    struct coroutine *resumer; /* while it runs: the one that resumed it; borrowed */
    /* The active frames, outermost first, are stack + 1 to top; stack[0] has a ci of 0 and no
     * frame. `last` is the last entry that there is room for. */
    entry *stack, *top, *last;
    /* Lua 5.1 shows a tail call only afterwards: where the calling instruction cannot be read, the
     * call of `pending_function` is not recorded before the next event. */
    bool pending;
    frame_ref pending_function;
    /* LuaJIT: the instruction that runs after an error in the innermost frame; and after one that
     * leaves the coroutine. */
    uint8_t landing, landing_outside;
    bool is_entered; /* the host's calls into it are seen (host_calls.h), whatever hook it sets */
    user_hook user;
} coroutine;

#endif

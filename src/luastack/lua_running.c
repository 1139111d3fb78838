/* lua_running.c - see lua_running.h. */
#ifdef __linux__
#include "lua_running.h"

enum { MOST_THREADS = 100 };

bool toll_lua_running_open(toll_lua_running *r, const toll_lua_state *state, pid_t pid)
{
    *r = (toll_lua_running){ .main_thread = state->address, .coroutine = state->address };
    r->now = toll_lua_walk_new(state->layout, pid);
    r->next = toll_lua_walk_new(state->layout, pid);
    if (r->now)
        r->global = toll_lua_walk_global(r->now, state->address);
    return r->now && r->next;
}

void toll_lua_running_close(toll_lua_running *r)
{
    toll_lua_walk_free(r->now);
    toll_lua_walk_free(r->next);
    *r = (toll_lua_running){ 0 };
}

static bool is_new(const uint64_t *seen, uint32_t count, uint64_t thread)
{
    for (uint32_t i = 0; i < count; i++)
        if (seen[i] == thread)
            return false;
    return true;
}

bool toll_lua_running_read(toll_lua_running *r, const toll_mappings *mappings,
                           struct toll_lua_stacks *stacks)
{
    uint64_t seen[MOST_THREADS] = { r->main_thread };
    r->coroutine = r->main_thread;
    if (!toll_lua_walk_state(r->now, r->main_thread))
        return false;
    if (!r->now->count) {
        seen[0] = toll_lua_find_running(mappings, r->now->layout, r->global, stacks);
        if (!seen[0])
            return true;
        r->coroutine = seen[0];
        if (!toll_lua_walk_state(r->now, seen[0]))
            return false;
    }
    for (uint32_t n = 1; n < MOST_THREADS; n++) {
        uint64_t thread = toll_lua_walk_related(r->now);
        if (!thread || !is_new(seen, n, thread) || !toll_lua_walk_state(r->next, thread) ||
            !r->next->count)
            break;
        toll_lua_walk *resumer = r->now;
        r->now = r->next;
        r->next = resumer;
        r->coroutine = seen[n] = thread;
    }
    return true;
}

#else

typedef int toll_no_lua_running; /* a file may not be empty */

#endif

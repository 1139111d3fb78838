/* host_calls.c - see host_calls.h. Without a recording each of these functions only calls Lua's. */
#include "host_calls.h"

#include "coroutine_switch.h"
#include "lua_allocator.h"
#include "offset_tables.h"
#include "process_end.h"
#include "user_hook.h"

/* --- in and out --------------------------------------------------------------------------------*/

typedef struct entry_point {
    lua_State *caller; /* the coroutine that was current at the call; NULL: the host */
    lua_State *outer;  /* host_entered at the call */
    bool known;        /* was a profile recorded at the call? */
} entry_point;

void (*_Atomic host_before_call)(lua_State *L);

static profiler *recording_of(lua_State *L)
{
    profiler *p = host_of_allocator(L);
    return p && p->active ? p : NULL;
}

/* Note that the host's calls into this coroutine are seen: each of them sets our hook again. */
static void mark_entered(const profiler *p, lua_State *L)
{
    coroutine *co = host_known_coroutine(p, L);
    if (co)
        co->is_entered = true;
}

/* The host calls Lua. The caller is a C function of the current coroutine; or the host outside of
 * Lua, if that coroutine has yielded or ended without an event. */
static entry_point enter(lua_State *L)
{
    profiler *p = recording_of(L);
    entry_point from = { NULL, host_entered, false };
    void (*before)(lua_State *) = atomic_load_explicit(&host_before_call, memory_order_relaxed);
    host_entered = L;
    if (UNLIKELY(before != NULL))
        before(L);
    if (!p)
        return from;
    int was_busy = host_begin_change(p);
    if (p->active) {
        if (!host_is_hook(p, lua_gethook(L))) {
            host_take_over_hook(p, L);
            host_set_hook(p, L);
            mark_entered(p, L);
        }
        p->entered = L;
        host_catch_up(p);
        from.caller = p->co->L;
        from.known = true;
    }
    host_end_change(p, was_busy);
    return from;
}

/* Lua returns to the host: by a return, a yield or an error. */
static void leave(lua_State *L, entry_point from)
{
    profiler *p = recording_of(L);
    host_entered = from.outer;
    if (!p || (from.known && p->co->L == from.caller))
        return;
    if (!from.known) /* the recording has started during the call */
        from.caller = host_has_frames(L) ? L : NULL;
    int was_busy = host_begin_change(p);
    if (p->active) {
        host_read_counters(p);
        host_go_back(p, from.caller ? host_known_coroutine(p, from.caller) : NULL);
    }
    host_end_change(p, was_busy);
}

/* --- the functions -----------------------------------------------------------------------------*/

#if LUA_VERSION_NUM >= 504
#define RESUME_PARAMETERS lua_State *L, lua_State *from, int count, int *results
#define RESUME_ARGUMENTS L, from, count, results
#elif LUA_VERSION_NUM >= 502
#define RESUME_PARAMETERS lua_State *L, lua_State *from, int count
#define RESUME_ARGUMENTS L, from, count
#else
#define RESUME_PARAMETERS lua_State *L, int count
#define RESUME_ARGUMENTS L, count
#endif

static int our_resume(RESUME_PARAMETERS)
{
    entry_point caller = enter(L);
    int status = lua_resume(RESUME_ARGUMENTS);
    leave(L, caller);
    return status;
}

#if LUA_VERSION_NUM >= 502

#if LUA_VERSION_NUM >= 503
typedef lua_KContext context;
typedef lua_KFunction continuation;
#else
typedef int context;
typedef lua_CFunction continuation;
#endif

static void our_call(lua_State *L, int arguments, int results, context c, continuation k)
{
    entry_point caller = enter(L);
    lua_callk(L, arguments, results, c, k);
    leave(L, caller);
}

static int our_pcall(lua_State *L, int arguments, int results, int handler, context c,
                     continuation k)
{
    entry_point caller = enter(L);
    int status = lua_pcallk(L, arguments, results, handler, c, k);
    leave(L, caller);
    return status;
}

#define CALL "lua_callk", (uintptr_t)lua_callk
#define PCALL "lua_pcallk", (uintptr_t)lua_pcallk

#else

static void our_call(lua_State *L, int arguments, int results)
{
    entry_point caller = enter(L);
    lua_call(L, arguments, results);
    leave(L, caller);
}

static int our_pcall(lua_State *L, int arguments, int results, int handler)
{
    entry_point caller = enter(L);
    int status = lua_pcall(L, arguments, results, handler);
    leave(L, caller);
    return status;
}

static int our_cpcall(lua_State *L, lua_CFunction function, void *user)
{
    entry_point caller = enter(L);
    int status = lua_cpcall(L, function, user);
    leave(L, caller);
    return status;
}

#define CALL "lua_call", (uintptr_t)lua_call
#define PCALL "lua_pcall", (uintptr_t)lua_pcall

#endif

static const host_replacement replacements[] = {
    { "lua_resume", (uintptr_t)lua_resume, (uintptr_t)our_resume },
    { CALL, (uintptr_t)our_call },
#if LUA_VERSION_NUM < 502
    { "lua_cpcall", (uintptr_t)lua_cpcall, (uintptr_t)our_cpcall },
#endif
    { PCALL, (uintptr_t)our_pcall }
};

void host_watch_calls(void)
{
    host_replace_calls(replacements, sizeof replacements / sizeof *replacements);
}

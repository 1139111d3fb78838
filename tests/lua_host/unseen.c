/* unseen.c - coroutines of a host whose calls into Lua cannot be seen, because Lua is linked into
 * it: exactly these are counted in a note. */
#include "host.h"

enum { REQUESTS = 50 };

#define REPLACED "coroutines with a hook of the host's"
#define RESUMED "coroutines that the host resumes unseen"

/* Whether a coroutine is known before its first event: Lua 5.1 does not report new ones. */
enum { KNOWN_WHEN_MADE = LUA_VERSION_NUM >= 502 };

static bool is_jit(lua_State *L)
{
    lua_getglobal(L, "jit");
    bool jit = !lua_isnil(L, -1);
    lua_pop(L, 1);
    return jit;
}

static void limit(lua_State *L, lua_Debug *ar)
{
    (void)L;
    (void)ar;
}

typedef enum hook_use { NO_HOOK, BEFORE_EACH, AFTER_A_TURN, UNTIL_DONE } hook_use;

/* Leaves the coroutine on the stack. */
static void serve(lua_State *L, const char *handler, hook_use use)
{
    lua_State *T = lua_newthread(L);
    lua_getglobal(L, handler);
    lua_xmove(L, T, 1);
    if (use == BEFORE_EACH || use == UNTIL_DONE)
        lua_sethook(T, limit, LUA_MASKCOUNT, 1000);
    while (host_resume(T, L) == LUA_YIELD)
        if (use == BEFORE_EACH || use == AFTER_A_TURN)
            lua_sethook(T, limit, LUA_MASKCOUNT, 1000);
    if (use == UNTIL_DONE)
        lua_sethook(T, NULL, 0, 0);
}

static void require_notes(lua_State *L, const char *what, uint64_t replaced, uint64_t resumed)
{
    toll_profile *profile = host_profile(L);
    uint64_t has_replaced = host_note(profile, REPLACED), has_resumed = host_note(profile, RESUMED);
    host_require(has_replaced == replaced && has_resumed == resumed,
                 "%s: %llu replaced, %llu resumed unseen; not %llu and %llu", what,
                 (unsigned long long)has_replaced, (unsigned long long)has_resumed,
                 (unsigned long long)replaced, (unsigned long long)resumed);
    toll_profile_free(profile);
}

/* Those of even number are collected before the stop. */
static void serve_all(const char *what, hook_use use, uint64_t replaced, uint64_t resumed)
{
    lua_State *L = host_new();
    host_run(L, "if jit then jit.off() end "
                "function leaf() end "
                "function in_turns() leaf() coroutine.yield() leaf() end");
    host_run(L, "toll.start(options)");
    lua_checkstack(L, REQUESTS);
    for (int i = 0; i < REQUESTS; i++) {
        serve(L, "in_turns", use);
        if (i % 2 == 0)
            lua_pop(L, 1);
    }
    lua_gc(L, LUA_GCCOLLECT, 0);
    lua_gc(L, LUA_GCCOLLECT, 0);
    host_run(L, "toll.stop()");
    if (is_jit(L)) /* all have one hook: the first request's replaces ours */
        require_notes(L, what, use != NO_HOOK, use == NO_HOOK ? REQUESTS : use == AFTER_A_TURN);
    else
        require_notes(L, what, replaced, resumed);
    lua_close(L);
}

/* Coroutines that Lua itself resumes are seen; one that was only created is not counted. */
static void serve_none(void)
{
    lua_State *L = host_new();
    host_run(L, "toll.start(options)\n"
                "local function turns() coroutine.yield() end\n"
                "for i = 1, 50 do\n"
                "  local co = coroutine.create(turns)\n"
                "  coroutine.resume(co) coroutine.resume(co)\n"
                "  coroutine.wrap(turns)() pcall(coroutine.wrap(function() error 'x' end))\n"
                "  kept = coroutine.create(turns)\n"
                "end\n"
                "toll.stop()");
    require_notes(L, "no host's", 0, 0);
    lua_close(L);
}

/* --- time --------------------------------------------------------------------------------------*/

enum { WORK = 10, AWAY = 1000 };

static int wait(lua_State *L)
{
    host_pass_time(WORK);
    return lua_yield(L, 0);
}

/* Gives each of two coroutines a turn, and works after it. */
static int pump(lua_State *L)
{
    for (int i = 1; i <= 2; i++) {
        host_resume(lua_tothread(L, i), L);
        host_pass_time(AWAY);
    }
    return 0;
}

/* The first one's end is noticed at the second's first event, whose caller is `pump` again; all
 * since the last event is then the caller's. The second one's is noticed when `pump` returns. */
static void serve_in_turns(void)
{
    lua_State *L = host_new();
    lua_register(L, "wait", wait);
    lua_register(L, "pump", pump);
    host_run(L, "local function waits() wait() end toll.start(options) "
                "pump(coroutine.create(waits), coroutine.create(waits)) toll.stop()");
    toll_profile *profile = host_profile(L);
    int64_t outside = host_self(profile, "cpu", "(outside)");
    int64_t waits = host_self(profile, "cpu", "wait"), pumps = host_self(profile, "cpu", "pump");
    host_require(outside == 0 && waits == WORK + AWAY && pumps == WORK + AWAY,
                 "in turns: (outside) has %lld, wait %lld, pump %lld; not 0, %d, %d",
                 (long long)outside, (long long)waits, (long long)pumps, WORK + AWAY, WORK + AWAY);
    toll_profile_free(profile);
    require_notes(L, "in turns", 0, 0);
    lua_close(L);
}

static void run(void)
{
    uint64_t if_known = KNOWN_WHEN_MADE ? REQUESTS : 0;
    serve_none();
    serve_all("no hook", NO_HOOK, 0, REQUESTS);
    serve_all("a hook before each turn", BEFORE_EACH, if_known, 0);
    serve_all("a hook from the second turn on", AFTER_A_TURN, REQUESTS, REQUESTS);
    serve_all("a hook until it is done", UNTIL_DONE, if_known, 0);
    serve_in_turns();
}

const host_test host_unseen = { "unseen", run };

/* coroutines.c - the host makes coroutines, sets its own hook on them, and resumes them, like
 * servers do for each request. */
#include "host.h"

enum { REQUESTS = 50, CALLS = 1000, PERIOD = 200 };

static int fired, yield_every;

static void limit(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    fired++;
    if (yield_every && fired % yield_every == 0)
        lua_yield(L, 0);
}

/* The hook is set again before each resume, and removed at the end. Returns how often it was
 * called. */
static int serve(lua_State *L, const char *handler)
{
    int status = LUA_YIELD;
    fired = 0;
    lua_State *T = lua_newthread(L);
    lua_getglobal(L, handler);
    lua_xmove(L, T, 1);
    while (status == LUA_YIELD) {
        lua_sethook(T, limit, LUA_MASKCOUNT, PERIOD);
        status = host_resume(T, L);
    }
    host_require(status == 0, "%s failed: status %d", handler, status);
    lua_sethook(T, NULL, 0, 0);
    lua_pop(L, 1);
    lua_gc(L, LUA_GCSTEP, 0);
    return fired;
}

static void serve_all(lua_State *L, const char *handler, int plain)
{
    host_run(L, "toll.start(options)");
    for (int i = 0; i < REQUESTS; i++) {
        int count = serve(L, handler);
        host_require(count == plain, "%s: the host's hook fired %d times, %d without recording",
                     handler, count, plain);
    }
    host_run(L, "toll.stop()");
    toll_profile *profile = host_profile(L);
    int64_t calls = host_self(profile, "calls", "leaf");
    host_require(calls == REQUESTS * CALLS, "%s: %lld calls of %d were seen", handler,
                 (long long)calls, REQUESTS * CALLS);
    uint64_t unseen = host_note(profile, "coroutines ");
    host_require(unseen == 0, "%s: %llu coroutines are told of as unseen", handler,
                 (unsigned long long)unseen);
    toll_profile_free(profile);
}

static void run(void)
{
    static const char *const handlers[] = { "at_once", "in_turns", "in_c", "nested" };
    lua_State *L = host_new();
    host_run(L, "if jit then jit.off() end\n"
                "function leaf() return 1 end\n"
                "function at_once() for i = 1, 1000 do leaf() end end\n"
                "function in_turns() for i = 1, 1000 do leaf()\n"
                "  if i % 300 == 0 then coroutine.yield() end end end\n"
                "function in_c() pcall(pcall, at_once) end\n"
                "function nested() coroutine.wrap(at_once)() end");
    for (yield_every = 0; yield_every <= 3; yield_every += 3) {
        for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
            if (yield_every && i > 1) /* yields across pcall in 5.1, and within a coroutine */
                break;
            serve_all(L, handlers[i], serve(L, handlers[i]));
        }
    }
    lua_close(L);
}

const host_test host_coroutines = { "coroutines", run };

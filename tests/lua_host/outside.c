/* outside.c - time while the host runs is charged to no function, in particular not to one that has
 * yielded or failed. Time passes only when the functions here say so. */
#include "host.h"

enum { WORK = 10, AWAY = 1000 };

/* Works a little, then waits for something, as a server's sleep() or receive(). */
static int wait(lua_State *L)
{
    host_pass_time(WORK);
    return lua_yield(L, 0);
}

static int work(lua_State *L)
{
    (void)L;
    host_pass_time(WORK);
    return 0;
}

/* A C function of the host's that resumes its argument until it ends, and works in between. */
static int pump(lua_State *L)
{
    lua_State *T = lua_tothread(L, 1);
    while (host_resume(T, L) == LUA_YIELD)
        host_pass_time(AWAY);
    return 0;
}

static lua_State *new_request(lua_State *L, const char *handler)
{
    lua_State *T = lua_newthread(L);
    lua_getglobal(L, handler);
    lua_xmove(L, T, 1);
    return T;
}

static void serve(lua_State *L, const char *handler)
{
    lua_State *T = new_request(L, handler);
    while (host_resume(T, L) == LUA_YIELD)
        host_pass_time(AWAY);
    host_pass_time(AWAY);
    lua_pop(L, 1);
}

/* Two requests at once, in turns. */
static void serve_two(lua_State *L, const char *handler)
{
    lua_State *a = new_request(L, handler), *b = new_request(L, handler);
    int more;
    do {
        more = host_resume(a, L) == LUA_YIELD;
        host_pass_time(AWAY);
        more = host_resume(b, L) == LUA_YIELD && more;
        host_pass_time(AWAY);
    } while (more);
    lua_pop(L, 2);
}

static void require_self(lua_State *L, const char *what, int64_t away, int64_t waiting,
                         int64_t pumping)
{
    toll_profile *profile = host_profile(L);
    int64_t outside = host_self(profile, "cpu", "(outside)");
    int64_t waits = host_self(profile, "cpu", "wait"), pumps = host_self(profile, "cpu", "pump");
    int64_t yields = host_self(profile, "cpu", "coroutine.yield");
    host_require(
        outside == away && waits == waiting && pumps == pumping && yields == 0,
        "%s: (outside) has %lld, wait %lld, pump %lld, coroutine.yield %lld; not %lld, %lld, "
        "%lld, 0",
        what, (long long)outside, (long long)waits, (long long)pumps, (long long)yields,
        (long long)away, (long long)waiting, (long long)pumping);
    toll_profile_free(profile);
}

static void start(lua_State *L)
{
    host_run(L, "toll.start(options)");
    host_pass_time(AWAY);
}

static void stop(lua_State *L, const char *what, int64_t away, int64_t waiting, int64_t pumping)
{
    host_run(L, "toll.stop()");
    require_self(L, what, away, waiting, pumping);
}

/* Recording begins in a coroutine, which waits then. */
static void start_in_request(lua_State *L)
{
    serve(L, "starts");
    stop(L, "started in a request", 3 * AWAY, 2 * WORK, 0);
}

static void run(void)
{
    lua_State *L = host_new();
    lua_register(L, "wait", wait);
    lua_register(L, "work", work);
    lua_register(L, "pump", pump);
    host_run(L, "function waits() wait() work() wait() end "
                "function yields() work() coroutine.yield() work() coroutine.yield() end "
                "function fails() work() error 'x' end "
                "function starts() toll.start(options) wait() wait() end "
                "function pumps() pump(coroutine.create(waits)) end");
    start(L);
    serve(L, "waits");
    stop(L, "one request", 4 * AWAY, 2 * WORK, 0);
    start(L);
    serve_two(L, "waits");
    stop(L, "two requests", 7 * AWAY, 4 * WORK, 0);
    start(L);
    serve(L, "yields");
    stop(L, "coroutine.yield", 4 * AWAY, 0, 0);
    start(L);
    serve(L, "fails");
    stop(L, "an error", 2 * AWAY, 0, 0);
    start(L);
    host_run(L, "pcall(fails) work()");
    host_pass_time(AWAY);
    luaL_loadstring(L, "fails()");
    lua_pcall(L, 0, 0, 0);
    lua_settop(L, 0);
    host_pass_time(AWAY);
    stop(L, "calls of the main thread", 3 * AWAY, 0, 0);
    start(L);
    host_run(L, "pumps()");
    stop(L, "a host's function that resumes", AWAY, 2 * WORK, 2 * AWAY);
    start_in_request(L);
    lua_close(L);
}

const host_test host_outside = { "outside", run };

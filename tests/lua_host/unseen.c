/* unseen.c - coroutines of a host whose calls into Lua are not seen, as Lua is linked into it. */
#include "host.h"

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
    int64_t outside = host_self(profile, "time", "(outside)");
    int64_t waits = host_self(profile, "time", "wait"), pumps = host_self(profile, "time", "pump");
    host_require(outside == 0 && waits == WORK + AWAY && pumps == WORK + AWAY,
                 "in turns: (outside) has %lld, wait %lld, pump %lld; not 0, %d, %d",
                 (long long)outside, (long long)waits, (long long)pumps, WORK + AWAY, WORK + AWAY);
    toll_profile_free(profile);
    lua_close(L);
}

static void run(void)
{
    serve_in_turns();
}

const host_test host_unseen = { "unseen", run };

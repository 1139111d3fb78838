/* hooks.c - hooks that the host has set with lua_sethook are called during a recording, and are
 * still set afterwards. */
#include "host.h"

enum { PERIOD = 1000 };

static int fired, limit;

/* A sandbox's limit: `limit` periods, then an error. */
static void watchdog(lua_State *L, lua_Debug *ar)
{
    host_require(ar->event == LUA_HOOKCOUNT, "the host's hook got event %d", ar->event);
    if (++fired == limit)
        luaL_error(L, "out of instructions");
}

static void require_hook(lua_State *L, const char *of)
{
    host_require(lua_gethook(L) == watchdog, "%s: the host's hook is gone", of);
    host_require(lua_gethookmask(L) == LUA_MASKCOUNT, "%s: the mask is %d", of, lua_gethookmask(L));
    host_require(lua_gethookcount(L) == PERIOD, "%s: the count is %d", of, lua_gethookcount(L));
}

static int firings_of(lua_State *L, const char *code)
{
    fired = 0;
    host_run(L, code);
    return fired;
}

static const char loop[] = "for i = 1, 20000 do leaf() end";
static const char recorded[] = "toll.start(options) for i = 1, 20000 do leaf() end toll.stop()";

static void require_same_firings(lua_State *L)
{
    int plain = firings_of(L, loop), with_profile = firings_of(L, recorded);
    host_require(plain >= 40, "the host's hook fired %d times", plain);
    host_require(with_profile >= plain - 1 && with_profile <= plain + 2,
                 "the host's hook fired %d times while recording, %d times without", with_profile,
                 plain);
    toll_profile *profile = host_profile(L);
    host_require(host_self(profile, "calls", "leaf") == 20000, "calls are missing");
    toll_profile_free(profile);
}

static void require_error(lua_State *L, const char *code)
{
    fired = 0;
    limit = 5;
    host_require(luaL_loadstring(L, code) == 0 && lua_pcall(L, 0, 0, 0) != 0,
                 "the host's hook stopped nothing in %s", code);
    limit = 0;
    lua_pop(L, 1);
}

/* Coroutines made by the script have the host's hook, too: before, while and after recording. In
 * LuaJIT there is one hook for all. */
static void with_coroutines(lua_State *L)
{
    host_run(L, "body = function() coroutine.yield() while true do leaf() end end "
                "before = coroutine.create(body) coroutine.resume(before) "
                "toll.start(options) "
                "during = coroutine.create(body) coroutine.resume(during) "
                "late = coroutine.create(body) "
                "coroutine.resume(before)");
}

static void finish_coroutines(lua_State *L)
{
    host_run(L, "toll.stop() coroutine.resume(late)");
    static const char *const names[] = { "before", "during", "late" };
    for (int i = 0; i < 3; i++) {
        lua_getglobal(L, names[i]);
        require_hook(lua_tothread(L, -1), names[i]);
        lua_pop(L, 1);
    }
    require_error(L, "assert(coroutine.resume(during))");
    require_error(L, "assert(coroutine.resume(late))");
}

/* A script has put functions of its own in the place of debug's: they are called with all
 * arguments, and what they return is returned. */
static void with_own_functions(lua_State *L)
{
    host_run(L, "local sethook, gethook, given = debug.sethook, debug.gethook "
                "debug.sethook = function(...) "
                "  given = select('#', ...) sethook(...) return 'set', 'so' end "
                "debug.gethook = function(...) given = select('#', ...) return 'got' end "
                "toll.start(options) "
                "local set, so = debug.sethook(function() end, 'c', 7) "
                "assert(given == 3 and set == 'set' and so == 'so', given) "
                "local got = debug.gethook() "
                "assert(given == 0 and got == 'got', given) "
                "toll.stop() "
                "debug.sethook, debug.gethook = sethook, gethook debug.sethook()");
}

static void run(void)
{
    lua_State *L = host_new();
    with_own_functions(L);
    lua_close(L);
    L = host_new();
    /* Compiled code calls no hooks. */
    host_run(L, "function leaf() return 1 end if jit then jit.off() end");
    lua_sethook(L, watchdog, LUA_MASKCOUNT, PERIOD);
    require_same_firings(L);
    require_hook(L, "after the stop");
    host_run(L, "assert(debug.gethook() == 'external hook')");
    host_run(L, "toll.start(options) assert(debug.gethook() == 'external hook') toll.stop()");
    require_error(L, "toll.start(options) while true do leaf() end");
    host_run(L, "toll.stop()");
    require_hook(L, "after an error");
    require_error(L, "toll.start(options) toll.stop() while true do end");
    limit = 5;
    fired = 0;
    with_coroutines(L);
    limit = 0;
    finish_coroutines(L);
    lua_close(L);
}

const host_test host_hooks = { "hooks", run };

/* starts.c - recordings that begin in a coroutine, or in a state whose libraries a script has
 * changed; and what a start and a stop leave of the state. */
#include "host.h"

/* What was recorded has so many calls of leaf, and of notes of a main thread that Lua 5.1 does not
 * show. */
static void require_recorded(lua_State *L, int64_t calls, uint64_t notes, const char *what)
{
    toll_profile *profile = host_profile(L);
    int64_t has_calls = host_self(profile, "calls", "leaf");
    uint64_t has_notes = host_note(profile, "starts in a coroutine of Lua 5.1");
    host_require(has_calls == calls, "%s: %lld calls", what, (long long)has_calls);
    host_require(has_notes == notes, "%s: %llu notes", what, (unsigned long long)has_notes);
    toll_profile_free(profile);
}

/* The main thread's calls are seen, too, except in Lua 5.1. (LuaJIT has one hook for all.) */
static void start_in_coroutine(lua_State *L)
{
    host_run(L, "co = coroutine.create(function() toll.start(options) leaf() coroutine.yield() "
                "leaf() toll.stop() end) assert(coroutine.resume(co)) leaf() "
                "assert(coroutine.resume(co)) assert(not debug.gethook() and not "
                "debug.gethook(co))");
    lua_getglobal(L, "jit");
    bool is_51 = LUA_VERSION_NUM == 501 && lua_isnil(L, -1);
    lua_pop(L, 1);
    require_recorded(L, is_51 ? 2 : 3, is_51, "a start in a coroutine");
}

static int returns_nothing(lua_State *L)
{
    (void)L;
    return 0;
}

/* Calls are counted whatever a script has made of the functions that the module looks for. */
static void start_changed(const char *change)
{
    lua_State *L = host_new();
    lua_register(L, "nothing", returns_nothing);
    host_run(L, "function leaf() return 1 end resume = coroutine.resume yield = coroutine.yield\n"
                "co = coroutine.create(function() while true do leaf() yield() end end)");
    host_run(L, change);
    host_run(L, "toll.start(options) for i = 1, 3 do resume(co) end leaf() toll.stop()");
    require_recorded(L, 4, 0, change);
    lua_close(L);
}

static void start_changed_libraries(void)
{
    static const char *const changes[] = {
        "coroutine.wrap = nil",
        "coroutine.wrap = nothing",
        "coroutine.wrap = error",
        "coroutine.wrap = function() error('called') end",
        "coroutine.yield = type",
        "package.loaded.debug = nil",
        "if jit then jit.status = nil jit.flush = error end",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        start_changed(changes[i]);
}

/* LuaJIT's compiler is off during a recording, and afterwards as before. */
static void compiler_stays(lua_State *L)
{
    host_run(L, "if jit then for _, how in ipairs { 'on', 'off' } do jit[how]() "
                "for i = 1, 2 do toll.start(options) assert(not jit.status()) toll.stop() "
                "assert(jit.status() == (how == 'on')) end end end");
}

static void run(void)
{
    lua_State *L = host_new();
    host_run(L, "function leaf() return 1 end");
    start_in_coroutine(L);
    compiler_stays(L);
    lua_close(L);
    start_changed_libraries();
}

const host_test host_starts = { "starts", run };

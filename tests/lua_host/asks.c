/* asks.c - Lua's structures are known: a call is recorded without a question to Lua, which takes
 * longer than all else. In the portable way each call is one. Seen where Lua is a shared library,
 * whose function this program takes the place of. */
#define _GNU_SOURCE
#include "host.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static int asked;

/* Weak: where Lua is linked in, its own is used. */
__attribute__((weak, visibility("default"))) int lua_getinfo(lua_State *L, const char *what,
                                                             lua_Debug *ar)
{
    static int (*real)(lua_State *, const char *, lua_Debug *);
    void *found = real ? NULL : dlsym(RTLD_NEXT, "lua_getinfo");
    if (found)
        memcpy(&real, &found, sizeof real);
    asked++;
    return real(L, what, ar);
}

/* How often a call of a global function asks Lua. */
static int asked_by(lua_State *L, const char *function)
{
    asked = 0;
    lua_getglobal(L, function);
    lua_call(L, 0, 0);
    return asked;
}

static void run(void)
{
    enum { CALLS = 1000, FEW = 100 };
    lua_State *L = host_new();
    host_run(L, "function f() end\n"
                "function calls() for _ = 1, 1000 do f() end end\n"
                "local load = loadstring or load "
                "few, many = {}, {} "
                "for i = 1, 100 do few[i] = load('return ' .. i) end "
                "for i = 1, 5000 do many[i] = load('return ' .. i) end\n"
                "function call_few() for i = 1, #few do few[i]() end end\n"
                "function call_many() for i = 1, #many do many[i]() end end\n"
                "toll.start(options) calls() "
                "for _ = 1, 100 do call_few() end");
    int by_calls = asked_by(L, "calls");
    asked_by(L, "call_many");
    int by_few = asked_by(L, "call_few");
    host_run(L, "toll.stop()");
    lua_getglobal(L, "options");
    lua_getfield(L, -1, "portable");
    if (lua_toboolean(L, -1)) {
        host_require(by_calls >= CALLS, "Lua was asked %d times", by_calls);
    } else {
        host_require(by_calls < CALLS / 10, "Lua was asked %d times", by_calls);
        /* Functions that are known stay known, however many come later. */
        host_require(by_few < FEW / 10, "Lua was asked %d times of known functions", by_few);
    }
    toll_profile *p = host_profile(L);
    host_require(host_self(p, "calls", "f") == 2 * CALLS, "calls of f");
    toll_profile_free(p);
    lua_close(L);
}

const host_test host_asks = { "asks", run };

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

static void run(void)
{
    enum { CALLS = 1000 };
    lua_State *L = host_new();
    host_run(L, "function f() end\n function calls(n) for _ = 1, n do f() end end "
                "toll.start(options) calls(10)");
    asked = 0;
    lua_getglobal(L, "calls");
    lua_pushinteger(L, CALLS);
    lua_call(L, 1, 0);
    int seen = asked;
    host_run(L, "toll.stop()");
    lua_getglobal(L, "options");
    lua_getfield(L, -1, "portable");
    if (lua_toboolean(L, -1))
        host_require(seen >= CALLS, "Lua was asked %d times", seen);
    else
        host_require(seen < CALLS / 10, "Lua was asked %d times", seen);
    toll_profile *p = host_profile(L);
    host_require(host_self(p, "calls", "f") == CALLS + 10, "calls of f");
    toll_profile_free(p);
    lua_close(L);
}

const host_test host_asks = { "asks", run };

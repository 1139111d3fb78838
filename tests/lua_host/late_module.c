/* late_module.c - a module is loaded after the recording has begun (late/late.c). While it runs, no
 * coroutine that has yielded may be charged. HOST_LATE is the module's file. */
#include "host.h"

#include <stdlib.h>

static void run(void)
{
    lua_State *L = host_new();
    const char *module = getenv("HOST_LATE");
    host_require(module != NULL, "HOST_LATE is to name the module");
    lua_pushstring(L, module);
    lua_setglobal(L, "module");
    host_run(L,
             "toll.start(options) pump_late = assert(package.loadlib(module, 'luaopen_late'))()\n"
             "pump_late(coroutine.create(function() coroutine.yield() coroutine.yield() end))\n"
             "toll.stop()");
    toll_profile *profile = host_profile(L);
    int64_t pump = host_self(profile, "cpu", "pump_late");
    host_require(pump == 2000, "pump_late has %lld, not 2000", (long long)pump);
    toll_profile_free(profile);
    lua_close(L);
}

const host_test host_late = { "late", run };

/* collected.c - coroutines with their own hooks are dead but not yet freed when the recording
 * stops. The garbage collector may be at any point then. So the stop comes after many different
 * numbers of coroutines, and of other objects that are freed before them. */
#include "host.h"

static void run(void)
{
    lua_State *L = host_new();
    host_run(L, "local function hook() end "
                "local function body() coroutine.yield() end "
                "local newer "
                "for count = 1, 150 do "
                "  toll.start(options) "
                "  for i = 1, 2 * count do "
                "    local co = coroutine.create(body) "
                "    debug.sethook(co, hook, 'c') "
                "    coroutine.resume(co) "
                "  end "
                "  newer = {} "
                "  for i = 1, count * 7 % 500 do newer[i] = {} end "
                "  toll.stop() "
                "end");
    lua_close(L);
}

const host_test host_collected = { "collected", run };

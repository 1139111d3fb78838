/* memory.c - Lua's allocator fails from the nth time on, for n = 0, 1, 2, ... until no failure
 * happens. There must be no crash and no leak (AddressSanitizer), and afterwards the profiler must
 * work as before. */
#include "host.h"

#include <stdlib.h>

/* How many allocations will go well; below 0: all. */
static int budget = -1;

static void *allocate(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    bool grows = !block || new_size > old_size;
    if (grows && budget == 0)
        return NULL;
    if (grows && budget > 0)
        budget--;
    return realloc(block, new_size);
}

static const char recorded[] = "toll.start(options) "
                               "work() "
                               "coroutine.wrap(work)() "
                               "debug.sethook(work, 'r') debug.gethook() debug.sethook() "
                               "toll.section('s') toll.finish('s') "
                               "toll.stop() "
                               "toll.snapshot():report(5)";

static void require_works(lua_State *L, int n)
{
    host_run(L, "if toll.running() then toll.stop() end debug.sethook() "
                "toll.start(options) for i = 1, 10 do work() end toll.stop() "
                "assert(debug.gethook() == nil)");
    toll_profile *profile = host_profile(L);
    int64_t calls = host_self(profile, "calls", "work");
    host_require(calls == 10, "after %d allocations: %lld calls of 10", n, (long long)calls);
    toll_profile_free(profile);
}

/* True: `n` allocations are enough. */
static bool fits(int n)
{
    lua_State *L = lua_newstate(allocate, NULL);
    host_require(L != NULL, "no state");
    host_open(L);
    host_run(L, "function work() local t = {} for i = 1, 10 do t[i] = {} end end");
    host_require(luaL_loadstring(L, recorded) == 0, "the chunk is wrong");
    budget = n;
    bool done = lua_pcall(L, 0, 0, 0) == 0;
    budget = -1;
    lua_settop(L, 0);
    if (n % 2) /* the state may also be closed as it is */
        require_works(L, n);
    lua_close(L);
    return done;
}

static void run(void)
{
    for (int n = 0; !fits(n); n++)
        host_require(n < 10000, "never enough memory");
}

const host_test host_memory = { "memory", run };

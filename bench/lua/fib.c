/* fib.c - fib(30) in one Lua: plain, under an empty C hook, under Toll with time, and under Toll with a
 * counter that costs nothing to read. Prints time beyond the plain run, against the empty hook's.
 * Usage: fib MODULE.so */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <time.h>

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void empty(lua_State *L, lua_Debug *ar)
{
    (void)L;
    (void)ar;
}

static void run(lua_State *L, const char *code)
{
    if (luaL_loadstring(L, code) || lua_pcall(L, 0, 0, 0)) {
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
        lua_pop(L, 1);
    }
}

int main(int argc, char **argv)
{
    enum { PLAIN, EMPTY, TIME, FREE, WAYS, ROUNDS = 9 };
    double best[WAYS] = { 0 };
    lua_State *L = luaL_newstate();
    if (argc != 2 || !L)
        return 2;
    luaL_openlibs(L);
    lua_pushstring(L, argv[1]);
    lua_setglobal(L, "module");
    run(L, "if jit then jit.off() end toll = package.loadlib(module, 'luaopen_toll')() "
           "function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end");
    for (int round = 0; round < ROUNDS; round++)
        for (int way = 0; way < WAYS; way++) {
            if (way == EMPTY)
                lua_sethook(L, empty, LUA_MASKCALL | LUA_MASKRET, 0);
            if (way == TIME)
                run(L, "toll.start()");
            if (way == FREE)
                run(L, "toll.start { clock = 'none' }");
            double start = now_ms();
            run(L, "fib(30)");
            double took = now_ms() - start;
            if (way == EMPTY)
                lua_sethook(L, NULL, 0, 0);
            if (way >= TIME)
                run(L, "toll.stop() if jit then jit.off() end");
            if (round == 0 || took < best[way])
                best[way] = took;
        }
    double hook = best[EMPTY] - best[PLAIN];
    printf("plain %.1f ms, empty hook +%.1f ms; with time %.2f times that (goal: 3), "
           "with a free counter %.2f (goal: 2)\n",
           best[PLAIN], hook, (best[TIME] - best[PLAIN]) / hook, (best[FREE] - best[PLAIN]) / hook);
    lua_close(L);
    return 0;
}

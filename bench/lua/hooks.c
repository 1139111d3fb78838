/* hooks.c - measures a Lua program by itself, with an empty C hook, under Toll with wall time and
 * with CPU time, and under Toll with a counter that takes no time to read. Usage: hooks MODULE.so
 * PROGRAM.lua; the program returns a function that does the work. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum way { PLAIN, EMPTY, WALL, CPU, FREE, WAYS };
enum { ROUNDS = 9 };

/* CPU time: other programs on the machine do not change it. */
static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void empty(lua_State *L, lua_Debug *ar)
{
    (void)L;
    (void)ar;
}

static void must(lua_State *L, int failed)
{
    if (failed) {
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
        exit(1);
    }
}

static void run(lua_State *L, const char *code)
{
    must(L, luaL_loadstring(L, code) || lua_pcall(L, 0, 0, 0));
}

static double measure(lua_State *L, enum way way)
{
    static const char *const begin[WAYS] = { "", "", "toll.start { clock = 'wall' }",
                                             "toll.start { clock = 'cpu' }",
                                             "toll.start { clock = 'none' }" };
    run(L, "collectgarbage()");
    run(L, begin[way]);
    if (way == EMPTY)
        lua_sethook(L, empty, LUA_MASKCALL | LUA_MASKRET, 0);
    double start = now_ms();
    run(L, "work()");
    double took = now_ms() - start;
    if (way == EMPTY)
        lua_sethook(L, NULL, 0, 0);
    if (way >= WALL)
        run(L, "toll.stop() if jit then jit.off() end");
    return took;
}

int main(int argc, char **argv)
{
    double best[WAYS] = { 0 };
    lua_State *L = luaL_newstate();
    if (argc != 3 || !L)
        return 2;
    luaL_openlibs(L);
    lua_pushstring(L, argv[1]);
    lua_setglobal(L, "module");
    run(L, "if jit then jit.off() end toll = package.loadlib(module, 'luaopen_toll')()");
    must(L, luaL_loadfile(L, argv[2]) || lua_pcall(L, 0, 1, 0));
    lua_setglobal(L, "work");
    const char *rounds_text = getenv("BENCH_ROUNDS"); /* 1 where it only has to run */
    int rounds = rounds_text ? atoi(rounds_text) : ROUNDS;
    for (int round = 0; round < rounds; round++)
        for (int way = 0; way < WAYS; way++) {
            double took = measure(L, (enum way)way);
            if (round == 0 || took < best[way])
                best[way] = took;
        }
    double hook = best[EMPTY] - best[PLAIN];
    if (strstr(argv[2], "fib"))
        printf("%7.1f ms, hook +%5.1f ms; beyond plain, against that: wall time %.2f (goal 3), "
               "free counter %.2f (goal 2); CPU time against wall time %.3f (goal 1.03)\n",
               best[PLAIN], hook, (best[WALL] - best[PLAIN]) / hook,
               (best[FREE] - best[PLAIN]) / hook, best[CPU] / best[WALL]);
    else
        printf("%7.1f ms, under an empty hook %6.1f ms; against the latter: wall time %.2f (goal "
               "1.5), free counter %.2f; CPU time against wall time %.3f (goal 1.03)\n",
               best[PLAIN], best[EMPTY], best[WALL] / best[EMPTY], best[FREE] / best[EMPTY],
               best[CPU] / best[WALL]);
    lua_close(L);
    return 0;
}

/* moved.c - a Lua state that is used in one thread, then in another: recorded, written and closed
 * by whichever has it. Writes a.pb.gz to e.pb.gz into the current directory. Usage: moved CLOCK */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static lua_State *L;
static int failed;

static void *run(void *code)
{
    if (luaL_loadstring(L, code) || lua_pcall(L, 0, 0, 0)) {
        printf("FAILED: %s: %s\n", (const char *)code, lua_tostring(L, -1));
        lua_pop(L, 1);
        failed = 1;
    }
    return NULL;
}

static void *close_state(void *unused)
{
    lua_close(L);
    return unused;
}

static void in_other_thread(void *(*function)(void *), const char *code)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, function, (void *)(size_t)code) || pthread_join(thread, NULL))
        failed = 1;
}

static void in_this_thread(const char *code)
{
    run((void *)(size_t)code);
}

/* This thread's CPU time is now far from that of a new one. */
static void burn(void)
{
    while (clock() < CLOCKS_PER_SEC / 4)
        ;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    L = luaL_newstate();
    luaL_openlibs(L);
    lua_pushstring(L, argv[1]);
    lua_setglobal(L, "clock");
    burn();
    in_this_thread("toll = require 'toll' function work() for i = 1, 100 do math.floor(i) end end");
    in_this_thread("toll.start { clock = clock, ticks = clock == 'none' } work()");
    in_other_thread(run, "work() assert(toll.write 'a.pb.gz')");
    in_this_thread("work() assert(toll.write 'b.pb.gz')");
    in_other_thread(run, "coroutine.wrap(function() work() assert(toll.write 'c.pb.gz') end)()");
    in_other_thread(run, "toll.stop()");
    in_this_thread("assert(toll.write 'd.pb.gz')");
    in_this_thread("toll.start { clock = clock, ticks = true, output = 'e.pb.gz' } work()");
    in_other_thread(close_state, NULL);
    return failed;
}

/* served.c - a server with two Lua states, each in a thread: C code makes a coroutine for each
 * request, and resumes it, so that Lua's main thread has no functions. It ends after some seconds,
 * or when its input does. */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char code[] =
    "local function part(n) local x = 0 for i = 1, n do x = x + i % 7 end return x end\n"
    "function first(n) return (part(n)) end\n"
    "function second(n) return (part(2 * n)) end\n"
    "function serve() for i = 1, 4 do handle(20000) coroutine.yield() end end\n";

static int resume(lua_State *request)
{
#if LUA_VERSION_NUM >= 504
    int results;
    return lua_resume(request, NULL, 0, &results);
#elif LUA_VERSION_NUM >= 502
    return lua_resume(request, NULL, 0);
#else
    return lua_resume(request, 0);
#endif
}

static void *serve(void *name)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    if (luaL_loadbuffer(L, code, sizeof code - 1, "@served.lua") || lua_pcall(L, 0, 0, 0))
        exit(2);
    lua_getglobal(L, name);
    lua_setglobal(L, "handle");
    for (;;) {
        lua_State *request = lua_newthread(L);
        lua_getglobal(request, "serve");
        while (resume(request) == LUA_YIELD)
            ;
        lua_settop(L, 0);
    }
}

int main(void)
{
    static char first[] = "first", second[] = "second";
    pthread_t thread;
    char byte;
    alarm(60);
    if (pthread_create(&thread, NULL, serve, first) || pthread_create(&thread, NULL, serve, second))
        return 2;
    puts("ready");
    fflush(stdout);
    return read(STDIN_FILENO, &byte, 1) != 0;
}

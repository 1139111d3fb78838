/* ended.c - three threads record a Lua state each, two at work and one asleep, when a signal (or
 * exit) ends the process. Writes a.folded, b.folded and asleep.folded. Usage: ended signal|exit */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 3 };

static atomic_int ready;

static int sleep_for_ever(lua_State *L)
{
    while (L)
        pause();
    return 0;
}

static int is_ready(lua_State *L)
{
    (void)L;
    atomic_fetch_add(&ready, 1);
    return 0;
}

static const char code[] = "local toll = require 'toll' "
                           "function work() return 1 end "
                           "toll.start { output = name .. '.folded' } "
                           "for i = 1, 1000 do work() end "
                           "is_ready() "
                           "if name == 'asleep' then sleep_for_ever() end "
                           "while true do work() end";

static void *record(void *name)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    lua_register(L, "is_ready", is_ready);
    lua_register(L, "sleep_for_ever", sleep_for_ever);
    lua_pushstring(L, name);
    lua_setglobal(L, "name");
    if (luaL_loadstring(L, code) || lua_pcall(L, 0, 0, 0))
        printf("FAILED: %s\n", lua_tostring(L, -1));
    exit(2);
}

int main(int argc, char **argv)
{
    static char names[THREADS][8] = { "a", "b", "asleep" };
    pthread_t thread;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread, NULL, record, names[i]))
            return 2;
    while (atomic_load(&ready) < THREADS)
        usleep(1000);
    if (argc == 2 && strcmp(argv[1], "exit") == 0)
        exit(0);
    kill(getpid(), SIGTERM);
    for (;;) /* until the signal */
        pause();
}

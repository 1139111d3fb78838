/* sampled.c - a program with Lua takes samples: two threads at the same time, states that are
 * closed while they record, a child after fork, a signal's handler of its own; and states that name
 * the same file. Usage: sampled jit|plain. Writes child.folded, parent.folded, same.folded, ... */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int failures, own_signals;
static bool is_jit;

static void check(bool good, const char *what)
{
    if (good)
        return;
    printf("FAILED: %s\n", what);
    atomic_fetch_add(&failures, 1);
}

static void on_own_signal(int number)
{
    (void)number;
    atomic_fetch_add(&own_signals, 1);
}

static const char work[] = "toll = require 'toll' "
                           "function work(ms) local till, x = os.clock() + ms / 1000, 0 "
                           "  while os.clock() < till do for i = 1, 500 do x = x + i % 7 end end "
                           "end "
                           "function start() toll.start { mode = 'sample', hz = 2000 } end ";

static lua_State *new_state(void)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    check(!luaL_loadstring(L, work) && !lua_pcall(L, 0, 0, 0), "the code");
    return L;
}

/* Run the code. False: it has raised an error, whose text has `text` in it unless that is NULL. */
static bool run(lua_State *L, const char *code, const char *text)
{
    if (!luaL_loadstring(L, code) && !lua_pcall(L, 0, 0, 0))
        return true;
    const char *message = lua_tostring(L, -1);
    check(text && strstr(message, text), message);
    lua_pop(L, 1);
    return false;
}

/* LuaJIT has one profiler in a process; other Luas take samples in each thread. */
static void *record_too(void *user)
{
    (void)user;
    lua_State *L = new_state();
    bool started = run(L, "start()", is_jit ? "another Lua state uses it" : NULL);
    check(started == !is_jit, "a second state");
    if (started)
        run(L, "work(50) toll.stop() assert(toll.snapshot():report():find('work', 1, true))", NULL);
    lua_close(L);
    return NULL;
}

static void try_threads(void)
{
    pthread_t thread;
    lua_State *L = new_state();
    run(L, "start() work(20)", NULL);
    check(!pthread_create(&thread, NULL, record_too, NULL), "a thread");
    run(L, "work(60)", NULL);
    pthread_join(thread, NULL);
    run(L, "toll.stop() assert(toll.snapshot():report():find('work', 1, true))", NULL);
    run(L, "for i = 1, 1000 do start() work(0.2) toll.stop() end", NULL);
    lua_close(L);
}

/* A state that is closed while samples are taken, and one that begins after it. */
static void try_closing(void)
{
    for (int i = 0; i < 50; i++) {
        lua_State *L = new_state();
        run(L, "start() work(1)", NULL);
        lua_close(L);
    }
}

static void try_fork(void)
{
    int status = 0;
    lua_State *L = new_state();
    run(L, "toll.start { mode = 'sample', hz = 2000, output = '%p.folded' } work(20)", NULL);
    pid_t child = fork();
    if (!child) {
        run(L, "function in_child() work(60) end in_child()", NULL);
        run(L, "toll.stop()", NULL);
        _exit(atomic_load(&failures) != 0);
    }
    run(L, "function in_parent() work(20) end in_parent() toll.stop()", NULL);
    check(waitpid(child, &status, 0) == child && status == 0, "the child");
    char name[40];
    snprintf(name, sizeof name, "%ld.folded", (long)child);
    check(rename(name, "child.folded") == 0, "the child's file");
    snprintf(name, sizeof name, "%ld.folded", (long)getpid());
    check(rename(name, "parent.folded") == 0, "the parent's file");
    lua_close(L);
}

/* States that name the same file: each has its own. One that starts again has the same as before.
 */
static void try_names(void)
{
    lua_State *states[3];
    for (int i = 0; i < 3; i++) {
        states[i] = new_state();
        lua_pushinteger(states[i], i + 1);
        lua_setglobal(states[i], "number");
        run(states[i],
            "_G['state' .. number] = function() return 1 end "
            "toll.start { clock = 'none', output = 'same.folded' } "
            "_G['state' .. number]() toll.stop()",
            NULL);
        run(states[i], "toll.start { clock = 'none', output = 'named-%n.folded' } toll.stop()",
            NULL);
        run(states[i], "toll.start { clock = 'none', output = 'thread-%t-%%t.folded' } toll.stop()",
            NULL);
    }
    run(states[2],
        "toll.start { clock = 'none', output = 'same.folded' } "
        "state3() state3() toll.stop()",
        NULL);
    for (int i = 0; i < 3; i++)
        lua_close(states[i]);
}

int main(int argc, char **argv)
{
    is_jit = argc == 2 && strcmp(argv[1], "jit") == 0;
    signal(SIGVTALRM, on_own_signal);
    try_threads();
    try_closing();
    try_fork();
    try_names();
    check(atomic_load(&own_signals) == 0, "the program's handler got signals of ours");
    raise(SIGVTALRM);
    check(atomic_load(&own_signals) == 1, "the program's handler got none of its own");
    return atomic_load(&failures) != 0;
}

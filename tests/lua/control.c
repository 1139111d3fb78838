/* control.c - a program with Lua, whose states are recorded from one signal to the next: in
 * threads, each in its own; in coroutines that the program resumes; in a forked process; states
 * that close in between; and a signal that the program handles itself. Writes thread-PID.pb.gz, ...
 */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if LUA_VERSION_NUM >= 504
#define RESUME(L, results) lua_resume(L, NULL, 0, results)
#elif LUA_VERSION_NUM >= 502
#define RESUME(L, results) lua_resume(L, NULL, 0)
#else
#define RESUME(L, results) lua_resume(L, 0)
#endif

enum { THREADS = 3 };

static atomic_int failures, phase, ready;

static void check(int good, const char *what)
{
    if (good)
        return;
    printf("FAILED: %s\n", what);
    atomic_fetch_add(&failures, 1);
}

static void run(lua_State *L, const char *code)
{
    if (!luaL_loadstring(L, code) && !lua_pcall(L, 0, 0, 0))
        return;
    check(0, lua_tostring(L, -1));
    lua_pop(L, 1);
}

static lua_State *new_state(const char *output)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    lua_pushstring(L, output);
    lua_setglobal(L, "output");
    run(L, "toll = require 'toll' "
           "function before() end\n function during() end\n function after() end\n"
           "assert(toll.control { signal = 'USR2', snapshot = 'URG', output = output, "
           "clock = 'none' })");
    return L;
}

static void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000L }, NULL);
}

static void await(int wanted)
{
    atomic_fetch_add(&ready, 1);
    while (atomic_load(&phase) < wanted)
        sleep_ms(1);
}

/* Serves one request after the other; those during the recording are 100. */
static void *serve(void *user)
{
    (void)user;
    lua_State *L = new_state("thread-%p.pb.gz");
    run(L, "before()");
    await(1);
    run(L, "for i = 1, 99 do during() end");
    await(2);
    run(L, "during()"); /* what is recorded so far is written before */
    await(3);
    run(L, "after()");
    await(4);
    lua_close(L);
    return NULL;
}

static void all_ready(void)
{
    while (atomic_load(&ready) < THREADS)
        sleep_ms(1);
    atomic_store(&ready, 0);
}

/* Has each thread's state written what it has recorded so far? */
static void check_files(void)
{
    char name[64];
    for (int i = 1; i <= THREADS; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        snprintf(name, sizeof name, "thread-%ld%s.pb.gz", (long)getpid(), number);
        check(access(name, F_OK) == 0, name);
    }
}

static void try_threads(void)
{
    static const int signals[] = { SIGUSR2, SIGURG, SIGUSR2 };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        check(!pthread_create(&threads[i], NULL, serve, NULL), "a thread");
    for (int i = 1; i <= 3; i++) {
        all_ready();
        if (i == 3)
            check_files();
        kill(getpid(), signals[i - 1]);
        sleep_ms(100); /* the kernel chooses a thread, which passes the signal on to the others */
        atomic_store(&phase, i);
    }
    all_ready();
    atomic_store(&phase, 4);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void resume(lua_State *co, int expected)
{
    int results = 0;
    int status = RESUME(co, &results);
    check(status == expected, "a coroutine's status");
    (void)results;
    lua_settop(co, 0);
}

/* The state's own thread runs no Lua while the program resumes coroutines, one of them older than
 * the recording. */
static void try_coroutines(void)
{
    lua_State *L = new_state("coroutine-%p.pb.gz");
    lua_State *old = lua_newthread(L);
    check(!luaL_loadstring(old, "before() coroutine.yield() during() coroutine.yield() after()"),
          "the code");
    resume(old, LUA_YIELD);
    raise(SIGUSR2);
    resume(old, LUA_YIELD);
    lua_State *young = lua_newthread(L);
    check(!luaL_loadstring(young, "during()"), "the code");
    resume(young, 0);
    raise(SIGUSR2);
    resume(old, 0);
    lua_close(L);
}

static void try_fork(void)
{
    lua_State *L = new_state("fork-%p.pb.gz");
    raise(SIGUSR2);
    run(L, "before()");
    raise(SIGUSR2);
    run(L, "after()");
    pid_t child = fork();
    if (child == 0) {
        raise(SIGUSR2);
        run(L, "during()");
        raise(SIGUSR2);
        run(L, "after()");
        _exit(atomic_load(&failures) != 0);
    }
    int status = 1;
    check(waitpid(child, &status, 0) == child && status == 0, "the forked process");
    run(L, "assert(not toll.running())");
    lua_close(L);
}

/* Recordings that are never ended are written; a state may close when it was asked, and later ones
 * are asked in vain. */
static void try_closing(void)
{
    lua_State *L = new_state("closed-%p.pb.gz");
    raise(SIGUSR2);
    run(L, "during()");
    lua_close(L);
    L = new_state("never-%p.pb.gz");
    raise(SIGUSR2);
    lua_close(L);
    raise(SIGUSR2);
    for (int i = 0; i < 50; i++) {
        L = new_state("never-%p.pb.gz");
        lua_close(L);
    }
}

/* Makes and closes states, one after the other. */
static void *make_and_close(void *user)
{
    (void)user;
    for (int i = 0; i < 100; i++) {
        lua_State *L = new_state("brief-%p.pb.gz");
        run(L, "for i = 1, 100 do during() end");
        lua_close(L);
    }
    atomic_fetch_add(&ready, 1);
    return NULL;
}

/* Signals while other threads make and close states. */
static void try_closing_threads(void)
{
    pthread_t threads[THREADS];
    atomic_store(&ready, 0);
    for (int i = 0; i < THREADS; i++)
        check(!pthread_create(&threads[i], NULL, make_and_close, NULL), "a thread");
    while (atomic_load(&ready) < THREADS) {
        kill(getpid(), SIGUSR2);
        nanosleep(&(struct timespec){ 0, 300000 }, NULL);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static atomic_long own_events;

static void own_hook(lua_State *L, lua_Debug *ar)
{
    (void)L;
    (void)ar;
    atomic_fetch_add(&own_events, 1);
}

static void expect_own_hook(lua_State *L, const char *when)
{
    long before = atomic_load(&own_events);
    run(L, "for i = 1, 1000 do local n = i % 3 end");
    check(atomic_load(&own_events) > before + 10, when);
}

/* The program has a hook of its own, which stays. */
static void try_own_hook(const char *output)
{
    lua_State *L = new_state(output);
    run(L, "if jit then jit.off() end"); /* compiled code calls no hooks */
    lua_sethook(L, own_hook, LUA_MASKCOUNT, 50);
    expect_own_hook(L, "the program's hook before all");
    for (int i = 0; i < 3; i++) {
        raise(SIGUSR2);
        run(L, "during()");
        run(L, "assert(toll.running())");
        expect_own_hook(L, "the program's hook in the recording");
        raise(SIGUSR2);
        run(L, "after()");
        run(L, "assert(not toll.running())");
        expect_own_hook(L, "the program's hook after the recording");
        check(lua_gethook(L) == own_hook && lua_gethookcount(L) == 50 &&
                  lua_gethookmask(L) == LUA_MASKCOUNT,
              "the program's hook itself");
    }
    lua_close(L);
}

static atomic_long sent_ms; /* when; 0: not yet */

static long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Begins and ends a recording while the other thread is in a loop. */
static void *send_two(void *user)
{
    pthread_t *victim = user;
    for (int i = 0; i < 2; i++) {
        sleep_ms(15);
        pthread_kill(*victim, SIGUSR2);
    }
    atomic_store(&sent_ms, now_ms());
    return NULL;
}

/* A signal is noticed in a loop that calls nothing, with those options: when the loop has ended,
 * the file is there, if the loop went on for a while after the signals; otherwise the next loop is
 * twice as long. On a busy machine the thread may not run between the signals, so several tries may
 * fail. */
static void try_loop(const char *name, const char *options)
{
    enum { TRIES = 50, CONCLUSIVE = 5, WHILE_MS = 20 };
    char code[256], file[64];
    int conclusive = 0, good = 0;
    long turns = 1000000, most = 1000000000;
    for (int i = 0; !good && conclusive < CONCLUSIVE && i < TRIES; i++) {
        pthread_t thread, self = pthread_self();
        lua_State *L = new_state("never-%p.pb.gz");
        snprintf(code, sizeof code,
                 "assert(toll.control { signal = 'USR2', output = 'loop-%s-%d-%%p.pb.gz', %s })",
                 name, i, options);
        run(L, code);
        snprintf(file, sizeof file, "loop-%s-%d-%ld.pb.gz", name, i, (long)getpid());
        atomic_store(&sent_ms, 0);
        check(!pthread_create(&thread, NULL, send_two, &self), "a thread");
        snprintf(code, sizeof code, "local t for i = 1, %ld do t = { i } end", turns);
        run(L, code);
        long ended = now_ms(), sent = atomic_load(&sent_ms);
        int is_long = sent && ended - sent >= WHILE_MS;
        conclusive += is_long;
        if (!is_long && turns < most)
            turns *= 2;
        good = access(file, F_OK) == 0;
        pthread_join(thread, NULL);
        if (lua_gethook(L))
            run(L, "if toll.running() then toll.stop() end");
        lua_close(L);
    }
    if (!good)
        printf("in a loop with %s (%d tries):\n", options, conclusive);
    check(good, "a signal in a loop is noticed");
}

static void own(int number)
{
    (void)number;
}

static void try_own_handler(void)
{
    lua_State *L = new_state("never-%p.pb.gz");
    signal(SIGUSR1, own);
    run(L, "local good, message = toll.control { signal = 'USR1', output = output } "
           "assert(good == nil and message:find('the program itself handles signal', 1, true), "
           "message)");
    lua_close(L);
}

/* Signals at any moment of a program that works. */
static void *disturb(void *user)
{
    enum { LEAST = 400, MOST = 100000 };
    pthread_t *victim = user;
    char sixth[64]; /* on a busy machine few recordings end within 400 signals */
    snprintf(sixth, sizeof sixth, "often-%ld-6.pb.gz", (long)getpid());
    for (int i = 0; i < LEAST || (i < MOST && access(sixth, F_OK)); i++) {
        pthread_kill(*victim, SIGUSR2);
        nanosleep(&(struct timespec){ 0, 100000 + i % 7 * 50000 }, NULL);
    }
    atomic_store(&phase, 5);
    return NULL;
}

static void try_often(void)
{
    pthread_t thread, self = pthread_self();
    lua_State *L = new_state("often-%p-%n.pb.gz");
    run(L, "function busy() for i = 1, 50 do during() "
           "  coroutine.wrap(function() before() coroutine.yield() after() end)() end end");
    check(!pthread_create(&thread, NULL, disturb, &self), "a thread");
    while (atomic_load(&phase) < 5)
        run(L, "busy()");
    pthread_join(thread, NULL);
    run(L, "busy() if toll.running() then toll.stop() end");
    lua_close(L);
}

int main(void)
{
    try_threads();
    try_coroutines();
    try_fork();
    try_closing();
    try_closing_threads();
    try_own_handler();
    try_own_hook("hook-%p-%n.pb.gz");
    try_loop("exact", "clock = 'none'");
    try_loop("heap", "heap = true");
    try_loop("lines", "lines = true");
    try_loop("ticks", "ticks = true");
    try_loop("samples", "mode = 'sample'");
    try_often();
    return atomic_load(&failures) != 0;
}

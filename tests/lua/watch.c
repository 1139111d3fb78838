/* watch.c - LuaJIT: which functions are known to switch coroutines, and which instruction is
 * watched after each of them (jit_watch.h). Where none is watched the profile is the same, but all
 * instructions are seen, so a profile does not show it. The program contains the module. */
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>

#include "luajit/jit_watch.h"

static void require(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "FAILED: %s\n", what);
        exit(1);
    }
}

/* --- which functions they are ------------------------------------------------------------------*/

static int silent(lua_State *L)
{
    (void)L;
    return 0;
}

/* Return a function with a coroutine that is not its own upvalue, as wrap's would be. */
static int odd_wrap(lua_State *L)
{
    lua_pushnumber(L, 1);
    lua_pushcclosure(L, silent, 1);
    return 1;
}

/* What the flags of the functions are that `code` returns, after a start in a state in which it has
 * run. */
static void check_found(const char *code, const uint32_t *wanted, int count)
{
    static profiler p;
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    lua_register(L, "silent", silent);
    lua_register(L, "odd_wrap", odd_wrap);
    require(luaL_dostring(L, code) == 0 && lua_gettop(L) == count, code);
    host_find_jit_switches(&p, L);
    require(lua_gettop(L) == count, "the stack has changed");
    for (int i = 0; i < count; i++)
        require(host_jit_flags(&p, lua_topointer(L, i + 1)) == wanted[i], code);
    lua_close(L);
}

static void test_found(void)
{
    static const uint32_t known[] = { OBJECT_YIELD,   OBJECT_RESUME,  OBJECT_WRAP, OBJECT_GOES_ON,
                                      OBJECT_GOES_ON, OBJECT_GOES_ON, 0,           0 };
    static const uint32_t unknown[3] = { 0 };
    static const char *const changes[] = {
        "coroutine = nil package.loaded.coroutine = nil",
        "coroutine.yield = nil",
        "coroutine.yield = type",
        "coroutine.yield = silent",
        "coroutine.yield = function() end",
        "coroutine.resume = coroutine.yield",
        "coroutine.resume = silent",
        "coroutine.wrap = print", /* that is not called: nothing is printed */
        "coroutine.wrap = silent",
        "coroutine.wrap = odd_wrap",
        "coroutine.wrap = error",
        "coroutine.wrap = function() end",
        "local y = coroutine.yield coroutine.yield = coroutine.resume coroutine.resume = y",
    };
    check_found("return coroutine.yield, coroutine.resume, coroutine.wrap(print),"
                " coroutine.wrap, coroutine.status, type, silent, function() end",
                known, 8);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char code[300];
        snprintf(code, sizeof code,
                 "local c, w = coroutine.yield, coroutine.wrap(print) %s return c, w, type",
                 changes[i]);
        check_found(code, unknown, 3);
    }
}

/* --- which instruction runs next ---------------------------------------------------------------*/

enum {
    EACH = 1,
    AFTER = 2,
    ORIGINAL = 100,
    NEXT = 10,
    THERE = 20,
    LANDING = 30,
    OUTSIDE = 40,
    WORDS = 100
};

static profiler p;
static uint64_t words[JIT_INSTRUCTIONS];
static coroutine here, there;
static entry stacks[2][2];

/* `here` runs, and has called `f`; `there` is at a function with `flags`, before the instruction
 * THERE. */
static void begin(lua_State *thread, uint32_t flags)
{
    static char track;
    objects_free(&p.map);
    p = (profiler){ .co = &here,
                    .jit = true,
                    .table = { .words = words, .count = WORDS, .each = EACH, .after = AFTER } };
    for (uint64_t i = 0; i < JIT_INSTRUCTIONS; i++)
        words[i] = p.table.original[i] = ORIGINAL + i;
    here = (coroutine){ .top = &stacks[0][1], .landing_outside = OUTSIDE };
    there = (coroutine){ .top = &stacks[1][1], .track = (toll_track *)(void *)&track };
    here.top->f = (frame_ref){ 0 };
    there.top->f = host_native((frame_ref){ .flags = flags }, THERE, JIT_ANY);
    require(objects_put(&p.map,
                        (object){ .address = thread, .co = &there, .f.flags = OBJECT_COROUTINE }),
            "no memory");
}

static frame_ref called(uint32_t flags, uint8_t landing)
{
    return host_native((frame_ref){ .flags = OBJECT_NATIVE | flags }, NEXT, landing);
}

/* Exactly these are seen: `next` by our routine, and the others by LuaJIT's. */
static void check_seen(const char *what, uint8_t next, uint8_t landing, uint8_t failed,
                       const coroutine *to)
{
    require(p.table.some && p.table.next == next && p.table.landing == landing &&
                p.table.failed == failed && p.table.to == to,
            what);
    for (size_t i = 0; i < JIT_INSTRUCTIONS; i++)
        require(words[i] == (i == next                     ? AFTER
                             : i == landing || i == failed ? EACH
                                                           : ORIGINAL + i),
                what);
}

static void check_unseen(bool watched, const char *what)
{
    require(!watched && !p.armed && !p.table.some, what);
    for (size_t i = 0; i < JIT_INSTRUCTIONS; i++)
        require(words[i] == ORIGINAL + i, what);
}

/* The current function has the coroutine as its first argument, and as its upvalue. */
static int in_call(lua_State *L)
{
    lua_State *thread = lua_tothread(L, 1);
    begin(thread, OBJECT_YIELD);
    require(host_watch_return(&p, L, called(OBJECT_RESUME, LANDING)) && p.armed, "resume");
    check_seen("resume", THERE, LANDING, NEXT, &there);
    begin(thread, OBJECT_YIELD);
    require(host_watch_return(&p, L, called(OBJECT_WRAP, JIT_OUTSIDE)), "wrap");
    check_seen("wrap", THERE, OUTSIDE, JIT_NOWHERE, &there);
    begin(thread, OBJECT_YIELD);
    require(host_watch_return(&p, L, called(OBJECT_GOES_ON, LANDING)) && p.armed,
            "a function that returns");
    check_seen("a function that returns", NEXT, LANDING, JIT_NOWHERE, NULL);
    begin(thread, OBJECT_YIELD);
    check_unseen(host_watch_return(&p, L, called(0, LANDING)), "a function of another library");
    begin(thread, OBJECT_YIELD);
    p.table.words = NULL;
    check_unseen(host_watch_return(&p, L, called(OBJECT_GOES_ON, LANDING)), "no table");
    for (int wrong = 0; wrong < 7; wrong++) {
        begin(thread, wrong ? OBJECT_YIELD : OBJECT_RESUME);
        object *o = objects_find(&p.map, thread);
        if (wrong == 1)
            o->f.flags = OBJECT_NATIVE;
        else if (wrong == 2)
            o->co = NULL;
        else if (wrong == 3)
            p.co = &there;
        else if (wrong == 4)
            there.resumer = &here;
        else if (wrong == 5)
            there.track = NULL;
        else if (wrong == 6)
            objects_remove(&p.map, thread, &(object){ 0 });
        for (uint32_t flags = OBJECT_RESUME; flags <= OBJECT_WRAP; flags *= 2)
            check_unseen(host_watch_return(&p, L, called(flags, LANDING)),
                         "a coroutine that is not at a yield");
    }
    for (uint32_t flags = OBJECT_RESUME; flags <= OBJECT_WRAP; flags *= 2) {
        begin(thread, flags);
        here.resumer = &there;
        require(host_watch_return(&p, L, called(OBJECT_YIELD, JIT_OUTSIDE)), "yield");
        check_seen("yield", THERE, OUTSIDE, JIT_NOWHERE, &there);
        begin(thread, flags);
        check_unseen(host_watch_return(&p, L, called(OBJECT_YIELD, LANDING)),
                     "a yield to the host");
    }
    begin(thread, OBJECT_GOES_ON);
    here.resumer = &there;
    check_unseen(host_watch_return(&p, L, called(OBJECT_YIELD, LANDING)),
                 "a yield to a host's function");
    return 0;
}

static void test_watched(void)
{
    lua_State *L = luaL_newstate(), *thread = lua_newthread(L);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, in_call, 1);
    lua_pushvalue(L, -2);
    require(thread && lua_pcall(L, 1, 0, 0) == 0, "pcall");
    objects_free(&p.map);
    lua_close(L);
}

static void test_landing_outside(void)
{
    entry stack[2] = { { 0 } };
    coroutine resumer = { .top = &stack[1], .landing_outside = OUTSIDE };
    stack[1].f = called(OBJECT_RESUME, LANDING);
    require(host_landing_outside(&resumer) == NEXT, "an error that resume returns");
    stack[1].f = called(OBJECT_WRAP, LANDING);
    require(host_landing_outside(&resumer) == LANDING,
            "an error that wrap's function raises again");
    stack[1].f = called(OBJECT_WRAP, JIT_OUTSIDE);
    require(host_landing_outside(&resumer) == OUTSIDE, "an error that leaves two coroutines");
    stack[1].f = called(0, LANDING);
    require(host_landing_outside(&resumer) == JIT_ANY,
            "an error in a coroutine that a host's function has resumed");
}

int main(void)
{
    test_found();
    test_watched();
    test_landing_outside();
    puts("what runs next in LuaJIT is known");
    return 0;
}

/* call_costs.c - see call_costs.h. */
#define _GNU_SOURCE /* dladdr */
#include "call_costs.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "start_stop.h"
#include "system_clock.h"

#if IS_51
#include <dlfcn.h>
#include <lualib.h>

/* LuaJIT needs them. A program that contains another Lua may have been linked without them. */
#pragma weak luaL_newstate
#pragma weak luaL_openlibs
#endif

enum { ROUNDS = 7, TURNS = 2000, TREE = 14, TREE_CALLS = 1219 };
enum { MOST_MS = 20 }; /* after so long no further round begins */

/* The functions of the trial, and the lines of their definitions. All loops do the same work, so
 * that the processor overlaps it with the profiler's, as in other programs. `tree` calls itself
 * TREE_CALLS times. */
enum { WORK = 2, CALLEE = 3, CALLS = 4, NATIVES = 5, RECURSION = 6, LINES };
static const char trial[] =
    "local native = ...\n"
    "local function work(n) local x = 0 for i = 1, n do x = x + i % 7 end end\n"
    "local function callee() end\n"
    "local function calls(n) local x = 0 for i = 1, n do x = x + i % 7 callee() end end\n"
    "local function natives(n) local x = 0 for i = 1, n do x = x + i % 7 native() end end\n"
    "local function tree(n) if n < 2 then return n end return tree(n - 1) + tree(n - 2) end\n"
    "return work, calls, natives, tree\n";
static const struct {
    int line, argument;
} loops[] = { { WORK, TURNS }, { CALLS, TURNS }, { NATIVES, TURNS }, { RECURSION, TREE } };
enum { LOOPS = sizeof loops / sizeof *loops };

static int native(lua_State *L)
{
    (void)L;
    return 0;
}

/* The line of a node's function in the trial; 0: the native function. Negative: none of them. */
static int line_of(const toll_profile *profile, toll_node_id node)
{
    toll_frame_id frame = toll_profile_node_frame(profile, node);
    if (frame == TOLL_NONE)
        return -1;
    toll_frame f = toll_profile_frame(profile, frame);
    if (f.kind == TOLL_KIND_NATIVE)
        return line_of(profile, toll_profile_parent(profile, node)) == NATIVES ? 0 : -1;
    return f.line > 0 && f.line < LINES ? (int)f.line : -1;
}

/* What the functions of the trial have spent and executed, by their lines. */
typedef struct trial_sums {
    int64_t self[LINES], executions[LINES];
} trial_sums;

/* Call the loop, whose function is at `index` of the stack. */
static bool run_loop(lua_State *L, int index, int turns)
{
    lua_pushvalue(L, index);
    lua_pushinteger(L, turns);
    return lua_pcall(L, 1, 0, 0) == 0;
}

/* The least time that each loop takes without a recording. */
static bool time_plain(lua_State *L, int64_t plain[LINES])
{
    toll_tsc clock;
    toll_tsc_start(&clock);
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < LOOPS; k++) {
            uint64_t begin = toll_tsc_now(&clock);
            if (!run_loop(L, 1 + k, loops[k].argument))
                return false;
            int64_t took = (int64_t)(toll_tsc_now(&clock) - begin);
            if (!round || took < plain[loops[k].line])
                plain[loops[k].line] = took;
        }
    return true;
}

static bool sum_up(profiler *p, trial_sums *sums)
{
    toll_profile *profile;
    toll_error err;
    toll_allocator allocator = toll_c_allocator();
    memset(sums, 0, sizeof *sums);
    if (host_snapshot(p, &allocator, &profile, &err))
        return false;
    const uint32_t time = p->options.clock == HOST_CLOCK_CPU
                              ? toll_profile_find_column(profile, "cpu")
                              : toll_profile_find_column(profile, "time"),
                   executions = toll_profile_find_column(profile, "executions");
    for (toll_node_id n = 0; n < toll_profile_node_count(profile); n++) {
        const int line = line_of(profile, n);
        if (line < 0)
            continue;
        sums->self[line] += toll_profile_self(profile, n, time);
        if (executions != TOLL_NONE)
            sums->executions[line] += toll_profile_self(profile, n, executions);
    }
    toll_profile_free(profile);
    return true;
}

static int64_t now_ms(void)
{
    return (int64_t)(host_read_clock(CLOCK_MONOTONIC) / 1000000);
}

/* The least that each function of the trial spends in a recording, beyond what it does without. The
 * first turns, in which functions are named, are in no round. */
static bool time_recorded(profiler *p, lua_State *L, trial_sums *least)
{
    trial_sums before, now;
    const int64_t begin = now_ms();
    for (int round = -1; round < ROUNDS; round++) {
        if (round > 0 && now_ms() - begin > MOST_MS)
            break;
        for (int k = 0; k < LOOPS; k++)
            if (!run_loop(L, 1 + k, round < 0 ? 2 : loops[k].argument))
                return false;
        if (!sum_up(p, &now))
            return false;
        for (int line = 0; line < LINES && round >= 0; line++) {
            int64_t self = now.self[line] - before.self[line];
            if (!round || self < least->self[line])
                least->self[line] = self;
            least->executions[line] = now.executions[line] - before.executions[line];
        }
        before = now;
    }
    return true;
}

/* ns / count in picoseconds; a negative one is 0. */
static uint64_t each(int64_t ns, int64_t count)
{
    return ns > 0 && count > 0 ? (uint64_t)ns * 1000 / (uint64_t)count : 0;
}

/* What a function spent in a recording, without the costs of its lines. */
static int64_t without_lines(const trial_sums *recorded, int line, uint64_t line_ps)
{
    return recorded->self[line] - (int64_t)(line_ps * (uint64_t)recorded->executions[line] / 1000);
}

static host_call_costs compare(const int64_t plain[LINES], const trial_sums *recorded)
{
    static const int callers[] = { CALLS, NATIVES }, callees[] = { CALLEE, 0 };
    const uint64_t line_ps = each(recorded->self[WORK] - plain[WORK], recorded->executions[WORK]);
    host_call_costs costs = { .line_ps = line_ps };
    for (int kind = 0; kind < 2; kind++) {
        const int64_t half_call = (plain[callers[kind]] - plain[WORK]) / 2;
        costs.called_ps[kind] =
            each(without_lines(recorded, callees[kind], line_ps) - half_call, TURNS);
        costs.caller_ps[kind] =
            each(without_lines(recorded, callers[kind], line_ps) - plain[WORK] - half_call, TURNS);
    }
    /* Calls in turn with returns are dearer than others: only their shares are taken from them. */
    const uint64_t in_loop = costs.called_ps[0] + costs.caller_ps[0],
                   in_tree = each(without_lines(recorded, RECURSION, line_ps) - plain[RECURSION],
                                  TREE_CALLS);
    if (in_loop) {
        costs.called_ps[0] = costs.called_ps[0] * in_tree / in_loop;
        costs.caller_ps[0] = in_tree - costs.called_ps[0];
    }
    return costs;
}

/* --- a Lua state of its own --------------------------------------------------------------------*/

static void *allocate(void *user, void *block, size_t old_size, size_t size)
{
    (void)user;
    (void)old_size;
    if (size)
        return realloc(block, size);
    free(block);
    return NULL;
}

#if IS_51

/* LuaJIT makes its own memory, and is known by its library `jit`. Another Lua in the process may
 * have functions of these names: the state must be of the Lua that runs. */
static lua_State *new_jit_state(void)
{
    Dl_info maker, runner;
    if (!luaL_newstate || !luaL_openlibs || !dladdr((void *)(uintptr_t)luaL_newstate, &maker) ||
        !dladdr((void *)(uintptr_t)lua_pcall, &runner) || maker.dli_fbase != runner.dli_fbase)
        return NULL;
    return luaL_newstate();
}

static lua_State *new_state(bool jit)
{
    return jit ? new_jit_state() : lua_newstate(allocate, NULL);
}

/* The compiler is off without a recording, too. False: it cannot be switched. */
static bool open_jit(lua_State *L)
{
    luaL_openlibs(L);
    return !luaL_loadstring(L, "jit.off()") && !lua_pcall(L, 0, 0, 0);
}

#else

static lua_State *new_state(bool jit)
{
    (void)jit;
    return lua_newstate(allocate, NULL);
}

static bool open_jit(lua_State *L)
{
    (void)L;
    return false;
}

#endif

typedef struct trial_task {
    host_options options;
    bool jit;
    host_call_costs costs;
} trial_task;

/* Run the trial in L. May raise an error of Lua. */
static int run_trial(lua_State *L)
{
    trial_task *task = lua_touserdata(L, 1);
    int64_t plain[LINES] = { 0 };
    trial_sums recorded = { { 0 }, { 0 } };
    toll_error err;
    lua_settop(L, 0);
    lua_newtable(L); /* no libraries: the profiler looks for functions in them */
    lua_setfield(L, LUA_REGISTRYINDEX, "_LOADED");
    if ((task->jit && !open_jit(L)) || luaL_loadstring(L, trial))
        return 0;
    lua_pushcfunction(L, native);
    lua_call(L, 1, LOOPS);
    if (!time_plain(L, plain))
        return 0;
    profiler *p = host_make(L);
    if (!p || !host_start(p, L, &task->options, &err))
        return 0;
    host_go(p, L, 1);
    bool good = time_recorded(p, L, &recorded);
    host_stop(p, L, false);
    if (good)
        task->costs = compare(plain, &recorded);
    return 0;
}

static host_call_costs measure(const host_options *options, bool jit)
{
    trial_task task = { .options = { .clock = options->clock,
                                     .lines = options->lines,
                                     .call_lines = options->call_lines,
                                     .portable = options->portable },
                        .jit = jit };
    lua_State *L = new_state(jit);
    if (!L)
        return task.costs;
    lua_pushcfunction(L, run_trial);
    lua_pushlightuserdata(L, &task);
    if (lua_pcall(L, 1, 0, 0))
        task.costs = (host_call_costs){ 0 };
    lua_close(L);
    return task.costs;
}

/* --- measured once -----------------------------------------------------------------------------*/

typedef enum kept_state { NOT_KEPT, BEING_KEPT, KEPT } kept_state;

/* By the options that matter. Several threads may measure at once; the first result is kept. */
typedef struct kept_costs {
    _Atomic kept_state state;
    host_call_costs costs;
} kept_costs;
static kept_costs kept[2][HOST_CLOCK_NONE][2][2][2];

host_call_costs host_find_call_costs(const host_options *o, bool jit)
{
    if (o->ticks || o->clock == HOST_CLOCK_NONE)
        return (host_call_costs){ 0 };
    kept_costs *k = &kept[jit][o->clock][o->lines][o->call_lines][o->portable];
    if (atomic_load(&k->state) == KEPT)
        return k->costs;
    host_call_costs costs = measure(o, jit);
    kept_state none = NOT_KEPT;
    if (atomic_compare_exchange_strong(&k->state, &none, BEING_KEPT)) {
        k->costs = costs;
        atomic_store(&k->state, KEPT);
    }
    return costs;
}

/* lua_run.c - see lua_run.h. */
#include "lua_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call_costs.h"
#include "profile_files.h"
#include "lua_recording.h"
#include "start_stop.h"

/* toll doctor finds the version in the module's file by the words before it
 * (src/cli/run_lua_modules.c). */
static const char named_version[] = "Lua module of Toll " TOLL_VERSION_STRING;

int host_push_version(lua_State *L)
{
    lua_pushstring(L, strrchr(named_version, ' ') + 1);
    return 1;
}

/* The variable's value; unset it, so that the script does not see it. NULL: not set, or no memory.
 */
static char *take_variable(const char *name)
{
    const char *value = getenv(name);
    char *copy = value ? strdup(value) : NULL;
    unsetenv(name);
    return copy;
}

/* Restore the script's own value of a variable that toll run has set. */
static void restore_variable(const char *name)
{
    char kept[64];
    snprintf(kept, sizeof kept, "TOLL_KEPT_%s", name);
    const char *own = getenv(kept);
    if (own)
        setenv(name, own, 1);
    else
        unsetenv(name);
    unsetenv(kept);
}

static void give_back_environment(void)
{
    restore_variable("LUA_INIT");
    restore_variable("LUA_INIT_5_2");
    restore_variable("LUA_INIT_5_3");
    restore_variable("LUA_INIT_5_4");
    unsetenv("TOLL_RUN_MODULES");
}

void host_run_own_init(lua_State *L)
{
#if LUA_VERSION_NUM >= 504
    const char *own = getenv("LUA_INIT_5_4");
#elif LUA_VERSION_NUM >= 503
    const char *own = getenv("LUA_INIT_5_3");
#elif LUA_VERSION_NUM >= 502
    const char *own = getenv("LUA_INIT_5_2");
#else
    const char *own = NULL;
#endif
    if (!own)
        own = getenv("LUA_INIT");
    if (!own || *own != '@')
        return;
    if (luaL_loadfile(L, own + 1))
        lua_error(L);
    lua_call(L, 0, 0);
}

/* The recording's options. Their strings are never freed: the process needs them until its end. */
static host_options read_options(void)
{
    host_options o = { 0 };
    const char *clock = take_variable("TOLL_RUN_CLOCK"), *depth = take_variable("TOLL_RUN_DEPTH"),
               *hz = take_variable("TOLL_RUN_SAMPLE");
    o.timeline = take_variable("TOLL_RUN_TIMELINE");
    o.ticks = take_variable("TOLL_RUN_TICKS") != NULL;
    o.heap = take_variable("TOLL_RUN_HEAP") != NULL;
    o.portable = take_variable("TOLL_RUN_PORTABLE") != NULL;
    o.join_threads = take_variable("TOLL_RUN_JOIN") != NULL;
    o.call_lines = take_variable("TOLL_RUN_CALL_LINES") != NULL;
    o.lines = take_variable("TOLL_RUN_LINES") != NULL || o.call_lines;
    o.first = true;
    o.sample_hz = hz ? (uint32_t)strtoul(hz, NULL, 10) : 0;
    host_clock_named(clock, &o.clock); /* toll run has checked it */
    o.max_depth = depth ? (uint32_t)strtoul(depth, NULL, 10) : 0;
    return o;
}

/* Read which files to write, and where. False: no memory. */
static bool read_output(profiler *p)
{
    const char *summary = take_variable("TOLL_RUN_SUMMARY");
    p->output = take_variable("TOLL_RUN_OUTPUT");
    p->format = take_variable("TOLL_RUN_FORMAT");
    p->value = take_variable("TOLL_RUN_VALUE");
    p->title = take_variable("TOLL_RUN_TITLE");
    p->summary = summary != NULL;
    p->summary_rows = summary ? (uint32_t)strtoul(summary, NULL, 10) : 0;
    return p->output != NULL;
}

static void fail(lua_State *L, const host_report *report, const toll_error *err)
{
    host_send_report(report, 'F');
    luaL_error(L, "toll: %s", err->text);
}

/* toll run cannot know whether CPU time is cheap here. False: the run will not have the value that
 * --value names; better now than when the file is written. */
static bool has_value(const profiler *p, toll_error *err)
{
    if (p->cpu_is_cheap || !p->value || strcmp(p->value, "waited") != 0)
        return true;
    *err = (toll_error){ TOLL_E_UNSUPPORTED,
                         "--value waited: what was waited is not known here; it needs Linux on "
                         "x86-64, glibc 2.35 or later, and rseq (GLIBC_TUNABLES)" };
    return false;
}

profiler *host_start_run(lua_State *L)
{
    toll_error err = { TOLL_OK, "out of memory" };
    host_options o = read_options();
    give_back_environment();
    host_report report = host_begin_report(take_variable("TOLL_RUN_REPORT"));
    host_send_report(&report, 'L');
    profiler *p = host_make(L);
    if (!p || !read_output(p))
        fail(L, &report, &err);
    p->report = report;
    p->costs = o.sample_hz ? (host_call_costs){ 0 } : host_find_call_costs(&o, p->jit);
    if (!host_start(p, L, &o, &err) || !has_value(p, &err))
        fail(L, &report, &err);
    return p;
}

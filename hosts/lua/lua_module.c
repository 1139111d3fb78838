/* lua_module.c - the Lua module: the functions of `require "toll"`, and what toll run loads. See
 * docs/lua.md. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "call_costs.h"
#include "call_stack.h"
#include "lua_control.h"
#include "lua_names.h"
#include "lua_run.h"
#include "process_end.h"
#include "profile/sampled.h"
#include "profile_files.h"
#include "lua_recording.h"
#include "sample_stack.h"
#include "lua_sampling.h"
#include "output_name.h"
#include "start_options.h"
#include "start_stop.h"

static const char profile_type[] = "toll.profile", output_type[] = "toll.output";

#ifndef TOLL_MODULE_API
#define TOLL_MODULE_API __attribute__((visibility("default")))
#endif
TOLL_MODULE_API int luaopen_toll(lua_State *L);

static int fail(lua_State *L, const toll_error *err)
{
    return luaL_error(L, "toll: %s", err->text);
}

/* --- functions ---------------------------------------------------------------------------------*/

static void begin(profiler *p, lua_State *L, int hide);

/* Return nil and a message, as Lua's io library does, where a request of a server should go on: a
 * file could not be written, or a recording runs already, or does not. */
static int fail_softly(lua_State *L, const toll_error *err)
{
    lua_pushnil(L);
    lua_pushfstring(L, "toll: %s", err->text);
    return 2;
}

static int toll_start(lua_State *L)
{
    host_options o = { 0 };
    toll_error err = { TOLL_OK, "out of memory" };
    host_read_options(L, &o);
    if (o.sample_hz && !host_may_sample(&o, &err))
        return fail(L, &err);
    profiler *p = host_make(L);
    if (!p)
        return fail(L, &err);
    if (p->active)
        return fail_softly(
            L, &(toll_error){ TOLL_E_ARGUMENT, "profiling is on already; toll.stop() ends it" });
    host_forget_end(p);
    p->costs = o.sample_hz ? (host_call_costs){ 0 } : host_find_call_costs(&o, p->jit);
    if (!host_set_output(p, &o) || !host_start(p, L, &o, &err))
        return fail(L, &err);
    p->keep = p->kept != NULL;
    begin(p, L, 1);
    lua_pushboolean(L, true);
    return 1;
}

static profiler *recording(lua_State *L)
{
    profiler *p = host_find(L);
    if (!p || !p->recorder)
        luaL_error(L, "toll: nothing was recorded; call toll.start() first");
    return p;
}

static int toll_stop(lua_State *L)
{
    toll_error err = { TOLL_OK, "" };
    profiler *p = host_find(L);
    if (!p || !p->active)
        return fail_softly(L, &(toll_error){ TOLL_E_ARGUMENT, "profiling is not on" });
    host_stop(p, L, false);
    if (host_end_recording(p, &err))
        return fail_softly(L, &err);
    lua_pushboolean(L, true);
    return 1;
}

static int toll_running(lua_State *L)
{
    profiler *p = host_find(L);
    lua_pushboolean(L, p && p->active);
    return 1;
}

/* Charge what the counters moved up to now. */
static void charge(profiler *p, lua_State *L)
{
    if (p->active && p->options.sample_hz) {
        host_take_sample(p, L, 1, HOST_IN_LUA);
        return;
    }
    int was_busy = host_begin_change(p);
    if (p->active) {
        host_read_counters(p);
        toll_recorder_charge(p->recorder, p->now);
    }
    host_end_change(p, was_busy);
}

/* Return a copy of what is recorded so far, in a userdata that frees it. */
static int toll_snapshot(lua_State *L)
{
    profiler *p = recording(L);
    toll_error err = { TOLL_OK, "" };
    toll_profile **box = lua_newuserdata(L, sizeof *box);
    *box = NULL;
    luaL_getmetatable(L, profile_type);
    lua_setmetatable(L, -2);
    charge(p, L);
    toll_allocator allocator = toll_c_allocator(); /* the copy may outlive the recording */
    if (host_snapshot(p, &allocator, box, &err))
        return fail(L, &err);
    return 1;
}

typedef toll_status section_event(toll_recorder *recorder, toll_frame_id frame, const uint64_t *now,
                                  toll_error *err);

/* Report a section's event. Return true to Lua; or false and a message. While nothing is recorded,
 * do nothing and return true. */
static int section(lua_State *L, section_event *event)
{
    toll_error err = { TOLL_OK, "" };
    profiler *p = host_find(L);
    const char *id = luaL_checkstring(L, 1); /* before `busy` is set: it may raise an error */
    int was_busy = p ? host_begin_change(p) : 0;
    if (p && p->active && p->options.sample_hz) {
        err = (toll_error){ TOLL_E_UNSUPPORTED, "a recording of samples has no sections" };
    } else if (p && p->active) {
        host_read_counters(p);
        host_settle(p, p->co);
        toll_frame_id frame = host_frame(&p->names, id, "", 0, TOLL_KIND_SECTION);
        event(p->recorder, frame, p->now, &err);
    }
    if (p)
        host_end_change(p, was_busy);
    lua_pushboolean(L, err.status == TOLL_OK);
    if (err.status == TOLL_OK)
        return 1;
    lua_pushfstring(L, "toll: section '%s': %s", id, err.text);
    return 2;
}

static int toll_section_begin(lua_State *L)
{
    return section(L, toll_recorder_section_begin);
}

static int toll_section_finish(lua_State *L)
{
    return section(L, toll_recorder_section_end);
}

/* Write a profile to a file. An unknown format is an error of the program, so it is raised. */
static int save(lua_State *L, const toll_profile *profile, int first)
{
    toll_error err = { TOLL_OK, "" };
    const char *path = luaL_checkstring(L, first), *format = luaL_optstring(L, first + 1, NULL);
    const profiler *p = host_find(L);
    const toll_format_options o = { .size = sizeof o, .labels = p ? p->labels : NULL };
    toll_status status = toll_profile_save_as(profile, NULL, path, format, &o, &err);
    if (status == TOLL_E_UNKNOWN_FORMAT || status == TOLL_E_ARGUMENT)
        return fail(L, &err);
    if (status)
        return fail_softly(L, &err);
    lua_pushboolean(L, true);
    return 1;
}

static toll_profile *check_profile(lua_State *L)
{
    toll_profile **box = luaL_checkudata(L, 1, profile_type);
    if (!*box)
        luaL_error(L, "toll: the snapshot failed; there is nothing in it");
    return *box;
}

static int profile_write(lua_State *L)
{
    return save(L, check_profile(L), 2);
}

static int toll_write(lua_State *L)
{
    luaL_checkstring(L, 1);
    luaL_optstring(L, 2, NULL);
    lua_settop(L, 2);
    toll_snapshot(L);
    lua_insert(L, 1);
    return save(L, check_profile(L), 2);
}

/* Push a userdata that owns a new output. Making a Lua string of its bytes may raise an error, and
 * then the userdata frees it. */
static toll_output **new_output(lua_State *L)
{
    toll_output **box = lua_newuserdata(L, sizeof *box);
    *box = NULL;
    luaL_getmetatable(L, output_type);
    lua_setmetatable(L, -2);
    return box;
}

static void free_output(toll_output **box)
{
    toll_output_free(*box);
    *box = NULL;
}

static int output_gc(lua_State *L)
{
    free_output(luaL_checkudata(L, 1, output_type));
    return 0;
}

static int profile_report(lua_State *L)
{
    toll_profile *profile = check_profile(L);
    toll_report_options o = { .size = sizeof o,
                              .rows = (uint32_t)luaL_optinteger(L, 2, 20),
                              .short_names = 1 };
    toll_output **out = new_output(L);
    toll_error err = { TOLL_OK, "" };
    size_t size;
    toll_status status = toll_output_to_memory(NULL, 0, out, &err);
    if (!status)
        status = toll_report_top(profile, &o, *out, &err);
    if (!status)
        status = toll_output_commit(*out, &err);
    if (!status) {
        const char *bytes = toll_output_data(*out, &size);
        lua_pushlstring(L, bytes, size);
    }
    free_output(out);
    return status ? fail(L, &err) : 1;
}

static int profile_gc(lua_State *L)
{
    toll_profile **box = luaL_checkudata(L, 1, profile_type);
    toll_profile_free(*box);
    *box = NULL;
    return 0;
}

/* --- by a signal -------------------------------------------------------------------------------*/

static char options_key; /* its address is a key of the registry: the options of control */

/* Begin or end a recording, as the signal wants it. */
static int turn(lua_State *L)
{
    profiler *p = host_find(L);
    bool on = host_control_wants(p);
    if (on == p->active)
        return 0;
    lua_pushcfunction(L, on ? toll_start : toll_stop);
    lua_pushlightuserdata(L, &options_key);
    lua_rawget(L, LUA_REGISTRYINDEX);
    lua_call(L, 1, 2);
    if (lua_isnil(L, -2))
        return lua_error(L); /* the message */
    if (!on)
        fprintf(stderr, "toll: the recording of process %ld has ended\n", (long)getpid());
    return 0;
}

static const lua_CFunction turn_functions[] = { turn, toll_start, toll_stop, NULL };

static int toll_control(lua_State *L)
{
    host_options o = { 0 };
    toll_error err = { TOLL_OK, "" };
    luaL_checktype(L, 1, LUA_TTABLE);
    host_read_options(L, &o);
    if (!o.signal_number)
        luaL_error(L, "toll.control: signal is 'USR1', 'USR2', 'URG', 'WINCH', 'IO', or the number "
                      "of a real-time signal");
    if (!o.output || !strstr(o.output, "%p"))
        luaL_error(L, "toll.control: output is a file name with %%p, the process's id: a signal "
                      "may be sent to several processes");
    if (o.timeline)
        luaL_error(L,
                   "toll.control: timeline has one name, and a signal begins several recordings; "
                   "toll.start has it");
    if (o.sample_hz && !host_may_sample(&o, &err))
        return fail(L, &err);
    profiler *p = host_make(L);
    if (!p)
        return fail(L, &(toll_error){ TOLL_E_NOMEM, "out of memory" });
    lua_pushlightuserdata(L, &options_key);
    host_push_kept_options(L, o.output);
    lua_rawset(L, LUA_REGISTRYINDEX);
    if (!host_control(L, p, o.signal_number, turn_functions, &err))
        return fail_softly(L, &err);
    lua_pushboolean(L, true);
    return 1;
}

/* --- what a script sees ------------------------------------------------------------------------*/

static const struct {
    const char *name;
    lua_CFunction function;
} functions[] = { { "start", toll_start },           { "stop", toll_stop },
                  { "control", toll_control },       { "running", toll_running },
                  { "section", toll_section_begin }, { "finish", toll_section_finish },
                  { "snapshot", toll_snapshot },     { "write", toll_write } },
  methods[] = { { "write", profile_write }, { "report", profile_report }, { "__gc", profile_gc } };

enum {
    FUNCTION_COUNT = sizeof functions / sizeof *functions,
    METHOD_COUNT = sizeof methods / sizeof *methods
};

/* Give our own functions no frames. */
static void hide_own(profiler *p)
{
    for (int i = 0; i < FUNCTION_COUNT; i++)
        host_hide_function(p, functions[i].function);
    for (int i = 0; i < METHOD_COUNT; i++)
        host_hide_function(p, methods[i].function);
    host_hide_function(p, turn);
    host_hide_function(p, luaopen_toll);
}

/* See events from now on. The innermost `hide` levels are ours. */
static void begin(profiler *p, lua_State *L, int hide)
{
    hide_own(p);
    host_go(p, L, hide);
    host_watch_end(p);
}

static int open_module(lua_State *L)
{
    luaL_newmetatable(L, output_type);
    lua_pushcfunction(L, output_gc);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    luaL_newmetatable(L, profile_type);
    for (int i = 0; i < METHOD_COUNT; i++) {
        lua_pushcfunction(L, methods[i].function);
        lua_setfield(L, -2, methods[i].name);
    }
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    lua_newtable(L);
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        lua_pushcfunction(L, functions[i].function);
        lua_setfield(L, -2, functions[i].name);
    }
    return 1;
}

/* --- the module --------------------------------------------------------------------------------*/

static int begin_run(lua_State *L)
{
    begin(host_start_run(L), L, 2); /* this function, and the line in LUA_INIT that calls it */
    host_run_own_init(L);
    return 0;
}

/* The only symbol that the module exports. Lua's `require` passes a module's name; the line in
 * LUA_INIT of toll run passes "toll version", and then "toll run" if the version is its own. */
int luaopen_toll(lua_State *L)
{
    const char *name = lua_tostring(L, 1);
    if (name && strcmp(name, "toll version") == 0)
        return host_push_version(L);
    host_stay_loaded();
    return name && strcmp(name, "toll run") == 0 ? begin_run(L) : open_module(L);
}

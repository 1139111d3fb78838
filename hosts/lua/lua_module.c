/* lua_module.c - the Lua module: the functions of `require "toll"`, and what toll run loads. See
 * docs/lua.md. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attach_profiles.h"
#include "call_costs.h"
#include "call_stack.h"
#include "control_commands.h"
#include "control_socket.h"
#include "lua_attach.h"
#include "lua_control.h"
#include "lua_names.h"
#include "lua_run.h"
#include "process_end.h"
#include "profile/sampled.h"
#include "profile_files.h"
#include "lua_recording.h"
#include "sample_stack.h"
#include "lua_sampling.h"
#include "lua_snapshot.h"
#include "output_name.h"
#include "start_options.h"
#include "start_stop.h"

#ifndef TOLL_MODULE_API
#define TOLL_MODULE_API __attribute__((visibility("default")))
#endif
TOLL_MODULE_API int luaopen_toll(lua_State *L);
TOLL_MODULE_API toll_attach_status *toll_attach(const toll_attach_request *request);
TOLL_MODULE_API toll_attach_status *toll_attach_end(void);

/* --- functions ---------------------------------------------------------------------------------*/

static void begin(profiler *p, lua_State *L, int hide);

/* For the answer to a command: the recording's file was written. */
static void note_file(const profiler *p)
{
    char path[PATH_MAX];
    host_outcome *outcome = host_control_outcome(p);
    if (outcome && p->kept && !p->write && host_output_path(p, path, sizeof path))
        host_outcome_wrote(outcome, path);
}

static int toll_start(lua_State *L)
{
    host_options o = { 0 };
    toll_error err = { TOLL_OK, "out of memory" };
    host_read_options(L, &o);
    if (o.sample_hz && !host_may_sample(&o, &err))
        return host_fail(L, &err);
    profiler *p = host_make(L);
    if (!p)
        return host_fail(L, &err);
    if (p->active)
        return host_fail_softly(
            L, &(toll_error){ TOLL_E_ARGUMENT, "profiling is on already; toll.stop() ends it" });
    host_forget_end(p);
    p->costs = o.sample_hz ? (host_call_costs){ 0 } : host_find_call_costs(&o, p->jit);
    if (!host_set_output(p, &o) || !host_start(p, L, &o, &err))
        return host_fail(L, &err);
    p->keep = p->kept || p->write;
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
        return host_fail_softly(L, &(toll_error){ TOLL_E_ARGUMENT, "profiling is not on" });
    host_stop(p, L, false);
    toll_status status = host_end_recording(p, &err);
    if (!status)
        note_file(p);
    p->write = NULL;
    if (status)
        return host_fail_softly(L, &err);
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
    toll_profile **box = host_push_snapshot(L);
    charge(p, L);
    toll_allocator allocator = toll_c_allocator(); /* the copy may outlive the recording */
    if (host_snapshot(p, &allocator, box, &err))
        return host_fail(L, &err);
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

static int toll_write(lua_State *L)
{
    luaL_checkstring(L, 1);
    luaL_optstring(L, 2, NULL);
    lua_settop(L, 2);
    toll_snapshot(L);
    lua_insert(L, 1);
    return host_save_snapshot(L, 2);
}

/* --- by a signal or a command ------------------------------------------------------------------*/

static char options_key; /* its address is a key of the registry: the options of control */

static void write_so_far(lua_State *L, profiler *p)
{
    toll_error err = { TOLL_OK, "" };
    charge(p, L);
    if (host_write_so_far(p, &err))
        host_fail(L, &err);
    note_file(p);
    fprintf(stderr, "toll: the recording of process %ld so far is written\n", (long)getpid());
}

/* Begin or end a recording, as the signal or command wants it; or write what is recorded so far. */
static int turn(lua_State *L)
{
    profiler *p = host_find(L);
    bool on = host_control_wants(p), is_attached = host_attach_is_on();
    bool wants_snapshot = host_control_wants_snapshot(p);
    toll_error err = { TOLL_OK, "" };
    host_outcome_fail(host_control_outcome(p), "");
    if (!host_socket_reopen(&err))
        fprintf(stderr, "toll: %s\n", err.text);
    if (on == p->active) {
        if (!on)
            host_control_ended(p);
        else if (wants_snapshot)
            write_so_far(L, p);
        return 0;
    }
    lua_pushcfunction(L, on ? toll_start : toll_stop);
    lua_pushlightuserdata(L, &options_key);
    lua_rawget(L, LUA_REGISTRYINDEX);
    lua_call(L, 1, 2);
    if (!on)
        host_control_ended(p);
    if (lua_isnil(L, -2))
        return lua_error(L); /* the message */
    if (!on && !is_attached)
        fprintf(stderr, "toll: the recording of process %ld has ended\n", (long)getpid());
    return 0;
}

static const lua_CFunction turn_functions[] = { turn, toll_start, toll_stop, NULL };

/* Raise an error unless the options say by what recordings begin. */
static void check_ways(lua_State *L, host_options *o)
{
    lua_getfield(L, 1, "signal");
    bool has_signal = !lua_isnil(L, -1);
    lua_pop(L, 1);
    if (!o->signal_number && (has_signal || !o->socket))
        luaL_error(L, "toll.control: signal is 'USR1', 'USR2', 'URG', 'WINCH', 'IO', or the number "
                      "of a real-time signal; or give a socket");
    if (o->socket && !host_names_process(o->socket))
        luaL_error(L, "toll.control: socket is a path with %%p, the process's id: each process has "
                      "its own");
}

/* Put the state under control of the options. */
static bool control_state(lua_State *L, profiler *p, host_options *o, toll_error *err)
{
    if (!o->signal_number)
        o->signal_number = host_command_signal(err);
    return o->signal_number && host_control(L, p, o, turn_functions, host_answer_command, err);
}

static int toll_control(lua_State *L)
{
    host_options o = { 0 };
    toll_error err = { TOLL_OK, "" };
    luaL_checktype(L, 1, LUA_TTABLE);
    host_read_options(L, &o);
    check_ways(L, &o);
    if (!o.output || !host_names_process(o.output))
        luaL_error(L, "toll.control: output is a file name with %%p, the process's id: several "
                      "processes may record at the same time");
    if (o.timeline)
        luaL_error(L,
                   "toll.control: timeline has one name, and a signal begins several recordings; "
                   "toll.start has it");
    if (o.sample_hz && !host_may_sample(&o, &err))
        return host_fail(L, &err);
    profiler *p = host_make(L);
    if (!p)
        return host_fail(L, &(toll_error){ TOLL_E_NOMEM, "out of memory" });
    lua_pushlightuserdata(L, &options_key);
    host_push_kept_options(L, o.output); /* first: it may raise an error */
    if (!control_state(L, p, &o, &err))
        return host_fail_softly(L, &err);
    lua_rawset(L, LUA_REGISTRYINDEX);
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
                  { "snapshot", toll_snapshot },     { "write", toll_write } };

enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static int attach_state(lua_State *L);

/* Give our own functions no frames. */
static void hide_own(profiler *p)
{
    for (int i = 0; i < FUNCTION_COUNT; i++)
        host_hide_function(p, functions[i].function);
    for (const luaL_Reg *m = host_snapshot_methods; m->name; m++)
        host_hide_function(p, m->func);
    host_hide_function(p, turn);
    host_hide_function(p, attach_state);
    host_hide_function(p, luaopen_toll);
}

/* See events from now on. The innermost `hide` levels are ours. */
static void begin(profiler *p, lua_State *L, int hide)
{
    hide_own(p);
    host_go(p, L, hide);
    host_watch_end(p);
    if (host_control_outcome(p))
        host_outcome_begin(host_control_outcome(p), true);
}

static int open_module(lua_State *L)
{
    host_open_snapshots(L);
    lua_newtable(L);
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        lua_pushcfunction(L, functions[i].function);
        lua_setfield(L, -2, functions[i].name);
    }
    return 1;
}

/* --- in a process that runs already ------------------------------------------------------------*/

/* Called with a signal's number, and so many samples a second, or 0: the state records from now on.
 */
static int attach_state(lua_State *L)
{
    toll_error err = { TOLL_E_NOMEM, "out of memory" };
    host_stay_loaded();
    lua_pushcfunction(L, open_module);
    lua_call(L, 0, 0);
    profiler *p = host_make(L);
    if (!p)
        return host_fail(L, &err);
    lua_pushlightuserdata(L, &options_key);
    lua_newtable(L);
    if (lua_tointeger(L, 2)) {
        lua_pushliteral(L, "sample");
        lua_setfield(L, -2, "mode");
        lua_pushvalue(L, 2);
        lua_setfield(L, -2, "hz");
    }
    lua_rawset(L, LUA_REGISTRYINDEX);
    const host_options o = { .signal_number = (int)lua_tointeger(L, 1) };
    if (!host_control(L, p, &o, turn_functions, NULL, &err))
        return host_fail(L, &err);
    host_control_on(p, host_attach_ended);
    p->write = host_attach_profiles_add;
    lua_pushcfunction(L, turn);
    if (lua_pcall(L, 0, 0, 0)) {
        p->write = NULL; /* a later recording is of the script's own */
        host_control_off(p);
        return lua_error(L);
    }
    return 0;
}

toll_attach_status *toll_attach(const toll_attach_request *request)
{
    return host_attach(request, attach_state, toll_attach_end);
}

toll_attach_status *toll_attach_end(void)
{
    return host_attach_end();
}

/* --- the module --------------------------------------------------------------------------------*/

static int begin_run(lua_State *L)
{
    begin(host_start_run(L), L, 2); /* this function, and the line in LUA_INIT that calls it */
    host_run_own_init(L);
    return 0;
}

/* What the module exports, beside the two functions for toll attach. Lua's `require` passes a
 * module's name; the line in LUA_INIT of toll run passes "toll version", and then "toll run" if the
 * version is its own. */
int luaopen_toll(lua_State *L)
{
    const char *name = lua_tostring(L, 1);
    if (name && strcmp(name, "toll version") == 0)
        return host_push_version(L);
    host_stay_loaded();
    return name && strcmp(name, "toll run") == 0 ? begin_run(L) : open_module(L);
}

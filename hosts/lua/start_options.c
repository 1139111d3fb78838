/* start_options.c - see start_options.h. */
#include "start_options.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "control_signal.h"
#include "lua_recording.h"
#include "profile/sampled.h"

static bool flag(lua_State *L, const char *name)
{
    lua_getfield(L, 1, name);
    bool set = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return set;
}

/* A string field. It stays on the stack, so that it lives as long as the call. */
static const char *text(lua_State *L, const char *name)
{
    lua_getfield(L, 1, name);
    if (!lua_isnil(L, -1) && !lua_isstring(L, -1))
        luaL_error(L, "toll.start: %s is a string", name);
    return lua_tostring(L, -1);
}

/* The path of the output. If its folder cannot be written to, raise the error now, before anything
 * is recorded. */
static const char *output_option(lua_State *L)
{
    const char *path = text(L, "output");
    if (!path)
        return NULL;
    if (!toll_format_for_path(path))
        luaL_error(L, "toll.start: output is a file name with the extension of a format: .pb.gz, "
                      ".speedscope.json or .folded, say");
    const char *slash = strrchr(path, '/');
    lua_pushlstring(L, slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
    if (access(lua_tostring(L, -1), W_OK | X_OK) != 0)
        luaL_error(L, "toll.start: output: %s: cannot write to its folder: %s", path,
                   strerror(errno));
    return path;
}

/* The number of samples a second, of mode = "sample"; 0: every call is seen. */
static uint32_t sample_option(lua_State *L)
{
    const char *mode = text(L, "mode");
    lua_getfield(L, 1, "hz");
    bool given = !lua_isnil(L, -1);
    lua_Number hz = given ? lua_tonumber(L, -1) : TOLL_SAMPLE_HZ;
    lua_pop(L, 1);
    if (mode && strcmp(mode, "exact") != 0 && strcmp(mode, "sample") != 0)
        luaL_error(L, "toll.start: mode is 'exact' or 'sample', not '%s'", mode);
    if (!mode || strcmp(mode, "sample") != 0) {
        if (given)
            luaL_error(L, "toll.start: hz goes with mode = 'sample'");
        return 0;
    }
    if (!(hz >= 1 && hz <= TOLL_MOST_SAMPLE_HZ))
        luaL_error(L, "toll.start: hz is a number from 1 to %d", TOLL_MOST_SAMPLE_HZ);
    return (uint32_t)hz;
}

/* Raise an error if TOLL_LABELS is wrong. It is better to fail now than when the file is written.
 */
static void check_labels(lua_State *L)
{
    toll_error err = { TOLL_OK, "" };
    const char *labels = getenv("TOLL_LABELS");
    if (labels && toll_labels_check(labels, &err))
        luaL_error(L, "toll.start: TOLL_LABELS: %s", err.text);
}

void host_read_options(lua_State *L, host_options *o)
{
    check_labels(L);
    if (lua_isnoneornil(L, 1))
        return;
    luaL_checktype(L, 1, LUA_TTABLE);
    o->ticks = flag(L, "ticks");
    o->heap = flag(L, "heap");
    o->join_threads = flag(L, "join_threads");
    o->call_lines = flag(L, "call_lines");
    o->lines = o->call_lines || flag(L, "lines");
    o->portable = flag(L, "portable");
    lua_getfield(L, 1, "max_depth");
    if (!lua_isnil(L, -1) && lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "toll.start: max_depth is a number");
    lua_Integer depth = lua_tointeger(L, -1);
    if (depth < 0 || depth > 1000000000)
        luaL_error(L, "toll.start: max_depth is a number from 0 (no limit) up");
    o->max_depth = (uint32_t)depth;
    lua_pop(L, 1);
    o->timeline = text(L, "timeline");
    if (o->timeline && !toll_format_for_path(o->timeline))
        luaL_error(L, "toll.start: timeline is a file name that ends in .toll-timeline, "
                      ".speedscope.json or .trace.json");
    o->output = output_option(L);
    const char *signal = text(L, "signal");
    o->signal_number = signal ? host_control_signal(signal) : 0;
    o->socket = text(L, "socket");
    const char *snapshot = text(L, "snapshot");
    o->snapshot_number = snapshot ? host_control_signal(snapshot) : 0;
    if (snapshot && (!o->snapshot_number || o->snapshot_number == o->signal_number))
        luaL_error(L,
                   "toll.control: snapshot is a signal as those of `signal`, and another one than "
                   "it");
    o->sample_hz = sample_option(L);
    const char *clock = text(L, "clock");
    if (!host_clock_named(clock, &o->clock))
        luaL_error(L, "toll.start: clock is 'wall', 'cpu' or 'none', not '%s'", clock);
    if (!clock && o->timeline) /* as in toll run: see choose_clock in src/cli/run_lua.c */
        o->clock = HOST_CLOCK_WALL;
}

void host_push_kept_options(lua_State *L, const char *output)
{
    char folder[PATH_MAX];
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, 1);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    if (lua_getmetatable(L, 1))
        lua_setmetatable(L, -2);
    if (*output != '/' && getcwd(folder, sizeof folder)) {
        lua_pushliteral(L, "output");
        lua_pushfstring(L, "%s/%s", folder, output);
        lua_rawset(L, -3);
    }
}

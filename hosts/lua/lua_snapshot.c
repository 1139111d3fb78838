/* lua_snapshot.c - see lua_snapshot.h. */
#include "lua_snapshot.h"

static const char profile_type[] = "toll.profile", output_type[] = "toll.output";

int host_fail(lua_State *L, const toll_error *err)
{
    return luaL_error(L, "toll: %s", err->text);
}

int host_fail_softly(lua_State *L, const toll_error *err)
{
    lua_pushnil(L);
    lua_pushfstring(L, "toll: %s", err->text);
    return 2;
}

static toll_profile *check_profile(lua_State *L)
{
    toll_profile **box = luaL_checkudata(L, 1, profile_type);
    if (!*box)
        luaL_error(L, "toll: the snapshot failed; there is nothing in it");
    return *box;
}

/* An unknown format is an error of the program, so it is raised. */
int host_save_snapshot(lua_State *L, int first)
{
    const toll_profile *profile = check_profile(L);
    toll_error err = { TOLL_OK, "" };
    const char *path = luaL_checkstring(L, first), *format = luaL_optstring(L, first + 1, NULL);
    const profiler *p = host_find(L);
    const toll_format_options o = { .size = sizeof o, .labels = p ? p->labels : NULL };
    toll_status status = toll_profile_save_as(profile, NULL, path, format, &o, &err);
    if (status == TOLL_E_UNKNOWN_FORMAT || status == TOLL_E_ARGUMENT)
        return host_fail(L, &err);
    if (status)
        return host_fail_softly(L, &err);
    lua_pushboolean(L, true);
    return 1;
}

static int profile_write(lua_State *L)
{
    return host_save_snapshot(L, 2);
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
    return status ? host_fail(L, &err) : 1;
}

static int profile_gc(lua_State *L)
{
    toll_profile **box = luaL_checkudata(L, 1, profile_type);
    toll_profile_free(*box);
    *box = NULL;
    return 0;
}

const luaL_Reg host_snapshot_methods[] = {
    { "write", profile_write }, { "report", profile_report }, { "__gc", profile_gc }, { NULL, NULL }
};

toll_profile **host_push_snapshot(lua_State *L)
{
    toll_profile **box = lua_newuserdata(L, sizeof *box);
    *box = NULL;
    luaL_getmetatable(L, profile_type);
    lua_setmetatable(L, -2);
    return box;
}

void host_open_snapshots(lua_State *L)
{
    luaL_newmetatable(L, output_type);
    lua_pushcfunction(L, output_gc);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    luaL_newmetatable(L, profile_type);
    for (const luaL_Reg *m = host_snapshot_methods; m->name; m++) {
        lua_pushcfunction(L, m->func);
        lua_setfield(L, -2, m->name);
    }
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}

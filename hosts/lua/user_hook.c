/* user_hook.c - debug.sethook and debug.gethook for the script while the real hook is ours.
 *
 * The script's hook is kept in a table of the registry and called from ours for the events that it
 * asked for, with the arguments and stack levels that the debug library would give it. It sees its
 * own functions and ours alike; ours (toll.start, ...) only if it calls them. */
#include <string.h>

#include "host.h"

static char hooks_key, originals_key; /* their addresses are keys of the registry */

/* The table thread -> function; in LuaJIT one hook serves all threads, under key 1. */
static void push_hooks(lua_State *L)
{
    lua_pushlightuserdata(L, &hooks_key);
    lua_rawget(L, LUA_REGISTRYINDEX);
    if (lua_istable(L, -1))
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_pushlightuserdata(L, &hooks_key);
    lua_pushvalue(L, -2);
    lua_rawset(L, LUA_REGISTRYINDEX);
}

static void push_thread_key(profiler *p, lua_State *L, lua_State *of)
{
    if (p->jit) {
        lua_pushinteger(L, 1);
    } else {
        lua_pushthread(of);
        lua_xmove(of, L, 1);
    }
}

static int mask_of(const char *text, int count)
{
    return (strchr(text, 'c') ? LUA_MASKCALL : 0) | (strchr(text, 'r') ? LUA_MASKRET : 0) |
           (strchr(text, 'l') ? LUA_MASKLINE : 0) | (count > 0 ? LUA_MASKCOUNT : 0);
}

static coroutine *known(profiler *p, lua_State *L)
{
    const object *o = objects_find(&p->map, L);
    return o ? o->co : NULL;
}

static void set_user(profiler *p, lua_State *L, int mask, int count)
{
    coroutine *co = known(p, L);
    p->user_hooks = true;
    if (p->jit)
        p->user_global_mask = mask;
    if (co) {
        co->user_mask = mask;
        co->user_count = co->user_left = count;
    }
    host_set_hook(p, L);
}

static lua_State *thread_argument(lua_State *L, int *shift)
{
    *shift = lua_isthread(L, 1);
    return *shift ? lua_tothread(L, 1) : L;
}

static int user_sethook(lua_State *L)
{
    profiler *p = host_find(L);
    int shift;
    lua_State *of = thread_argument(L, &shift);
    int mask = 0, count = 0;
    if (lua_isnoneornil(L, shift + 1)) {
        lua_settop(L, shift + 1);
    } else {
        const char *text = luaL_checkstring(L, shift + 2);
        luaL_checktype(L, shift + 1, LUA_TFUNCTION);
        count = (int)luaL_optinteger(L, shift + 3, 0);
        mask = mask_of(text, count);
    }
    if (!p || !p->active)
        return 0;
    push_hooks(L);
    push_thread_key(p, L, of);
    lua_pushvalue(L, shift + 1);
    lua_rawset(L, -3);
    set_user(p, of, mask, count);
    return 0;
}

static int user_gethook(lua_State *L)
{
    profiler *p = host_find(L);
    int shift;
    lua_State *of = thread_argument(L, &shift);
    coroutine *co = p && p->active ? known(p, of) : NULL;
    char text[5];
    int n = 0, mask = co ? co->user_mask : p ? p->user_global_mask : 0;
    if (!p)
        return 0;
    push_hooks(L);
    push_thread_key(p, L, of);
    lua_rawget(L, -2);
    if (mask & LUA_MASKCALL)
        text[n++] = 'c';
    if (mask & LUA_MASKRET)
        text[n++] = 'r';
    if (mask & LUA_MASKLINE)
        text[n++] = 'l';
    text[n] = 0;
#if LUA_VERSION_NUM >= 504
    if (lua_isnil(L, -1)) /* 5.4 tells only that there is none */
        return 1;
#endif
    lua_pushstring(L, text);
    lua_pushinteger(L, co ? co->user_count : 0);
    return 3;
}

void host_call_user_hook(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
    static const char *const names[] = { "call", "return", "line", "count",
#if LUA_VERSION_NUM >= 502
                                         "tail call"
#else
                                         "tail return"
#endif
    };
    static const int masks[] = { LUA_MASKCALL, LUA_MASKRET, LUA_MASKLINE, LUA_MASKCOUNT,
#if LUA_VERSION_NUM >= 502
                                 LUA_MASKCALL
#else
                                 LUA_MASKRET
#endif
    };
    int mask = p->jit ? p->user_global_mask : co->user_mask;
    if (!(mask & masks[ar->event]))
        return;
    if (ar->event == LUA_HOOKCOUNT && (p->options.ticks || p->armed)) {
        if (--co->user_left > 0)
            return;
        co->user_left = co->user_count;
    }
    push_hooks(L);
    push_thread_key(p, L, L);
    lua_rawget(L, -2);
    if (lua_isfunction(L, -1)) {
        lua_pushstring(L, names[ar->event]);
        if (ar->currentline >= 0)
            lua_pushinteger(L, ar->currentline);
        else
            lua_pushnil(L);
        lua_call(L, 2, 0);
        lua_pop(L, 1);
    } else {
        lua_pop(L, 2);
    }
}

bool host_is_own_hook_function(lua_CFunction f)
{
    return f == user_sethook || f == user_gethook;
}

/* The debug table, or nil, on the stack. */
static void push_debug(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    if (lua_istable(L, -1)) {
        lua_pushliteral(L, "debug");
        lua_rawget(L, -2);
        lua_remove(L, -2);
    }
}

static void swap_field(lua_State *L, const char *name, lua_CFunction ours, int originals)
{
    lua_pushstring(L, name);
    lua_rawget(L, -2);
    lua_setfield(L, originals, name);
    lua_pushstring(L, name);
    lua_pushcfunction(L, ours);
    lua_rawset(L, -3);
}

void host_take_debug(profiler *p, lua_State *L)
{
    int top = lua_gettop(L);
    (void)p;
    lua_newtable(L);
    push_debug(L);
    if (lua_istable(L, -1)) {
        swap_field(L, "sethook", user_sethook, top + 1);
        swap_field(L, "gethook", user_gethook, top + 1);
        lua_pushlightuserdata(L, &originals_key);
        lua_pushvalue(L, top + 1);
        lua_rawset(L, LUA_REGISTRYINDEX);
    }
    lua_settop(L, top);
}

void host_give_back_debug(profiler *p, lua_State *L)
{
    static const char *const names[] = { "sethook", "gethook" };
    int top = lua_gettop(L);
    (void)p;
    lua_pushlightuserdata(L, &originals_key);
    lua_rawget(L, LUA_REGISTRYINDEX);
    push_debug(L);
    if (lua_istable(L, top + 1) && lua_istable(L, top + 2))
        for (int i = 0; i < 2; i++) {
            lua_getfield(L, top + 2, names[i]);
            lua_CFunction now = lua_tocfunction(L, -1);
            lua_pop(L, 1);
            if (now != user_sethook && now != user_gethook)
                continue; /* the script put something else there */
            lua_getfield(L, top + 1, names[i]);
            lua_setfield(L, top + 2, names[i]);
        }
    lua_settop(L, top);
}

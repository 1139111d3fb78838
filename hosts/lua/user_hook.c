/* user_hook.c - debug.sethook and debug.gethook for the script while the real hook is ours.
 *
 * The script's hook is kept in a table of the registry and called from ours for the events that it
 * asked for, with the arguments and stack levels that the debug library would give it. A hook that
 * it had before the start is taken over, and the ones it has at the end are given back. */
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

static const char *mask_text(int mask, char text[5])
{
    int n = 0;
    if (mask & LUA_MASKCALL)
        text[n++] = 'c';
    if (mask & LUA_MASKRET)
        text[n++] = 'r';
    if (mask & LUA_MASKLINE)
        text[n++] = 'l';
    text[n] = 0;
    return text;
}

/* What the script has set for this thread; NULL: nothing, it was not met so far. */
static user_hook *user_hook_of(profiler *p, lua_State *L)
{
    coroutine *co = host_known_coroutine(p, L);
    return p->jit ? &p->user : co ? &co->user : NULL;
}

/* The function on top of the stack of L (nil: none) becomes the script's hook on `of`; it is taken
 * off. */
static void set_user_hook(profiler *p, lua_State *L, lua_State *of, int mask, int count)
{
    user_hook *user = user_hook_of(p, of);
    if (!user && host_new_coroutine(p, of))
        user = user_hook_of(p, of);
    if (!user)
        luaL_error(L, "not enough memory");
    push_hooks(L);
    push_thread_key(p, L, of);
    lua_pushvalue(L, -3);
    lua_rawset(L, -3);
    lua_pop(L, 2);
    *user = (user_hook){ mask, count, count };
    p->user_hooks = p->user_hooks || mask;
    host_update_quick(p);
    host_set_hook(p, of);
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
    lua_settop(L, shift + 1);
    if (mask == 0) { /* a hook for no event is none */
        lua_pushnil(L);
        lua_replace(L, shift + 1);
    }
    set_user_hook(p, L, of, mask, count);
    return 0;
}

static int user_gethook(lua_State *L)
{
    profiler *p = host_find(L);
    int shift;
    lua_State *of = thread_argument(L, &shift);
    user_hook *user = p && p->active ? user_hook_of(p, of) : NULL;
    char text[5];
    if (!p)
        return 0;
    push_hooks(L);
    push_thread_key(p, L, of);
    lua_rawget(L, -2);
#if LUA_VERSION_NUM >= 504
    if (lua_isnil(L, -1)) /* 5.4 tells only that there is none */
        return 1;
#endif
    lua_pushstring(L, mask_text(user ? user->mask : 0, text));
    lua_pushinteger(L, user ? user->count : 0);
    return 3;
}

void host_call_user_hook(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
    static const char *const names[] = {
        "call",
        "return",
        "line",
        "count",
#if LUA_VERSION_NUM >= 502
        "tail call"
#else
        "tail return"
#endif
    };
    static const int masks[] = {
        LUA_MASKCALL,
        LUA_MASKRET,
        LUA_MASKLINE,
        LUA_MASKCOUNT,
#if LUA_VERSION_NUM >= 502
        LUA_MASKCALL
#else
        LUA_MASKRET
#endif
    };
    user_hook *user = p->jit ? &p->user : &co->user;
    if (!(user->mask & masks[ar->event]))
        return;
    if (ar->event == LUA_HOOKCOUNT && (p->options.ticks || p->armed || p->jit)) {
        if (--user->left > 0) /* the real hook counts one by one */
            return;
        user->left = user->count;
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

/* The debug library's own function, ours or another's: on the stack; false and nothing if there is
 * none. */
static bool push_original(lua_State *L, const char *name)
{
    lua_pushlightuserdata(L, &originals_key);
    lua_rawget(L, LUA_REGISTRYINDEX);
    if (lua_istable(L, -1)) {
        lua_getfield(L, -1, name);
        lua_remove(L, -2);
        if (lua_iscfunction(L, -1))
            return true;
    }
    lua_pop(L, 1);
    return false;
}

static void push_thread(lua_State *L, lua_State *of)
{
    lua_pushthread(of);
    lua_xmove(of, L, 1);
}

/* A hook that the script gave `of` before we came goes on, called by ours. */
void host_take_over_hook(profiler *p, lua_State *L, lua_State *of)
{
    int top = lua_gettop(L);
    if (!lua_gethook(of) || host_is_hook(lua_gethook(of)) || !lua_checkstack(of, 1) ||
        !push_original(L, "gethook"))
        return;
    push_thread(L, of);
    if (lua_pcall(L, 1, 3, 0) == 0 && lua_isfunction(L, top + 1)) {
        int count = (int)lua_tointeger(L, top + 3);
        int mask = mask_of(lua_tostring(L, top + 2), count);
        lua_settop(L, top + 1);
        set_user_hook(p, L, of, mask, count);
    } else {
        toll_recorder_note(p->recorder, "hooks that are no Lua functions, replaced", 1, NULL);
    }
    lua_settop(L, top);
}

/* The hook of the script's on `of` is the real one again. */
static void give_back_hook(profiler *p, lua_State *L, lua_State *of)
{
    const user_hook *user = user_hook_of(p, of);
    char text[5];
    int top = lua_gettop(L);
    if (!user || !user->mask || !lua_checkstack(of, 1) || !push_original(L, "sethook"))
        return;
    push_thread(L, of);
    push_hooks(L);
    push_thread_key(p, L, of);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    lua_pushstring(L, mask_text(user->mask, text));
    lua_pushinteger(L, user->count);
    lua_pcall(L, 4, 0, 0);
    lua_settop(L, top);
}

void host_take_debug(profiler *p, lua_State *L)
{
    int top = lua_gettop(L);
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
    host_take_over_hook(p, L, L);
}

static void give_back_field(lua_State *L, const char *name, lua_CFunction ours)
{
    lua_pushstring(L, name);
    lua_rawget(L, -2);
    bool still_ours = lua_tocfunction(L, -1) == ours;
    lua_pop(L, 1);
    if (still_ours && push_original(L, name)) /* else the script put something else there */
        lua_setfield(L, -2, name);
}

void host_give_back_debug(profiler *p, lua_State *L)
{
    int top = lua_gettop(L);
    if (p->user_hooks && p->jit)
        give_back_hook(p, L, L);
    for (size_t i = 0; p->user_hooks && !p->jit && i < p->map.slot_count; i++)
        if (p->map.slots[i].address && p->map.slots[i].f.flags & OBJECT_COROUTINE)
            give_back_hook(p, L, p->map.slots[i].co->L);
    push_debug(L);
    if (lua_istable(L, -1)) {
        give_back_field(L, "sethook", user_sethook);
        give_back_field(L, "gethook", user_gethook);
    }
    lua_pushlightuserdata(L, &hooks_key);
    lua_pushnil(L);
    lua_rawset(L, LUA_REGISTRYINDEX);
    lua_settop(L, top);
}

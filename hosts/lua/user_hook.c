/* user_hook.c - see user_hook.h. */
#include "user_hook.h"

#include "coroutine_list.h"
#include "lua_names.h"
#include "process_end.h"

static char originals_key; /* its address is a key of the registry */

/* --- the hook of others ------------------------------------------------------------------------*/

static user_hook *user_hook_of(profiler *p, lua_State *L)
{
    coroutine *co = p->jit ? NULL : host_known_coroutine(p, L);
    return p->jit ? &p->user : co ? &co->user : NULL;
}

static void note_user_hook(profiler *p, const user_hook *user)
{
    p->user_hooks |= user->mask != 0;
    p->user_events |= p->jit ? user->mask != 0 : (user->mask & ~LUA_MASKCOUNT) != 0;
    host_update_fast(p);
}

/* The hook on L that is not ours. */
static user_hook other_hook(const profiler *p, lua_State *L)
{
    user_hook user = { .hook = lua_gethook(L) };
    if (user.hook && user.hook == p->waiting.hook)
        user = host_former_hook(p, L);
    else if (user.hook) {
        user.mask = lua_gethookmask(L);
        user.count = lua_gethookcount(L);
    }
    user.remaining = user.count;
    return user;
}

void host_take_over_hook(profiler *p, lua_State *of)
{
    user_hook other = other_hook(p, of);
    if (host_was_hook(p, other.hook))
        return;
    if (!p->jit && !host_known_coroutine(p, of) && !host_new_coroutine(p, of)) {
        toll_recorder_note(p->recorder, "hooks replaced for lack of memory", 1, NULL);
        return;
    }
    user_hook *user = user_hook_of(p, of);
    *user = other;
    note_user_hook(p, user);
}

/* Does Lua call our hook on L after as many instructions as `user` wants? If not, it calls it for
 * each instruction, and we count. */
static bool counts_for(const profiler *p, const user_hook *user, lua_State *L)
{
    return user->mask & LUA_MASKCOUNT && host_is_hook(p, lua_gethook(L)) &&
           lua_gethookcount(L) == user->count;
}

/* Set our hook on L. Where we need count events ourselves, they come at each instruction, and we
 * count for the other hook. */
void host_set_hook(profiler *p, lua_State *L)
{
    user_hook none = { 0 }, *user = user_hook_of(p, L);
    if (!user)
        user = &none;
    int mask = host_hook_mask(p) | user->mask;
    int count = user->mask & LUA_MASKCOUNT ? user->count : 0;
    if (p->armed || p->options.ticks || (p->jit && count))
        count = 1;
    if (count)
        mask |= LUA_MASKCOUNT;
    lua_sethook(L, p->hook, mask, count);
    p->table.words = NULL; /* lua_sethook has rewritten them */
    p->table.some = false;
    host_update_fast(p);
}

void host_unset_hook(profiler *p, lua_State *L)
{
    const user_hook *known = user_hook_of(p, L);
    user_hook user = known ? *known : host_inherited_hook(p);
    if (!host_was_hook(p, lua_gethook(L)))
        return;
    lua_sethook(L, user.hook, user.mask, user.count);
    p->table.words = NULL; /* lua_sethook has rewritten them */
    p->table.some = false;
}

static bool wants(const user_hook *user, int event)
{
    int mask = event == LUA_HOOKLINE      ? LUA_MASKLINE
               : event == LUA_HOOKCOUNT   ? LUA_MASKCOUNT
               : event == LUA_HOOKRET     ? LUA_MASKRET
               : event == LUA_HOOKTAILRET ? LUA_MASKRET
                                          : LUA_MASKCALL;
    return (user->mask & mask) != 0;
}

void host_call_user_hook(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
    user_hook *user = p->jit ? &p->user : &co->user;
    if (!wants(user, ar->event))
        return;
    if (ar->event == LUA_HOOKCOUNT && !counts_for(p, user, L)) {
        if (--user->remaining > 0)
            return;
        user->remaining = user->count;
    }
    user->hook(L, ar); /* may fail, or yield */
    if (!IS_51 && lua_status(L) == LUA_YIELD)
        co->top->f.flags |= OBJECT_HELD;
}

/* --- debug.sethook and debug.gethook -----------------------------------------------------------*/

/* Push the function that ours has replaced. False: there was none, and nothing is pushed. */
static bool push_original(lua_State *L, const char *name)
{
    lua_pushlightuserdata(L, &originals_key);
    lua_rawget(L, LUA_REGISTRYINDEX);
    if (lua_istable(L, -1)) {
        lua_getfield(L, -1, name);
        lua_remove(L, -2);
        if (lua_isfunction(L, -1))
            return true;
    }
    lua_pop(L, 1);
    return false;
}

/* The debug library's own function. It is called directly, as a C function, so that its errors name
 * the function that the script has called. NULL: it is missing, or is not a C function. */
static lua_CFunction library_function(lua_State *L, const char *name)
{
    lua_CFunction f = NULL;
    if (!push_original(L, name))
        return NULL;
    if (!lua_getupvalue(L, -1, 1))
        f = lua_tocfunction(L, -1);
    else
        lua_pop(L, 1);
    lua_pop(L, 1);
    return f;
}

static int call_original(lua_State *L, const char *name)
{
    lua_CFunction f = library_function(L, name);
    if (f)
        return f(L);
    if (!push_original(L, name))
        return 0;
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

static lua_State *thread_argument(lua_State *L)
{
    return lua_isthread(L, 1) ? lua_tothread(L, 1) : L;
}

static int user_sethook(lua_State *L)
{
    lua_State *of = thread_argument(L);
    int results = call_original(L, "sethook");
    profiler *p = host_find(L);
    if (p && p->active && !host_is_hook(p, lua_gethook(of))) {
        int was_busy = host_begin_change(p);
        if (p->active) {
            host_take_over_hook(p, of);
            host_set_hook(p, of);
        }
        host_end_change(p, was_busy);
    }
    return results;
}

/* Make the strings that the library's function needs, and room on the stack. It must not fail for
 * lack of memory while our hook is removed. */
static void prepare_gethook(lua_State *L, lua_State *of)
{
    static const char *const masks[] = { "", "c", "r", "l", "cr", "cl", "rl", "crl" };
    luaL_checkstack(L, LUA_MINSTACK + 16, "too many arguments");
    if (!lua_checkstack(of, 1))
        luaL_error(L, "stack overflow");
    lua_settop(L, 1);
    lua_pushliteral(L, "external hook");
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++)
        lua_pushstring(L, masks[i]);
}

static int user_gethook(lua_State *L)
{
    profiler *p = host_find(L);
    lua_State *of = thread_argument(L);
    lua_CFunction f = library_function(L, "gethook");
    if (!f || !p || !p->active || !host_is_hook(p, lua_gethook(of)))
        return call_original(L, "gethook");
    prepare_gethook(L, of);
    host_unset_hook(p, of);
    int results = f(L);
    host_set_hook(p, of);
    return results;
}

/* --- start and stop ----------------------------------------------------------------------------*/

/* Push the debug table, or nil. */
static void push_debug(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    if (lua_istable(L, -1)) {
        lua_pushliteral(L, "debug");
        lua_rawget(L, -2);
        lua_remove(L, -2);
    }
}

/* Replace a field of the table on top of the stack, if it is a function and not ours already. */
static void swap_field(lua_State *L, const char *name, lua_CFunction ours, int originals)
{
    lua_pushstring(L, name);
    lua_rawget(L, -2);
    if (!lua_isfunction(L, -1) || lua_tocfunction(L, -1) == ours) {
        lua_pop(L, 1);
        return;
    }
    lua_setfield(L, originals, name);
    lua_pushstring(L, name);
    lua_pushcfunction(L, ours);
    lua_rawset(L, -3);
}

/* Push the table of the functions that ours have replaced. */
static void push_originals(lua_State *L)
{
    lua_pushlightuserdata(L, &originals_key);
    lua_rawget(L, LUA_REGISTRYINDEX);
    if (lua_istable(L, -1))
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushlightuserdata(L, &originals_key);
    lua_pushvalue(L, -2);
    lua_rawset(L, LUA_REGISTRYINDEX);
}

void host_replace_debug(profiler *p, lua_State *L)
{
    int top = lua_gettop(L);
    host_hide_function(p, user_sethook);
    host_hide_function(p, user_gethook);
    push_originals(L);
    push_debug(L);
    if (lua_istable(L, -1)) {
        swap_field(L, "sethook", user_sethook, top + 1);
        swap_field(L, "gethook", user_gethook, top + 1);
    }
    lua_settop(L, top);
    host_take_over_hook(p, L);
}

static void give_back_field(lua_State *L, const char *name, lua_CFunction ours)
{
    lua_pushstring(L, name);
    lua_rawget(L, -2);
    bool still_ours = lua_tocfunction(L, -1) == ours;
    lua_pop(L, 1);
    if (still_ours && push_original(L, name)) /* else the script has replaced it */
        lua_setfield(L, -2, name);
}

void host_restore_debug(lua_State *L)
{
    int top = lua_gettop(L);
    push_debug(L);
    if (lua_istable(L, -1)) {
        give_back_field(L, "sethook", user_sethook);
        give_back_field(L, "gethook", user_gethook);
    }
    lua_settop(L, top);
}

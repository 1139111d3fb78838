/* lua_api.c - see lua_api.h. */
#include "lua_api.h"

lua_State *host_main_thread(lua_State *L)
{
#ifdef LUA_RIDX_MAINTHREAD
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
    lua_State *found = lua_tothread(L, -1);
    lua_pop(L, 1);
#else
    static char key; /* its address is a key of the registry */
    lua_State *found = L;
    lua_pushlightuserdata(L, &key);
    if (host_is_main_thread(L)) {
        lua_pushlightuserdata(L, L);
        lua_rawset(L, LUA_REGISTRYINDEX);
    } else {
        lua_rawget(L, LUA_REGISTRYINDEX);
        found = lua_touserdata(L, -1);
        lua_pop(L, 1);
    }
#endif
    return found;
}

void host_push_library_function(lua_State *L, const char *library, const char *name)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(L, -1, library);
    if (lua_istable(L, -1))
        lua_getfield(L, -1, name);
    else
        lua_pushnil(L);
    lua_replace(L, -3);
    lua_pop(L, 1);
}

host_coroutine_functions host_find_coroutine_functions(lua_State *L)
{
    host_coroutine_functions found = { NULL, NULL };
    int top = lua_gettop(L);
    host_push_library_function(L, "coroutine", "resume");
    found.resume = lua_tocfunction(L, -1);
    host_push_library_function(L, "coroutine", "wrap");
    if (lua_iscfunction(L, -1) && luaL_loadstring(L, "") == 0 && lua_pcall(L, 1, 1, 0) == 0)
        found.wrap_body = lua_tocfunction(L, -1);
    lua_settop(L, top);
    return found;
}

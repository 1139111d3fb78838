/* lua_api.c - see lua_api.h. */
#include "lua_api.h"

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

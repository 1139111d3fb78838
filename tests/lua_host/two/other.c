/* other.c - a library with another Lua than that of the program that loads it. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

/* How the version that ran is called, from a function that Lua's own library calls; NULL: it
 * failed. */
__attribute__((visibility("default"))) const char *other_version(void);

const char *other_version(void)
{
    static char version[32];
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    if (luaL_loadstring(L, "local v table.sort({ 1, 2 }, function() v = _VERSION return false end) "
                           "return coroutine.wrap(function() return v end)()") ||
        lua_pcall(L, 0, 1, 0)) {
        lua_close(L);
        return NULL;
    }
    const char *text = lua_tostring(L, -1);
    for (size_t i = 0; text && text[i] && i + 1 < sizeof version; i++)
        version[i] = text[i];
    lua_close(L);
    return version;
}

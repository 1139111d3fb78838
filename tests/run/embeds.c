/* embeds.c - a program that contains Lua, as many do: it runs a script, and does not read LUA_INIT.
 */
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    int status = argc > 1 ? luaL_dofile(L, argv[1]) : 1;
    if (status)
        fprintf(stderr, "%s\n", argc > 1 ? lua_tostring(L, -1) : "which script?");
    lua_close(L);
    return status;
}

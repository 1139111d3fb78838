/* lua.c - a WASI program for bench/wasm/programs.sh: runs its input, a script, in Lua's
 * interpreter, with the global `rounds`. An interpreter whose instructions are in one large
 * function, which calls many small ones; and its collector of garbage. */
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char text[1 << 20];
    static const luaL_Reg libraries[] = { { "_G", luaopen_base },
                                          { "math", luaopen_math },
                                          { "string", luaopen_string },
                                          { "table", luaopen_table } };
    size_t size = fread(text, 1, sizeof text, stdin);
    lua_State *state = luaL_newstate();
    if (!state)
        return 1;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        luaL_requiref(state, libraries[i].name, libraries[i].func, 1);
        lua_pop(state, 1);
    }
    lua_pushinteger(state, argc > 1 ? atoi(argv[1]) : 1);
    lua_setglobal(state, "rounds");
    if (luaL_loadbuffer(state, text, size, "=work.lua"))
        return 1;
    lua_call(state, 0, 0);
    lua_close(state);
    return 0;
}

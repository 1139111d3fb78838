/* script.c - runs a Luau script, in a sandbox as a game's: its libraries cannot be changed. Exit 1:
 * it failed.
 *
 *     script FILE */
#include <stdio.h>
#include <stdlib.h>

#include "lua.h"
#include "luacode.h"
#include "lualib.h"

int main(int argc, char **argv)
{
    static char text[1 << 18];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "script FILE\n");
        return 2;
    }
    size_t size = fread(text, 1, sizeof text, file), compiled_size;
    fclose(file);
    char *compiled = luau_compile(text, size, NULL, &compiled_size);
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    luaL_sandbox(L);
    luaL_sandboxthread(L);
    int failed = luau_load(L, "=script", compiled, compiled_size, 0) || lua_pcall(L, 0, 0, 0);
    if (failed)
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
    free(compiled);
    lua_close(L);
    return failed != 0;
}

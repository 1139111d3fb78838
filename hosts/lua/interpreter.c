/* interpreter.c - see interpreter.h. */
#include "interpreter.h"

#include <stdio.h>
#include <string.h>

/* "$LuaVersion: Lua 5.4.6  Copyright ...": in the interpreter, if it shows its symbols. */
extern const char lua_ident[] __attribute__((weak));

static void name_lua(char out[HOST_INTERPRETER_SIZE])
{
    const char *name = lua_ident;
    while (name && (name = strstr(name, "Lua ")) != NULL && strchr("123456789", name[4]) == NULL)
        name++;
    if (!name)
        snprintf(out, HOST_INTERPRETER_SIZE, "%s", LUA_VERSION);
    else
        snprintf(out, HOST_INTERPRETER_SIZE, "Lua %.*s", (int)strspn(name + 4, "0123456789."),
                 name + 4);
}

void host_name_interpreter(lua_State *L, bool jit, char out[HOST_INTERPRETER_SIZE])
{
    int top = lua_gettop(L);
    name_lua(out);
    if (!jit)
        return;
    host_push_library_function(L, "jit", "version");
    snprintf(out, HOST_INTERPRETER_SIZE, "%s",
             lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "LuaJIT");
    lua_settop(L, top);
}

/* interpreter.h - the name and version of the Lua that runs. */
#ifndef TOLL_LUA_INTERPRETER_H
#define TOLL_LUA_INTERPRETER_H

#include "lua_api.h"

enum { HOST_INTERPRETER_SIZE = 64 };

/* Write "Lua 5.4.6" or "LuaJIT 2.1.1703358377"; "Lua 5.4" if the program does not show the rest. */
void host_name_interpreter(lua_State *L, bool jit, char out[HOST_INTERPRETER_SIZE]);

#endif

/* lua_api.h - Lua's headers, and what they lack.
 *
 * The host is built once for each Lua version. LuaJIT has the binary interface of 5.1 and loads the
 * build for it; at run time `profiler.jit` distinguishes the two. */
#ifndef TOLL_LUA_API_H
#define TOLL_LUA_API_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <stdbool.h>

#if LUA_VERSION_NUM >= 502
#define IS_51 0
#else
#define IS_51 1 /* or LuaJIT */
#endif
#ifndef LUA_HOOKTAILCALL
#define LUA_HOOKTAILCALL (-1)
#endif
#ifndef LUA_HOOKTAILRET
#define LUA_HOOKTAILRET (-1)
#endif

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Push the function `name` of a loaded library, or nil. A script may have replaced it. */
void host_push_library_function(lua_State *L, const char *library, const char *name);

/* coroutine.resume, and what coroutine.wrap returns; NULL: not found. */
typedef struct host_coroutine_functions {
    lua_CFunction resume, wrap_body;
} host_coroutine_functions;

host_coroutine_functions host_find_coroutine_functions(lua_State *L);

/* The address of the function that runs at `ar`. */
static inline const void *host_asked_function(lua_State *L, lua_Debug *ar)
{
    lua_getinfo(L, "f", ar);
    const void *address = lua_topointer(L, -1);
    lua_pop(L, 1);
    return address;
}

static inline bool host_is_main_thread(lua_State *L)
{
    int is_main = lua_pushthread(L);
    lua_pop(L, 1);
    return is_main;
}

/* Does L run now, or wait for a coroutine that it has resumed? False: it has yielded or ended. */
static inline bool host_has_frames(lua_State *L)
{
    lua_Debug ar;
    return lua_status(L) == 0 && lua_getstack(L, 0, &ar);
}

/* The state's main thread; NULL: Lua 5.1 and LuaJIT do not show it, and this was never called in
 * it. May raise an error of Lua's for lack of memory. */
lua_State *host_main_thread(lua_State *L);

#endif

/* late.c - a module that resumes coroutines; it is loaded after the recording has begun. */
#include "../host.h"

__attribute__((visibility("default"))) int luaopen_late(lua_State *L);

static int resume_in_module(lua_State *T, lua_State *from)
{
    (void)from;
#if LUA_VERSION_NUM >= 504
    int count;
    return lua_resume(T, from, 0, &count);
#elif LUA_VERSION_NUM >= 502
    return lua_resume(T, from, 0);
#else
    return lua_resume(T, 0);
#endif
}

/* Resumes its argument until it ends; time passes in between. */
static int pump_late(lua_State *L)
{
    lua_State *T = lua_tothread(L, 1);
    while (resume_in_module(T, L) == LUA_YIELD) {
        lua_settop(T, 0);
        host_pass_time(1000);
    }
    return 0;
}

int luaopen_late(lua_State *L)
{
    lua_pushcfunction(L, pump_late);
    return 1;
}

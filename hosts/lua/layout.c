/* layout.c - probes whether the interpreter's CallInfo is as layout.h describes it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "layout.h"

/* What one probe has seen. It is not a parameter, because a hook has no argument of ours; and it is
 * one for each thread, because other threads may probe their states at the same time. */
static _Thread_local struct {
    int pipe[2];
    int hits, misses;
    int tails, tail_returns; /* 5.1: tail calls that layout.h recognises, and that Lua reports */
    bool jit;
} probe;

/* Can 8 bytes be read at that address? write() answers this: it fails with an error where a direct
 * read would be a fault. */
static bool readable(const void *address)
{
    char sink[8];
    if (!address || write(probe.pipe[1], address, sizeof sink) != sizeof sink)
        return false;
    return read(probe.pipe[0], sink, sizeof sink) == sizeof sink;
}

#if IS_51

static bool can_read(lua_State *L, lua_Debug *ar)
{
    const char *l = (const char *)L;
    if (probe.jit)
        return readable(l + JIT_BASE) && readable(l + JIT_STACK) &&
               readable(layout_jit_base(L) - 2) &&
               layout_jit_ci(L, layout_jit_base(L)) == layout_ci(true, ar) &&
               (layout_jit_base(L)[-1] & 3 ||
                readable((const char *)(uintptr_t)layout_jit_base(L)[-1] - 4));
    const char *ci = layout_51_ci(L);
    if (!readable(ci + CI_51_FUNC) ||
        !readable(*(const void *const *)(const void *)(ci + CI_51_FUNC)))
        return false;
    lua_Debug caller = *ar;
    if (ar->i_ci < 2 || !lua_getstack(L, 1, &caller) || caller.i_ci != ar->i_ci - 1)
        return true;
    lua_getinfo(L, "S", &caller);
    if (strcmp(caller.what, "C") == 0)
        return true; /* C functions have no savedpc */
    const char *pc = ci - CI_51 + CI_51_SAVEDPC;
    if (!readable(pc) || !readable(*(const char *const *)(const void *)pc - 4))
        return false;
    lua_getinfo(L, "f", ar);
    if (!lua_iscfunction(L, -1))
        probe.tails += layout_51_is_tail(L);
    lua_pop(L, 1);
    return true;
}

#else

static bool can_read(lua_State *L, lua_Debug *ar)
{
    lua_Debug caller;
    const struct layout_ci *ci = (const void *)ar->i_ci;
    if (!readable(&ci->func) || !readable(ci->func) || !readable(&ci->previous) ||
        !readable(&ci->previous->previous))
        return false;
    return layout_caller_of((uintptr_t)ci) ==
           (lua_getstack(L, 1, &caller) ? (uintptr_t)caller.i_ci : 0);
}

#endif

static bool agrees(lua_State *L, lua_Debug *ar)
{
    if (!can_read(L, ar))
        return false;
    lua_getinfo(L, "f", ar);
    const void *address = lua_topointer(L, -1);
    lua_pop(L, 1);
    return layout_function(probe.jit, L, ar) == address;
}

static void probe_hook(lua_State *L, lua_Debug *ar)
{
    if (ar->event == LUA_HOOKTAILRET)
        probe.tail_returns++;
    else if (ar->event != LUA_HOOKRET)
        *(agrees(L, ar) ? &probe.hits : &probe.misses) += 1;
}

int host_probe_call(lua_State *L)
{
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

bool host_probe(lua_State *L, bool jit)
{
    /* Without upvalues: LuaJIT loses count of its memory if there is none for them. */
    static const char code[] =
        "local c = ... "
        "local function t(t, n) if n == 0 then return n end return t(t, n - 1) end "
        "local function f(f, t, c, n) "
        "if n > 0 then f(f, t, c, n - 1) end t(t, 2) c(t, t, 1) return n end "
        "f(f, t, c, 3) c(f, f, t, c, 2) c(t, t, 3)";
    lua_Hook old = lua_gethook(L);
    int old_mask = lua_gethookmask(L), old_count = lua_gethookcount(L);
    memset(&probe, 0, sizeof probe);
    probe.jit = jit;
    if (sizeof(void *) != 8 || pipe2(probe.pipe, O_CLOEXEC) != 0) {
        lua_pop(L, 1);
        return false;
    }
    if (luaL_loadbuffer(L, code, sizeof code - 1, "=probe") == 0) {
        lua_insert(L, -2);
        lua_sethook(L, probe_hook, LUA_MASKCALL | LUA_MASKRET, 0);
        if (lua_pcall(L, 1, 0, 0))
            lua_pop(L, 1);
        lua_sethook(L, old, old_mask, old_count);
    } else {
        lua_pop(L, 2);
    }
    close(probe.pipe[0]);
    close(probe.pipe[1]);
    return probe.hits >= 40 && probe.misses == 0 &&
           (jit || !IS_51 || (probe.tails > 0 && probe.tails == probe.tail_returns));
}

/* jit_sample.c - see jit_sample.h. */
#include "jit_sample.h"

#include <signal.h>
#include <stdio.h>

#include "sample_stack.h"

#if IS_51

typedef void on_sample(void *user, lua_State *L, int samples, int state);

/* LuaJIT's functions. Lua 5.1 does not have them. */
extern void luaJIT_profile_start(lua_State *L, const char *mode, on_sample *callback, void *user)
    __attribute__((weak));
extern void luaJIT_profile_stop(lua_State *L) __attribute__((weak));

/* LuaJIT has one profiler in a process. */
static _Atomic(profiler *) owner;
static void (*of_luajit)(int); /* its handler of SIGPROF */

static void (*installed(void))(int)
{
    struct sigaction now;
    return sigaction(SIGPROF, NULL, &now) ? SIG_DFL : now.sa_handler;
}

/* Let LuaJIT's handler ask for a sample. When the Lua state closes, LuaJIT removes its handler,
 * which must not be called after that. */
static void tick(void *user)
{
    (void)user;
    if (installed() == of_luajit)
        of_luajit(SIGPROF);
}

static host_sample_state state_of(int letter)
{
    switch (letter) {
    case 'N': return HOST_IN_COMPILED;
    case 'C': return HOST_IN_C;
    case 'G': return HOST_IN_COLLECTOR;
    case 'J': return HOST_IN_COMPILER;
    default: return HOST_IN_LUA;
    }
}

static void sample(void *user, lua_State *L, int samples, int state)
{
    (void)samples; /* the weight is the time */
    host_take_sample(user, L, 0, state_of(state));
}

static bool refuse(toll_error *err, const char *why)
{
    *err = (toll_error){ TOLL_E_UNSUPPORTED, "" };
    snprintf(err->text, sizeof err->text, "cannot sample: %s", why);
    return false;
}

bool host_jit_sample(profiler *p, lua_State *L, toll_error *err)
{
    profiler *none = NULL;
    if (!luaJIT_profile_start || !luaJIT_profile_stop)
        return refuse(err, "the program contains LuaJIT without its profiler");
    if (!atomic_compare_exchange_strong(&owner, &none, p))
        return refuse(err, "LuaJIT has one profiler in a process, and another Lua state uses it");
    void (*before)(int) = installed();
    luaJIT_profile_start(L, p->options.lines ? "li2000000000" : "fi2000000000", sample, p);
    of_luajit = installed();
    if (of_luajit == before) {
        atomic_store(&owner, NULL);
        return refuse(err, "LuaJIT's profiler is in use (jit.p, jit.profile)");
    }
    p->samples.timer = sample_timer_start(p->options.sample_hz, tick, p);
    if (!p->samples.timer) {
        luaJIT_profile_stop(L);
        atomic_store(&owner, NULL);
        return refuse(err, "the system has no timer for it");
    }
    return true;
}

void host_jit_stop_sampling(profiler *p, lua_State *L)
{
    sample_timer_stop(p->samples.timer);
    p->samples.timer = NULL;
    luaJIT_profile_stop(L);
    atomic_store(&owner, NULL);
}

#endif

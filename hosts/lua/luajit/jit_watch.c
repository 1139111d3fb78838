/* jit_watch.c - see jit_watch.h. */
#include "jit_watch.h"

#include "layout.h"

#if IS_51

/* --- functions after which the next instruction is known ---------------------------------------*/

static uint8_t library_id(lua_State *L, int index)
{
    return lua_iscfunction(L, index) ? layout_jit_id(lua_topointer(L, index)) : 0;
}

static int nothing(lua_State *L)
{
    (void)L;
    return 0;
}

/* coroutine.wrap has returned the function on top of the stack. Does layout_jit_upvalue find its
 * coroutine? */
static bool wraps_as_expected(lua_State *L)
{
    const void *expected = layout_jit_upvalue(lua_topointer(L, -1));
    if (!lua_getupvalue(L, -1, 1))
        return false;
    bool same = lua_tothread(L, -1) == expected;
    lua_pop(L, 1);
    return same;
}

void host_find_jit_switches(profiler *p, lua_State *L)
{
    static const char *const names[] = { "yield", "resume" };
    lua_pushcfunction(L, nothing);
    bool found = library_id(L, -1) == JIT_ID_C;
    lua_pop(L, 1);
    for (size_t i = 0; i < 2; i++) {
        host_push_library_function(L, "coroutine", names[i]);
        p->jit_switches[i] = library_id(L, -1);
        found = found && p->jit_switches[i] > JIT_ID_C;
        lua_pop(L, 1);
    }
    host_push_library_function(L, "coroutine", "wrap");
    if (lua_iscfunction(L, -1) && luaL_loadstring(L, "") == 0 && lua_pcall(L, 1, 1, 0) == 0)
        p->jit_switches[2] = wraps_as_expected(L) ? library_id(L, -1) : 0;
    else
        p->jit_switches[2] = 0;
    lua_pop(L, 1);
    if (!found || p->jit_switches[2] <= JIT_ID_C)
        p->jit_switches[0] = 0;
}

uint32_t host_jit_flags(const profiler *p, const void *function)
{
    uint8_t id = layout_jit_id(function);
    const uint8_t *switches = p->jit_switches;
    if (id <= JIT_ID_C || !switches[0])
        return 0;
    return id == switches[0]   ? OBJECT_YIELD
           : id == switches[1] ? OBJECT_RESUME
           : id == switches[2] ? OBJECT_WRAP
                               : OBJECT_GOES_ON;
}

/* coroutine.resume returns the error, so the instruction after it runs. The function that
 * coroutine.wrap returns raises the error again, so the resumer's own landing runs. */
uint8_t host_landing_outside(const coroutine *resumer)
{
    frame_ref f = resumer->top->f;
    if (f.flags & OBJECT_RESUME)
        return host_native_next(f);
    if (f.flags & OBJECT_WRAP)
        return host_landing(resumer, host_native_landing(f));
    return JIT_ANY;
}

/* --- switches ----------------------------------------------------------------------------------*/

/* Watch for the end of coroutine.yield: the coroutine that resumed the current one continues. */
static bool watch_yield(profiler *p, uint8_t landing)
{
    coroutine *to = p->co->resumer;
    if (!to || !(to->top->f.flags & (OBJECT_RESUME | OBJECT_WRAP)))
        return false;
    return jit_table_see_some(&p->table, host_native_next(to->top->f), landing, JIT_NOWHERE, to);
}

/* Watch for the next instruction after a call of `f` that resumes `thread`. If that coroutine is at
 * a coroutine.yield, the instruction after the yield runs. */
static bool watch_resume(profiler *p, frame_ref f, const void *thread, uint8_t landing)
{
    const object *o = objects_find(&p->map, thread);
    coroutine *to = o && o->f.flags & OBJECT_COROUTINE ? o->co : NULL;
    if (!to || to == p->co || to->resumer || !to->track || !(to->top->f.flags & OBJECT_YIELD))
        return false;
    uint8_t failed = f.flags & OBJECT_RESUME ? host_native_next(f) : JIT_NOWHERE;
    return jit_table_see_some(&p->table, host_native_next(to->top->f), landing, failed, to);
}

bool host_watch_switch(profiler *p, lua_State *L, frame_ref f)
{
    uint8_t landing = host_landing(p->co, host_native_landing(f));
    if (f.flags & OBJECT_YIELD)
        return watch_yield(p, landing);
    if (f.flags & OBJECT_WRAP)
        return watch_resume(p, f, layout_jit_upvalue(layout_function(true, L, NULL)), landing);
    return f.flags & OBJECT_RESUME && watch_resume(p, f, layout_jit_argument(L), landing);
}

#endif

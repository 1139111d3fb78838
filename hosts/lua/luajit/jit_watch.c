/* jit_watch.c - see jit_watch.h. */
#include "jit_watch.h"

#include "layout.h"

#if IS_51

/* --- functions after which the next instruction is known ---------------------------------------*/

enum { JIT_RESUME = 1, JIT_WRAP = 2 }; /* their numbers after coroutine.yield's */

static int nothing(lua_State *L)
{
    (void)L;
    return 0;
}

/* Pop a value. The id of LuaJIT's if it is a C function; else 0. */
static uint8_t pop_id(lua_State *L)
{
    uint8_t id = lua_iscfunction(L, -1) ? layout_jit_id(lua_topointer(L, -1)) : 0;
    lua_pop(L, 1);
    return id;
}

static uint8_t library_id(lua_State *L, const char *name)
{
    host_push_library_function(L, "coroutine", name);
    return pop_id(L);
}

/* Call coroutine.wrap. Does it return a function that has this id, of which layout_jit_upvalue
 * finds the coroutine? What is pushed stays on the stack. */
static bool wraps_as_expected(lua_State *L, uint8_t id)
{
    host_push_library_function(L, "coroutine", "wrap");
    bool made = !luaL_loadstring(L, "") && !lua_pcall(L, 1, 1, 0) && lua_getupvalue(L, -1, 1);
    const void *function = lua_topointer(L, -2);
    return made && layout_jit_id(function) == id &&
           layout_jit_upvalue(function) == lua_tothread(L, -1);
}

/* LuaJIT numbers the functions of its libraries in the order in which it registers them: yield,
 * resume, what wrap returns, wrap. If a script has replaced one of them, this does not hold. */
void host_find_jit_switches(profiler *p, lua_State *L)
{
    int top = lua_gettop(L);
    uint8_t yield = library_id(L, "yield");
    lua_pushcfunction(L, nothing);
    bool found = pop_id(L) == JIT_ID_C && library_id(L, "resume") == yield + JIT_RESUME &&
                 library_id(L, "wrap") == yield + JIT_WRAP + 1 &&
                 wraps_as_expected(L, (uint8_t)(yield + JIT_WRAP));
    p->jit_yield = found ? yield : 0;
    lua_settop(L, top);
}

uint32_t host_jit_flags(const profiler *p, const void *function)
{
    static const uint32_t switches[] = { OBJECT_YIELD, OBJECT_RESUME, OBJECT_WRAP };
    uint8_t id = layout_jit_id(function), nth = (uint8_t)(id - p->jit_yield);
    if (id <= JIT_ID_C || !p->jit_yield)
        return 0;
    return nth < sizeof switches / sizeof *switches ? switches[nth] : OBJECT_GOES_ON;
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

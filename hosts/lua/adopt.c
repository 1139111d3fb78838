/* adopt.c - see adopt.h. */
#include "adopt.h"

#include <stdlib.h>

#include "call_stack.h"
#include "lua_names.h"
#include "layout.h"
#include "luajit/jit_frame.h"

bool host_outermost_level(const profiler *p, lua_State *L, lua_Debug *ar)
{
    int low = 0, high = 1;
    if (!lua_getstack(L, 0, ar))
        return false;
#if IS_51
    if (!p->jit) {
        ar->i_ci = 1; /* callers that a tail call has replaced are levels, but have no CallInfo */
        return true;
    }
#endif
    (void)p;
    while (lua_getstack(L, high, ar))
        low = high, high *= 2;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (lua_getstack(L, middle, ar))
            low = middle;
        else
            high = middle;
    }
    return lua_getstack(L, low, ar) != 0;
}

/* The CallInfo of a level, as lua_Debug.i_ci has it. 0: there is no such level. */
static uintptr_t level_ci(lua_State *L, int level)
{
    lua_Debug ar;
    return lua_getstack(L, level, &ar) ? (uintptr_t)ar.i_ci : 0;
}

/* The CallInfo of the next level outwards. lua_getstack walks from the innermost level each time,
 * so all levels together would take quadratic time. Where the layout is known, follow the frames
 * directly. */
static uintptr_t next_ci(const profiler *p, lua_State *L, int level, uintptr_t ci)
{
#if IS_51
    return p->jit ? level_ci(L, level) : ci - 1; /* 5.1 numbers them from 1 */
#else
    return p->reads_callinfo ? layout_caller_of(ci) : level_ci(L, level);
#endif
}

/* The CallInfo of all levels of L from `first` outwards: an array of *count, which the caller
 * frees. If memory is short, the outer levels are missing. */
static uintptr_t *active_levels(const profiler *p, lua_State *L, int first, size_t *count)
{
    size_t capacity = 0;
    uintptr_t *levels = NULL;
    int level = first;
    *count = 0;
    for (uintptr_t ci = level_ci(L, level); ci; ci = next_ci(p, L, ++level, ci)) {
        if (*count == capacity) {
            size_t wanted = capacity ? capacity * 2 : 64;
            uintptr_t *more = realloc(levels, wanted * sizeof *more);
            if (!more)
                break;
            levels = more;
            capacity = wanted;
        }
        levels[(*count)++] = ci;
    }
    return levels;
}

static void set_level(lua_Debug *ar, uintptr_t ci)
{
#if IS_51
    ar->i_ci = (int)ci;
#else
    ar->i_ci = (void *)ci;
#endif
}

/* The line that a level is at. 0 or less: lines are not recorded, or not known. */
static int line_of(const profiler *p, lua_State *L, lua_Debug *ar)
{
    return p->options.lines && lua_getinfo(L, "l", ar) ? ar->currentline : 0;
}

void host_adopt(profiler *p, coroutine *co, lua_State *L, int first, int hide)
{
    lua_Debug ar = { 0 };
    size_t count;
    uintptr_t *levels = active_levels(p, L, first, &count);
    for (size_t n = count; n-- > 0;) {
        set_level(&ar, levels[n]);
        const object *o = host_function_of(p, L, &ar, true);
        frame_ref f = o->f;
        f.flags &= ~(uint32_t)OBJECT_OPEN_NAME;
        if (n < (size_t)hide)
            f.flags |= OBJECT_HIDDEN;
        /* The outermost C function of the main thread is the interpreter itself. */
        if (n + 1 == count && f.flags == OBJECT_NATIVE && host_is_main_thread(L))
            f.frame = host_frame(&p->names, "(lua)", "", 0, TOLL_KIND_NATIVE);
#if IS_51
        if (f.flags & OBJECT_NATIVE) {
            bool is_host = n + 1 == count && host_is_main_thread(L);
            f = host_native(f, is_host ? JIT_NOWHERE : JIT_ANY, co->landing);
            co->landing = host_native_next(f);
        }
#endif
        host_adopt_frame(p, co, layout_ci(p->jit, &ar), f, line_of(p, L, &ar));
    }
    free(levels);
}

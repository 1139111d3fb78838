/* call_stack.c - see call_stack.h. */
#include "call_stack.h"

#include <stdlib.h>

#include "layout.h"

bool host_grow_stack(coroutine *co)
{
    size_t depth = (size_t)(co->top - co->stack), room = (size_t)(co->last - co->stack + 1) * 2;
    entry *stack = realloc(co->stack, room * sizeof *stack);
    if (!stack)
        return false;
    co->stack = stack;
    co->top = stack + depth;
    co->last = stack + room - 1;
    return true;
}

void host_adopt_frame(profiler *p, coroutine *co, uintptr_t ci, frame_ref f, int line)
{
    if (!host_push(co, ci, f) || f.flags & OBJECT_HIDDEN)
        return;
    toll_recorder_adopt(p->recorder, &f.frame, 1, p->now);
    if (line > 0)
        toll_recorder_adopt_line(p->recorder, host_line_frame(&p->names, f.frame, (uint32_t)line),
                                 p->now);
}

#if IS_51

/* Record the pending call. The callee of a tail call replaces the caller. */
static void settle(profiler *p, coroutine *co, bool tail)
{
    uintptr_t ci = co->top->ci + !tail;
    co->pending = false;
    if (tail)
        host_pop(p, co);
    host_enter(p, co, ci, co->pending_function);
}

void host_settle_by(profiler *p, coroutine *co, int event, uintptr_t ci)
{
    uintptr_t level = co->top->ci;
    settle(p, co, event == LUA_HOOKCALL ? ci == level + 1 : ci == level);
}

void host_settle(profiler *p, coroutine *co)
{
    lua_Debug ar;
    if (co->pending)
        settle(p, co, lua_getstack(co->L, 0, &ar) && layout_ci(p->jit, &ar) <= co->top->ci);
}

#else

void host_settle(profiler *p, coroutine *co)
{
    (void)p;
    (void)co;
}

#endif

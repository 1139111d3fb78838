/* fast_hook.c - the hook. Calls and returns of the current coroutine that are just that, under the
 * plainest recorder, are done here; all else is passed on to hook.c.
 *
 * The former are nearly all events, and each instruction shows in the time of a program of tiny
 * calls. So nothing is changed before all is known to be plain, and whatever is not ends in a tail
 * call. */
#include "fast_hook.h"

#include "fast_event.h"
#include "full_event.h"
#include "luajit/jit_return.h"
#include "luajit/jit_watch.h"

/* Is this call one from the frame that stands, as far as that can be told at once? */
static inline bool is_from_top(bool jit, const entry *top, lua_State *L, const lua_Debug *ar,
                               uint32_t flags)
{
#if IS_51
    if (jit)
        return top->ci < layout_ci(jit, ar) && !(top->f.flags & OBJECT_NATIVE);
    return top->ci + 1 == layout_ci(jit, ar) &&
           ((flags | top->f.flags) & OBJECT_NATIVE || !layout_51_is_tail(L));
#else
    (void)jit;
    (void)L;
    (void)flags;
    return top->ci == layout_previous((uintptr_t)ar->i_ci);
#endif
}

/* The recorder has to look the callee up, or worse. */
static __attribute__((noinline)) void call_other(profiler *p, toll_frame_id frame, uint64_t now)
{
    if (UNLIKELY(!toll_recorder_call_recent(p->recorder, frame, now)))
        toll_recorder_call(p->recorder, frame, &now);
    end_event(p, now);
}

/* Flags of functions whose call is plain. In LuaJIT coroutines share their hook, and need no other
 * care than for the end of what resumes them. */
static inline uint32_t plain_flags(bool jit)
{
    return OBJECT_NATIVE | OBJECT_GOES_ON | (jit ? OBJECT_YIELD | OBJECT_RESUME | OBJECT_WRAP : 0u);
}

static inline __attribute__((always_inline)) void on_call(bool jit, profiler *p, lua_State *L,
                                                          lua_Debug *ar, uint64_t now)
{
    coroutine *co = p->co;
    entry *top = co->top;
    const object *o = objects_find(&p->map, layout_function(jit, L, ar));
    if (UNLIKELY(ar->event != LUA_HOOKCALL || !o || o->f.flags & ~plain_flags(jit) ||
                 top == co->last || !is_from_top(jit, top, L, ar, o->f.flags))) {
        host_event(L, ar);
        return;
    }
    frame_ref f = o->f;
#if IS_51
    if (jit && f.flags) {
        f = host_native(f, layout_jit_next(L), co->landing);
        if (UNLIKELY(!host_watch_return(p, L, f))) {
            host_event(L, ar);
            return;
        }
    }
#endif
    p->busy = 1;
    co->top = top + 1;
    top[1].ci = layout_ci(jit, ar);
    top[1].f.word = f.word;
    if (LIKELY(toll_recorder_call_plain(p->recorder, f.frame, now)))
        end_event(p, now);
    else
        call_other(p, f.frame, now);
}

static inline __attribute__((always_inline)) void on_return(bool jit, profiler *p, lua_State *L,
                                                            lua_Debug *ar, uint64_t now)
{
    entry *top = p->co->top;
    if (UNLIKELY(top->ci != layout_ci(jit, ar) || top->f.flags & OBJECT_HIDDEN ||
                 (jit && top[-1].f.flags & OBJECT_NATIVE))) {
        host_event(L, ar);
        return;
    }
    p->busy = 1;
    p->co->top = top - 1;
    if (LIKELY(toll_recorder_return_plain(p->recorder, now)))
        end_event(p, now);
    else
        return_other(p, now);
}

/* Calls apart: a return then needs fewer registers. Arguments in the order that they come in. */
static __attribute__((noinline)) void plain_call(lua_State *L, lua_Debug *ar, profiler *p,
                                                 uint64_t now)
{
    on_call(false, p, L, ar, now);
}

static void plain_hook(lua_State *L, lua_Debug *ar)
{
    profiler *p = host_last;
    uint64_t now;
    if (UNLIKELY(atomic_load_explicit(&p->quick, memory_order_relaxed) != L || !quick_now(p, &now)))
        host_event(L, ar);
    else if (ar->event == LUA_HOOKRET)
        on_return(false, p, L, ar, now);
    else
        plain_call(L, ar, p, now);
}

#if IS_51

static inline void on_instruction(profiler *p, lua_State *L, lua_Debug *ar, uint64_t now)
{
    if (UNLIKELY(!is_after_native(p, layout_ci(true, ar)))) {
        host_event(L, ar);
        return;
    }
    p->busy = 1;
    end_native(p, now);
}

static void jit_hook(lua_State *L, lua_Debug *ar)
{
    profiler *p = host_last;
    uint64_t now;
    if (UNLIKELY(atomic_load_explicit(&p->quick, memory_order_relaxed) != L || !quick_now(p, &now)))
        host_event(L, ar);
    else if (ar->event == LUA_HOOKRET)
        on_return(true, p, L, ar, now);
    else if (ar->event == LUA_HOOKCOUNT)
        on_instruction(p, L, ar, now);
    else
        on_call(true, p, L, ar, now);
}

lua_Hook host_hook(bool jit)
{
    return jit ? jit_hook : plain_hook;
}

#else

lua_Hook host_hook(bool jit)
{
    (void)jit;
    return plain_hook;
}

#endif

/* fast_hook.c - see fast_hook.h.
 *
 * Invariant: nothing changes before it is certain that the event takes the fast path. Any other
 * event goes to host_event (full_event.c) in a tail call, and so finds everything as it was.
 *
 * An event is for the fast path only if its coroutine is `fast_for` of this thread's last profiler.
 * That one comparison covers several conditions: the profiler records, its recorder and the layout
 * of CallInfo allow the fast path, no other hook wants events, no signal is pending, and the
 * coroutine is the current one (host_update_fast). */
#include "fast_hook.h"

#include "fast_event.h"
#include "full_event.h"
#include "luajit/jit_return.h"
#include "luajit/jit_watch.h"

/* Is the caller our innermost frame? False also where only the general path can decide that. */
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

/* A call after one of another function by the same caller, or one that the recorder's fast path
 * does not handle. */
static __attribute__((noinline)) void call_other(profiler *p, toll_frame_id frame, uint64_t now)
{
    if (LIKELY(!p->recorder->timeline && toll_fast_call_recent(p->recorder, frame, &now, 1))) {
        end_event(p, now);
        return;
    }
    p->now[0] = now;
    toll_recorder_call(p->recorder, frame, p->now);
    pass_own_time(p);
    end_event(p, p->now[0]);
}

/* The flags with which a function's call may take the fast path. Functions that resume a coroutine
 * take the general path, since that coroutine may need our hook. In LuaJIT all coroutines share one
 * hook, so there only their returns must be watched. */
static inline uint32_t fast_flags(bool jit)
{
    return OBJECT_NATIVE | OBJECT_GOES_ON | (jit ? OBJECT_YIELD | OBJECT_RESUME | OBJECT_WRAP : 0u);
}

static inline __attribute__((always_inline)) void on_call(bool jit, bool timed, profiler *p,
                                                          lua_State *L, lua_Debug *ar, uint64_t now)
{
    coroutine *co = p->co;
    entry *top = co->top;
    const object *o = objects_find(&p->map, layout_function(jit, L, ar));
    if (UNLIKELY(ar->event != LUA_HOOKCALL || !o || o->f.flags & ~fast_flags(jit) ||
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
    uintptr_t ci = layout_ci(jit, ar);
    host_set_busy(p);
    co->top = top + 1;
    top[1].ci = ci;
    top[1].f.word = f.word;
    if (UNLIKELY(!toll_fast_call(p->recorder, f.frame, &now, 1)))
        call_other(p, f.frame, now);
    else if (timed)
        open_in_timeline(p, f.frame, now);
    else
        end_event(p, now);
}

static inline __attribute__((always_inline)) void
on_return(bool jit, bool timed, profiler *p, lua_State *L, lua_Debug *ar, uint64_t now)
{
    coroutine *co = p->co;
    entry *top = co->top;
    if (UNLIKELY(top->ci != layout_ci(jit, ar) || top->f.flags & OBJECT_HIDDEN ||
                 (jit && top[-1].f.flags & OBJECT_NATIVE))) {
        host_event(L, ar);
        return;
    }
    host_set_busy(p);
    co->top = top - 1;
    return_from_top(p, timed, now);
}

/* Calls have functions of their own, so that the hook saves fewer registers for a return. The first
 * arguments are those of the hook, so they stay in their registers. */
static __attribute__((noinline)) void lua_hook_call(lua_State *L, lua_Debug *ar, profiler *p,
                                                    uint64_t now)
{
    on_call(false, false, p, L, ar, now);
}

static __attribute__((noinline)) void timed_hook_call(lua_State *L, lua_Debug *ar, profiler *p,
                                                      uint64_t now)
{
    on_call(false, true, p, L, ar, now);
}

static inline __attribute__((always_inline)) void on_event(bool timed, lua_State *L, lua_Debug *ar)
{
    profiler *p = host_last;
    uint64_t now;
    if (UNLIKELY(atomic_load_explicit(&p->fast_for, memory_order_relaxed) != L ||
                 !fast_now(p, &now)))
        host_event(L, ar);
    else if (ar->event == LUA_HOOKRET)
        on_return(false, timed, p, L, ar, now);
    else if (timed)
        timed_hook_call(L, ar, p, now);
    else
        lua_hook_call(L, ar, p, now);
}

static void lua_hook(lua_State *L, lua_Debug *ar)
{
    on_event(false, L, ar);
}

static void timed_hook(lua_State *L, lua_Debug *ar)
{
    on_event(true, L, ar);
}

/* With lines: is the line in our innermost frame? In LuaJIT that frame may have moved to a higher
 * slot since it was called, see is_jit_return in full_event.c. */
static inline bool is_line_of_top(bool jit, const entry *top, const lua_Debug *ar)
{
    uintptr_t ci = layout_ci(jit, ar);
    return (jit ? top->ci && top->ci <= ci : top->ci == ci) &&
           !(top->f.flags & (OBJECT_NATIVE | OBJECT_HIDDEN)) && ar->currentline > 0;
}

static inline __attribute__((always_inline)) void on_event_with_lines(bool jit, lua_State *L,
                                                                      lua_Debug *ar)
{
    profiler *p = host_last;
    uint64_t now;
    if (UNLIKELY(ar->event != LUA_HOOKLINE ||
                 atomic_load_explicit(&p->fast_for, memory_order_relaxed) != L ||
                 !is_line_of_top(jit, p->co->top, ar) || !fast_now(p, &now))) {
        host_event(L, ar);
        return;
    }
    uint32_t line = (uint32_t)ar->currentline;
    host_set_busy(p);
    p->now[0] = now;
    toll_recorder_line(p->recorder, host_line_frame(&p->names, p->co->top->f.frame, line), p->now);
    end_event(p, now);
}

static void line_hook(lua_State *L, lua_Debug *ar)
{
    on_event_with_lines(false, L, ar);
}

#if IS_51

static void jit_line_hook(lua_State *L, lua_Debug *ar)
{
    on_event_with_lines(true, L, ar);
}

static inline __attribute__((always_inline)) void
on_instruction(bool timed, profiler *p, lua_State *L, lua_Debug *ar, uint64_t now)
{
    if (UNLIKELY(!is_after_native(p, layout_ci(true, ar)))) {
        host_event(L, ar);
        return;
    }
    host_set_busy(p);
    end_native(p, timed, now);
}

static inline __attribute__((always_inline)) void on_jit_event(bool timed, lua_State *L,
                                                               lua_Debug *ar)
{
    profiler *p = host_last;
    uint64_t now;
    if (UNLIKELY(atomic_load_explicit(&p->fast_for, memory_order_relaxed) != L ||
                 !fast_now(p, &now)))
        host_event(L, ar);
    else if (ar->event == LUA_HOOKRET)
        on_return(true, timed, p, L, ar, now);
    else if (ar->event == LUA_HOOKCOUNT)
        on_instruction(timed, p, L, ar, now);
    else
        on_call(true, timed, p, L, ar, now);
}

static void jit_hook(lua_State *L, lua_Debug *ar)
{
    on_jit_event(false, L, ar);
}

static void timed_jit_hook(lua_State *L, lua_Debug *ar)
{
    on_jit_event(true, L, ar);
}

lua_Hook host_hook(bool jit, bool lines, bool timed)
{
    if (lines)
        return jit ? jit_line_hook : line_hook;
    return jit ? timed ? timed_jit_hook : jit_hook : timed ? timed_hook : lua_hook;
}

#else

lua_Hook host_hook(bool jit, bool lines, bool timed)
{
    (void)jit;
    return lines ? line_hook : timed ? timed_hook : lua_hook;
}

#endif

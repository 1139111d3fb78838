/* full_event.c - see full_event.h.
 *
 * Each event charges the time since the last event to the frame that was innermost in between. A
 * tail call leaves the caller's frame and enters the callee's in its place.
 *
 * No event says that an error has unwound frames. So each event first compares our stack with
 * Lua's, and pops the frames that are no longer active. How the two are compared differs between
 * 5.1 and LuaJIT, whose levels and slots grow with depth, and later versions, which have pointers
 * (struct entry). */
#include "full_event.h"

#include "adopt.h"
#include "call_stack.h"
#include "coroutine_switch.h"
#include "fast_event.h"
#include "lua_names.h"
#include "layout.h"
#include "lua_allocator.h"
#include "luajit/jit_watch.h"
#include "process_end.h"
#include "user_hook.h"

/* The function that is called, named if it is new; valid until the next event. `shows_name`: see
 * lua_names.h. */
static inline object *describe(profiler *p, lua_State *L, lua_Debug *ar, bool shows_name)
{
    const void *address =
        LIKELY(p->reads_callinfo) ? layout_function(p->jit, L, ar) : host_asked_function(L, ar);
    object *known = objects_find(&p->map, address);
    if (UNLIKELY(!known))
        return host_name_function(p, L, ar, address, shows_name);
    if (UNLIKELY(known->f.flags & OBJECT_OPEN_NAME))
        host_examine_name(p, L, ar, known, shows_name);
    return known;
}

/* --- our hook ----------------------------------------------------------------------------------*/

/* The function at `ar` may resume a coroutine that was made before the start and so lacks our hook:
 * set it. Later coroutines have inherited it. */
static void hook_resumed(profiler *p, lua_State *L, lua_Debug *ar, object *o)
{
    lua_State *co = NULL;
    int top = lua_gettop(L);
    if (o->f.flags & OBJECT_RESUME) {
        if (lua_getlocal(L, ar, 1))
            co = lua_tothread(L, -1);
    } else {
        lua_getinfo(L, "f", ar);
        if (lua_getupvalue(L, -1, 1))
            co = lua_tothread(L, -1);
    }
    lua_settop(L, top);
    o->f.flags &= ~(uint32_t)OBJECT_WRAP; /* done: such a function resumes only this coroutine */
    if (!co || host_is_hook(p, lua_gethook(co)))
        return;
    host_take_over_hook(p, co);
    host_set_hook(p, co);
}

/* --- events ------------------------------------------------------------------------------------*/

#if IS_51

/* Turn the count hook on or off: it is called before the next instruction. LuaJIT calls no hook
 * when a C function returns, so while one is innermost the next instruction shows its return. Lua
 * 5.1 with the heap option: a pending callee must be entered before it allocates. */
static inline void arm(profiler *p, lua_State *L, bool on)
{
    if (UNLIKELY(p->armed != on || p->table.some)) {
        p->armed = on;
        if (!jit_table_see_each(&p->table, on))
            host_set_hook(p, L);
        host_update_fast(p);
    }
}

static inline void on_jit_call(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
    uintptr_t ci = layout_ci(true, ar);
    bool replaces = co->top->ci >= ci; /* a tail call, or an error has unwound frames */
    while (co->top->ci >= ci)
        host_pop(p, co);
    object *o = describe(p, L, ar, !replaces);
    frame_ref f = o->f;
    if (co->top->f.flags & OBJECT_NATIVE) /* it may catch errors */
        co->landing = host_native_next(co->top->f);
    if (f.flags & OBJECT_NATIVE) {
        f = host_native(f, p->reads_callinfo ? layout_jit_next(L) : JIT_ANY, co->landing);
        if (p->table.some)
            arm(p, L, false);
        if (p->armed || !host_watch_return(p, L, f))
            arm(p, L, true);
        if (p->options.lines && !replaces && !(co->top->f.flags & OBJECT_NATIVE))
            p->native_step = NATIVE_CALLED;
    } else {
        arm(p, L, false);
    }
    host_enter(p, co, ci, f);
}

static inline void on_call(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
    if (p->jit) {
        on_jit_call(p, co, L, ar);
        return;
    }
    uintptr_t ci = layout_ci(false, ar);
    while (co->top->ci >= ci)
        host_pop(p, co);
    object *o = describe(p, L, ar, true);
    const entry *top = co->top;
    if (!(o->f.flags & OBJECT_NATIVE) && top->ci && top->ci + 1 == ci &&
        !(top->f.flags & OBJECT_NATIVE)) {
        if (UNLIKELY(!p->reads_callinfo)) {
            toll_recorder_charge(p->recorder, p->now);
            co->pending = true;
            co->pending_function = o->f;
            if (p->options.heap)
                arm(p, L, true);
            return;
        }
        if (layout_51_is_tail(L)) {
            host_pop(p, co);
            ci--; /* the level that the callee will have */
        }
    }
    host_enter(p, co, ci, o->f);
    if (UNLIKELY(o->f.flags & (OBJECT_RESUME | OBJECT_WRAP)))
        hook_resumed(p, L, ar, o);
}

/* Is this LuaJIT's return of our innermost frame? A function with varargs moves to a higher slot
 * after its call event, so it may return from a higher slot than the one it was called in. Deeper
 * frames have been popped already. */
static bool is_jit_return(const coroutine *co, uintptr_t ci)
{
    return co->top > co->stack && co->top->ci <= ci && !(co->top->f.flags & OBJECT_NATIVE);
}

static inline void on_return(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
    uintptr_t ci = layout_ci(p->jit, ar);
    while (co->top->ci > ci)
        host_pop(p, co);
    if (LIKELY(p->jit ? is_jit_return(co, ci) : co->top->ci == ci))
        host_pop(p, co);
    else
        toll_recorder_note(p->recorder, "returns without a call", 1, NULL);
    if (p->jit) /* a coroutine that ends is under the C function that resumed it */
        arm(p, L, (co->top->f.flags & OBJECT_NATIVE) != 0);
}

/* The function at `ar` is about to run an instruction, so the C functions that it has called have
 * returned. */
static void on_instruction(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
    if (!p->armed) {
        jit_table_see_each(&p->table, false); /* another hook has changed it */
        return;
    }
    const entry *native = co->top;
    if (p->jit) {
        uintptr_t ci = layout_ci(p->jit, ar);
        while (co->top->ci > ci)
            host_pop(p, co);
    }
    bool returned = p->native_step == NATIVE_CALLED && native == co->top + 1; /* not an error */
    p->native_step = returned ? NATIVE_RETURNED : NATIVE_NONE;
    if (!p->native_step) /* else stay armed: the next instruction ends this step */
        arm(p, L, false);
}

/* Pop the frames that an error has unwound, so that `ci` is innermost. False: we do not have the
 * frame `ci`. */
static inline bool make_innermost(profiler *p, coroutine *co, uintptr_t ci)
{
    while (co->top->ci > ci)
        host_pop(p, co);
    return p->jit ? is_jit_return(co, ci) : co->top->ci == ci;
}

#else

static inline uintptr_t caller_ci(const profiler *p, lua_State *L, const lua_Debug *ar)
{
    lua_Debug caller;
    if (LIKELY(p->reads_callinfo))
        return layout_caller_of((uintptr_t)ar->i_ci);
    return lua_getstack(L, 1, &caller) ? (uintptr_t)caller.i_ci : 0;
}

static inline void pop_above(profiler *p, coroutine *co, const entry *top)
{
    while (co->top > top)
        host_pop(p, co);
}

/* Some frames were unwound by an error: pop frames until `ci` is innermost (0: pop all). If we do
 * not have that frame, our stack does not agree with Lua's: adopt all active frames except for the
 * callee. */
static void unwind_to(profiler *p, coroutine *co, lua_State *L, uintptr_t ci)
{
    const entry *top = co->top;
    while (top > co->stack && (!ci || top->ci != ci))
        top--;
    pop_above(p, co, top);
    if (ci && top == co->stack)
        host_adopt(p, co, L, 1, 0);
}

/* Is the call event a repetition? Some releases of 5.4 report a call again if a hook has yielded
 * before the function's first instruction. */
static inline bool is_repeated(coroutine *co, uintptr_t ci)
{
    bool held = co->top->f.flags & OBJECT_HELD;
    co->top->f.flags &= ~(uint32_t)OBJECT_HELD;
    return held && co->top->ci == ci;
}

static inline void on_call(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
    uintptr_t ci = layout_ci(p->jit, ar);
    bool tail = ar->event == LUA_HOOKTAILCALL;
#if LUA_VERSION_NUM >= 504
    uintptr_t below = tail ? ci : caller_ci(p, L, ar); /* a tail callee has replaced its caller */
#else
    uintptr_t below = caller_ci(p, L, ar); /* a tail callee will replace its caller */
#endif
    if (UNLIKELY(is_repeated(co, ci)))
        return;
    if (UNLIKELY(co->top->ci != below))
        unwind_to(p, co, L, below);
    object *o = describe(p, L, ar, !tail);
    if (tail && co->top > co->stack && co->top->ci == below) {
        host_pop(p, co);
        ci = below;
    }
    host_enter(p, co, ci, o->f);
    if (UNLIKELY(o->f.flags & (OBJECT_RESUME | OBJECT_WRAP)))
        hook_resumed(p, L, ar, o);
}

/* The entry of the frame `ci`; co->stack if there is none. */
static inline const entry *find_entry(const coroutine *co, uintptr_t ci)
{
    const entry *top = co->top;
    while (top > co->stack && top->ci != ci)
        top--;
    return top;
}

static inline void on_return(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
    const entry *top = find_entry(co, layout_ci(p->jit, ar));
    (void)L;
    if (top > co->stack)
        pop_above(p, co, top - 1);
    else
        toll_recorder_note(p->recorder, "returns without a call", 1, NULL);
}

/* Pop the frames that an error has unwound, so that `ci` is innermost. False: we do not have the
 * frame `ci`. */
static inline bool make_innermost(profiler *p, coroutine *co, uintptr_t ci)
{
    const entry *top = find_entry(co, ci);
    if (top == co->stack)
        return false;
    pop_above(p, co, top);
    return true;
}

#endif

/* A count event: an instruction is about to run. */
static void on_count(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
#if IS_51
    on_instruction(p, co, L, ar);
#endif
    (void)co;
    (void)L;
    (void)ar;
    if (p->options.ticks)
        p->now[p->tick_counter]++;
}

/* A line begins to run. The count event of its first instruction came before this event, so that
 * tick is subtracted and added again. A chunk without debug information has lines below 1.
 *
 * LuaJIT also reports a line again after a C function has returned into it: always while there is a
 * hook for calls, sometimes otherwise. This is not an execution of the line. */
static inline void on_line(profiler *p, coroutine *co, const lua_Debug *ar)
{
    if (!p->options.lines || ar->currentline < 1)
        return;
    if (!make_innermost(p, co, layout_ci(p->jit, ar))) {
        toll_recorder_note(p->recorder, "lines without a call", 1, NULL);
        return;
    }
    frame_ref f = co->top->f;
    if (f.flags & OBJECT_HIDDEN)
        return;
    toll_frame_id at = host_line_frame(&p->names, f.frame, (uint32_t)ar->currentline);
    if (p->native_step == NATIVE_RETURNED && at == toll_recorder_place(p->recorder))
        return;
    p->now[p->tick_counter] -= p->options.ticks;
    toll_recorder_line(p->recorder, at, p->now);
    p->now[p->tick_counter] += p->options.ticks;
}

static inline void handle(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar)
{
#if IS_51
    if (UNLIKELY(co->pending) && ar->event != LUA_HOOKTAILRET)
        host_settle_by(p, co, ar->event, layout_ci(p->jit, ar));
#endif
    if (ar->event != LUA_HOOKCOUNT && ar->event != LUA_HOOKLINE)
        p->native_step = NATIVE_NONE;
    if (ar->event == LUA_HOOKCALL || ar->event == LUA_HOOKTAILCALL)
        on_call(p, co, L, ar);
    else if (ar->event == LUA_HOOKRET)
        on_return(p, co, L, ar);
    else if (ar->event == LUA_HOOKCOUNT)
        on_count(p, co, L, ar);
    else if (ar->event == LUA_HOOKLINE)
        on_line(p, co, ar);
}

static coroutine *switch_to(profiler *p, lua_State *L, lua_Debug *ar)
{
    p->native_step = NATIVE_NONE;
    return host_switch(p, L, ar);
}

void host_event(lua_State *L, lua_Debug *ar)
{
    profiler *p = host_of_allocator(L);
    if (!p)
        p = host_find(L);
    /* A coroutine that had no event before the stop. */
    if (!p || !p->active || p->options.sample_hz) {
        if (p)
            host_unset_hook(p, L);
        else
            lua_sethook(L, NULL, 0, 0);
        return;
    }
    host_set_last(p);
    bool current = p->co->L == L;
    void (*turn)(profiler *, lua_State *) = atomic_load_explicit(&p->turn, memory_order_relaxed);
    if (ar->event == LUA_HOOKCOUNT && current && p->options.ticks && !p->armed && !p->user_hooks &&
        !p->co->pending && !turn) {
        p->now[p->tick_counter]++;
        return;
    }
    coroutine *co = NULL;
    host_begin_change(p);
    if (LIKELY(p->active)) {
        host_read_counters(p);
        co = LIKELY(current) ? p->co : switch_to(p, L, ar);
        if (LIKELY(co != NULL))
            handle(p, co, L, ar);
        pass_own_time(p);
    }
    host_end_change(p, 0);
    if (UNLIKELY(p->user_hooks) && co)
        host_call_user_hook(p, co, L, ar);
    turn = atomic_load_explicit(&p->turn, memory_order_relaxed);
    if (UNLIKELY(turn != NULL))
        turn(p, L);
}

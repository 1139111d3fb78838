/* quick.c - the hook. Calls and returns of the current coroutine that are just that, under the
 * plainest recorder, are done here; all else is passed on to hook.c.
 *
 * The former are nearly all events, and each instruction shows in the time of a program of tiny
 * calls. So nothing is changed before all is known to be plain, and whatever is not ends in a tail
 * call. */
#include "layout.h"
#include "record/recorder_inline.h"

#if defined(__GLIBC__)
#define TLS_MODEL __attribute__((tls_model("initial-exec"))) /* no call to find the variable */
#else
#define TLS_MODEL
#endif

/* The profiler of this thread's last event. It may be another universe's, so `quick` is compared;
 * none is ever freed (see profiler.c), so that may be done. */
static profiler nobody;
static _Thread_local profiler *last TLS_MODEL = &nobody;

void host_set_last(profiler *p)
{
    last = p;
    p->thread = host_this_thread();
}

uint64_t host_this_thread(void)
{
    static _Atomic uint64_t threads;
    static _Thread_local uint64_t thread TLS_MODEL;
    if (UNLIKELY(!thread))
        thread = atomic_fetch_add(&threads, 1) + 1;
    return thread;
}

bool host_may_be_quick(const profiler *p)
{
    return p->fast && toll_recorder_is_plain(p->recorder);
}

/* The counter, unless the clock has to be looked after. Without a clock it is no steps on. */
static inline bool quick_now(const profiler *p, uint64_t *now)
{
#if defined(__x86_64__)
    if (LIKELY(p->clock.tsc)) {
        uint64_t passed = host_tsc() - p->clock.tsc_base;
        *now = p->clock.ns_base + (passed * p->clock.scale >> 32);
        return passed < HOST_TSC_SPAN;
    }
#endif
    *now = p->now[0];
    return p->options.no_clock;
}

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

static inline void end_event(profiler *p, uint64_t now)
{
    p->now[0] = now;
    p->busy = 0;
    if (UNLIKELY(p->signalled))
        host_die_of_signal(p);
}

/* The recorder has to look the callee up, or worse. */
static __attribute__((noinline)) void call_other(profiler *p, toll_frame_id frame, uint64_t now)
{
    if (UNLIKELY(!toll_recorder_call_recent(p->recorder, frame, now)))
        toll_recorder_call(p->recorder, frame, &now);
    end_event(p, now);
}

static __attribute__((noinline)) void return_other(profiler *p, uint64_t now)
{
    toll_recorder_return(p->recorder, &now);
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
    profiler *p = last;
    uint64_t now;
    if (UNLIKELY(atomic_load_explicit(&p->quick, memory_order_relaxed) != L || !quick_now(p, &now)))
        host_event(L, ar);
    else if (ar->event == LUA_HOOKRET)
        on_return(false, p, L, ar, now);
    else
        plain_call(L, ar, p, now);
}

#if IS_51

/* An instruction of the frame at `ci`: is it the one after the call of a C function that was
 * watched? The caller's frame may be further up than it was called, see is_jit_return. */
static inline bool is_after_native(const profiler *p, uintptr_t ci)
{
    const entry *top = p->co->top;
    return p->table.some && !(top->f.flags & OBJECT_HIDDEN) && top->f.flags & OBJECT_GOES_ON &&
           ci < top->ci && ci >= top[-1].ci;
}

/* The innermost frame, a C function that was watched, has ended. */
static inline void end_native(profiler *p, uint64_t now)
{
    jit_table_see_none(&p->table);
    p->armed = false;
    p->co->top--;
    if (LIKELY(toll_recorder_return_plain(p->recorder, now)))
        end_event(p, now);
    else
        return_other(p, now);
}

static inline void on_instruction(profiler *p, lua_State *L, lua_Debug *ar, uint64_t now)
{
    if (UNLIKELY(!is_after_native(p, layout_ci(true, ar)))) {
        host_event(L, ar);
        return;
    }
    p->busy = 1;
    end_native(p, now);
}

#if defined(__x86_64__) && defined(__ELF__)

/* Called from the assembly below. */
__attribute__((visibility("hidden"))) uint64_t host_after_native_at(const uint64_t *base);

/* LuaJIT's routine that counts instructions. Should a process have two LuaJITs, one is as before.
 */
static _Atomic uint64_t count_routine;

/* The coroutine that was watched for goes on, in the frame at `base`: false: that is another. */
static __attribute__((noinline)) bool switch_to_watched(profiler *p, const uint64_t *base,
                                                        uint64_t now)
{
    coroutine *to = p->table.to;
    if (!p->table.some || !to || p->co->top->f.flags & OBJECT_GOES_ON)
        return false;
    uintptr_t ci = layout_jit_ci(to->L, base);
    if (ci >= to->top->ci || ci < to->top[-1].ci || to->top->f.flags & OBJECT_HIDDEN)
        return false;
    p->busy = 1;
    host_switch_between(p, to, &now);
    return true;
}

/* Where after_native goes on: at the instruction, or, where that is not the end of a C function and
 * nothing else, at the routine that counts, which knows what to do. `base` is the slots of the
 * frame that runs, and so of one universe and one coroutine. */
uint64_t host_after_native_at(const uint64_t *base)
{
    profiler *p = last;
    lua_State *L = atomic_load_explicit(&p->quick, memory_order_relaxed);
    uint64_t now;
    if (UNLIKELY(!L || !quick_now(p, &now)))
        return atomic_load_explicit(&count_routine, memory_order_relaxed);
    if (LIKELY(is_after_native(p, layout_jit_ci(L, base))))
        p->busy = 1;
    else if (!switch_to_watched(p, base, now))
        return atomic_load_explicit(&count_routine, memory_order_relaxed);
    uint64_t go_on = p->table.plain[p->table.next];
    end_native(p, now);
    return go_on;
}

/* Jumped to in place of an instruction. LuaJIT for x86-64 has the frame's base in rdx there; should
 * another one have something else, host_after_native_at finds no frame at it. All registers that a
 * function may change are kept but those of floating point, which the routine that counts, itself
 * written in C for the most part, does not keep either. */
static __attribute__((naked)) void after_native(void)
{
    __asm__("endbr64\n\t"
            "push %rbp\n\t"
            "mov %rsp, %rbp\n\t"
            "push %rax\n\t" /* where to go on */
            "push %rax\n\t"
            "push %rcx\n\t"
            "push %rdx\n\t"
            "push %rsi\n\t"
            "push %rdi\n\t"
            "push %r8\n\t"
            "push %r9\n\t"
            "push %r10\n\t"
            "push %r11\n\t"
            "mov %rdx, %rdi\n\t"
            "and $-16, %rsp\n\t"
            "call host_after_native_at\n\t"
            "mov %rax, -8(%rbp)\n\t"
            "lea -80(%rbp), %rsp\n\t"
            "pop %r11\n\t"
            "pop %r10\n\t"
            "pop %r9\n\t"
            "pop %r8\n\t"
            "pop %rdi\n\t"
            "pop %rsi\n\t"
            "pop %rdx\n\t"
            "pop %rcx\n\t"
            "pop %rax\n\t"
            "mov (%rbp), %rbp\n\t"
            "lea 16(%rsp), %rsp\n\t"
            "jmp *-16(%rsp)");
}

uint64_t host_after_native(uint64_t each)
{
    uint64_t none = 0;
    if (!atomic_compare_exchange_strong(&count_routine, &none, each) && none != each)
        return each;
    return (uint64_t)(uintptr_t)after_native;
}

#else

uint64_t host_after_native(uint64_t each)
{
    return each;
}

#endif

static void jit_hook(lua_State *L, lua_Debug *ar)
{
    profiler *p = last;
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

lua_Hook host_hook_of(const profiler *p)
{
    return p->jit ? jit_hook : plain_hook;
}

bool host_is_hook(lua_Hook hook)
{
    return hook == plain_hook || hook == jit_hook;
}

#else

lua_Hook host_hook_of(const profiler *p)
{
    (void)p;
    return plain_hook;
}

bool host_is_hook(lua_Hook hook)
{
    return hook == plain_hook;
}

#endif

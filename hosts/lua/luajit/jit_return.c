/* jit_return.c - see jit_return.h. Has the routine to which LuaJIT jumps in place of the
 * instruction after a C function. */
#include "jit_return.h"

#include "coroutine_switch.h"

#if IS_51

#if defined(__x86_64__) && defined(__ELF__)

/* Called by the assembly below. */
__attribute__((visibility("hidden"))) uint64_t host_after_native_at(const uint64_t *base);

/* LuaJIT's routine that counts instructions. A process may have two LuaJITs: then it is that of the
 * first, and the second one works without our routine. */
static _Atomic uint64_t count_routine;

/* Switch to the coroutine that was expected, if the frame at `base` is the one in which it
 * continues. False: it is another frame, and nothing has changed. */
static __attribute__((noinline)) bool switch_to_watched(profiler *p, const uint64_t *base,
                                                        uint64_t now)
{
    coroutine *to = p->table.to;
    if (!p->table.some || !to || p->co->top->f.flags & OBJECT_GOES_ON)
        return false;
    uintptr_t ci = layout_jit_ci(to->L, base);
    if (ci >= to->top->ci || ci < to->top[-1].ci || to->top->f.flags & OBJECT_HIDDEN)
        return false;
    host_set_busy(p);
    p->now[0] = now;
    host_switch_between(p, to);
    return true;
}

/* Record the expected return of a C function, and return the address to which after_native jumps:
 * the instruction's own code. If this is not exactly that return, change nothing and return the
 * counting routine, which handles every case. `base` points to the slots of the running frame. The
 * slots belong to one coroutine, so comparing them also checks Lua state and coroutine. */
uint64_t host_after_native_at(const uint64_t *base)
{
    profiler *p = host_last;
    lua_State *L = atomic_load_explicit(&p->fast_for, memory_order_relaxed);
    uint64_t now;
    if (UNLIKELY(!L || !fast_now(p, &now)))
        return atomic_load_explicit(&count_routine, memory_order_relaxed);
    if (LIKELY(is_after_native(p, layout_jit_ci(L, base))))
        host_set_busy(p);
    else if (!switch_to_watched(p, base, now))
        return atomic_load_explicit(&count_routine, memory_order_relaxed);
    uint64_t code = p->table.original[p->table.next];
    if (LIKELY(!p->recorder->timeline))
        end_native(p, false, now);
    else
        end_native(p, true, now);
    return code;
}

/* LuaJIT jumps here in place of an instruction. On x86-64 the frame's base is in rdx then. If
 * another release has something else in rdx, host_after_native_at finds no frame, and the counting
 * routine does the work. All registers that a C function may change are saved, except for those of
 * floating point: LuaJIT's counting routine calls C as well, and does not save them either. */
static __attribute__((naked, no_instrument_function)) void after_native(void)
{
    __asm__("endbr64\n\t"
            "push %rbp\n\t"
            "mov %rsp, %rbp\n\t"
            "push %rax\n\t" /* where to continue */
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

uint64_t host_return_routine(uint64_t each)
{
    uint64_t none = 0;
    if (!atomic_compare_exchange_strong(&count_routine, &none, each) && none != each)
        return each;
    return (uint64_t)(uintptr_t)after_native;
}

#else

uint64_t host_return_routine(uint64_t each)
{
    return each;
}

#endif

#endif

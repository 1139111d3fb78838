/* jit_return.c - the routine that LuaJIT jumps to in place of the instruction after a C function.
 */
#include "jit_return.h"

#include "coroutine_switch.h"

#if IS_51

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
    profiler *p = host_last;
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

/* jit_return.h - records the return of a C function in LuaJIT, which calls no hook for it.
 *
 * The return is seen at the next instruction, through the dispatch table (jit_table.h). */
#ifndef TOLL_LUA_JIT_RETURN_H
#define TOLL_LUA_JIT_RETURN_H

#include "fast_event.h"

/* Is this instruction in the frame that called the C function whose return is expected? (That frame
 * may have moved to a higher slot since it was called, see is_jit_return in full_event.c.) */
static inline bool is_after_native(const profiler *p, uintptr_t ci)
{
    const entry *top = p->co->top;
    return p->table.some && !(top->f.flags & OBJECT_HIDDEN) && top->f.flags & OBJECT_GOES_ON &&
           ci < top->ci && ci >= top[-1].ci;
}

/* The innermost frame, that of the C function, has returned. `timed`: see return_from_top. */
static inline void end_native(profiler *p, bool timed, uint64_t now)
{
    jit_table_see_none(&p->table);
    p->armed = false;
    p->co->top--;
    return_from_top(p, timed, now);
}

/* The word to put into the dispatch table for the expected instruction: the address of our own
 * routine. On processors for which we have none: `count_routine`, LuaJIT's own routine, which calls
 * the count hook. */
uint64_t host_return_routine(uint64_t count_routine);

#endif

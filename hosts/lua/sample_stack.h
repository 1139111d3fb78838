/* sample_stack.h - a recording of samples: charges the time since the last sample to the call stack
 * that the Lua state has now. */
#ifndef TOLL_LUA_SAMPLE_STACK_H
#define TOLL_LUA_SAMPLE_STACK_H

#include "lua_profiler.h"

/* What the virtual machine did when the thread was interrupted. */
typedef enum host_sample_state {
    HOST_IN_LUA,      /* in the interpreter */
    HOST_IN_COMPILED, /* in compiled code */
    HOST_IN_C,        /* in a C function that the stack does not show any more */
    HOST_IN_COLLECTOR,
    HOST_IN_COMPILER
} host_sample_state;

/* Take a sample of L, whose innermost `hide` levels are the profiler's own. L is at a point where
 * Lua's functions may be called. */
void host_take_sample(profiler *p, lua_State *L, int hide, host_sample_state state);

/* Charge the time since the last sample to no function: no script runs any more. */
void host_end_samples(profiler *p);

/* Free what the samples have needed. */
void host_free_samples(profiler *p);

#endif

/* sample_stack.h - a recording of samples: charges the time since the last sample to the call stack
 * that the Lua state has now. */
#ifndef TOLL_LUA_SAMPLE_STACK_H
#define TOLL_LUA_SAMPLE_STACK_H

#include "lua_profiler.h"
#include "luastack/lua_walk.h"

/* What the virtual machine did when the thread was interrupted. */
typedef enum host_sample_state {
    HOST_IN_LUA,      /* in the interpreter */
    HOST_IN_COMPILED, /* in compiled code */
    HOST_IN_C,        /* in a C function that the stack does not show any more */
    HOST_IN_COLLECTOR,
    HOST_IN_COMPILER
} host_sample_state;

enum {
    HOST_MOST_SAMPLED = TOLL_LUA_MOST_FRAMES
}; /* frames of a sample; what is further out is cut off */

/* A sample: its frames, the innermost first. One more for what is cut off, one for the state. */
typedef struct host_sample {
    toll_frame_id frames[HOST_MOST_SAMPLED + 2];
    int lines[HOST_MOST_SAMPLED + 2]; /* 0 or less: not known */
    uint32_t count;
    bool is_cut, is_main; /* of the state's main thread */
} host_sample;

/* Add a frame, further out than those before. */
void host_add_sampled(host_sample *sample, toll_frame_id frame, int line);

/* The frame of what is not a function, such as "(garbage collector)". */
toll_frame_id host_pseudo_frame(profiler *p, const char *name);

/* Make it the current stack: what is charged next is charged to it. p->now has the counters at the
 * sample before. Its frames are complete, and so are the functions' names. */
void host_enter_sample(profiler *p, host_sample *sample);

/* Take a sample of L, whose innermost `hide` levels are the profiler's own. L is at a point where
 * Lua's functions may be called. */
void host_take_sample(profiler *p, lua_State *L, int hide, host_sample_state state);

/* Charge the time since the last sample to no function: no script runs any more. */
void host_end_samples(profiler *p, lua_State *L);

/* Free what the samples have needed. */
void host_free_samples(profiler *p);

#endif

/* call_costs.h - measures what the profiler itself takes for each call and each line, so that
 * `toll report --no-overhead` can subtract it.
 *
 * It is measured in this process, by the recording's clock and hook: a Lua state of its own runs
 * loops of calls, without a recording and with one. Calls there are as cheap as they can be, so a
 * program's may cost more. What a call costs without a recording is taken to be half the caller's
 * and half the callee's. */
#ifndef TOLL_LUA_CALL_COSTS_H
#define TOLL_LUA_CALL_COSTS_H

#include "lua_profiler.h"

/* The costs for recordings with these options; measured when first asked for, which takes some
 * milliseconds. Not known with ticks, whose hook runs at each instruction, without a clock, without
 * memory, or if this Lua cannot make a state: then all are 0. To be called before the recording
 * starts. */
host_call_costs host_find_call_costs(const host_options *options, bool jit);

#endif

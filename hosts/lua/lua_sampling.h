/* lua_sampling.h - starts and stops a recording of samples. */
#ifndef TOLL_LUA_LUA_SAMPLING_H
#define TOLL_LUA_LUA_SAMPLING_H

#include "lua_profiler.h"

/* Start to interrupt the calling thread. False: *err says why it cannot be done. */
bool host_start_sampling(profiler *p, lua_State *L, toll_error *err);

/* The recording begins now. The profiler is busy. */
void host_go_sampling(profiler *p);

/* Stop it, if it was started. `closing`: the Lua state closes, and no script runs any more. */
void host_stop_sampling(profiler *p, lua_State *L, bool closing);

/* Can a recording of these options be one of samples? False: *err names the option that cannot. */
bool host_may_sample(const host_options *o, toll_error *err);

#endif

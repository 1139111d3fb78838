/* lua_recording.h - what a recording consists of: its clock, its recorder, its timeline. */
#ifndef TOLL_LUA_LUA_RECORDING_H
#define TOLL_LUA_LUA_RECORDING_H

#include "lua_profiler.h"

/* The clock of that name; NULL: the default. False: there is none of that name. */
bool host_clock_named(const char *name, host_clock *clock);

/* Choose and start the clock, by the recording's options. */
void host_start_clock(profiler *p);

/* Make the timeline that the options name, if they do; then the recorder. */
toll_status host_make_timeline(profiler *p, toll_error *err);
toll_status host_make_recorder(profiler *p, toll_error *err);

/* Free them, and all that the last recording has kept of the Lua state. */
void host_free_recording(profiler *p);

#endif

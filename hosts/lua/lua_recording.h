/* lua_recording.h - what a recording consists of: its clock, its recorder, its timeline. */
#ifndef TOLL_LUA_LUA_RECORDING_H
#define TOLL_LUA_LUA_RECORDING_H

#include "lua_profiler.h"

/* The clock of that name; NULL: the default. False: there is none of that name. */
bool host_clock_named(const char *name, host_clock *clock);

/* Choose and start the clock, by the recording's options. */
void host_start_clock(profiler *p);

/* May the layouts of layout.h be used? Raises an error of Lua's for lack of memory. Meanwhile a
 * signal's handler (lua_control.c) sets no hook: the probe's own would be what it gives back. */
bool host_has_layout(profiler *p, lua_State *L);

/* Make the timeline that the options name, if they do; then the recorder. */
toll_status host_make_timeline(profiler *p, toll_error *err);
toll_status host_make_recorder(profiler *p, toll_error *err);

/* Free them, and all that the last recording has kept of the Lua state. */
void host_free_recording(profiler *p);

#endif

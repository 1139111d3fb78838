/* run_summary.h - the summary of toll run: the functions that cost most, and the CPU time and wall
 * time of the whole run. May be called from a signal's handler, as profile_files.h says. */
#ifndef TOLL_LUA_RUN_SUMMARY_H
#define TOLL_LUA_RUN_SUMMARY_H

#include "lua_profiler.h"

/* Remember when the recording began. */
void host_begin_times(profiler *p);

/* Write the summary to standard error. `is_saved`: the profile's file was written. */
void host_write_summary(profiler *p, const toll_profile *profile, bool is_saved);

#endif

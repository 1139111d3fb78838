/* profile_files.h - the files that a recording is written to, and the report to toll run.
 *
 * A signal may come in the middle of malloc. So all that is done here allocates by kernel_memory.h
 * and writes by write(2) and rename(2), and no Lua state is changed. */
#ifndef TOLL_LUA_PROFILE_FILES_H
#define TOLL_LUA_PROFILE_FILES_H

#include "lua_profiler.h"

/* The pipe to toll run; `number` is its file descriptor in digits, or NULL. */
host_report host_begin_report(const char *number);

/* `step` is one of the letters that src/cli/run_child.c lists. */
void host_send_report(const host_report *report, char step);

/* Stops the recorder, and writes all files that are due. */
void host_write_files(profiler *p);

/* Is the timeline's file Toll's own? Then it is there from the start, and grows. */
bool host_streams_timeline(const profiler *p);

/* p->labels become those of the variable TOLL_LABELS, which toll run or toll.start has checked.
 * False: no memory. */
bool host_take_labels(profiler *p);

/* Writes the files that toll.start named. */
toll_status host_write_kept(profiler *p, toll_error *err);

#endif

/* profile_files.h - writes the files of a recording, and the report to toll run.
 *
 * A signal may arrive in the middle of malloc, and then the files are written. So all functions
 * here allocate with kernel_memory.h, write with write(2) and rename(2), and change no Lua state.
 */
#ifndef TOLL_LUA_PROFILE_FILES_H
#define TOLL_LUA_PROFILE_FILES_H

#include "lua_profiler.h"

/* Open the pipe to toll run; `number` is its file descriptor in digits, or NULL. */
host_report host_begin_report(const char *number);

/* Report a step to toll run; src/cli/run_child.c lists the letters. */
void host_send_report(const host_report *report, char step);

/* Stop the recorder, and write all files that are due. */
void host_write_files(profiler *p);

/* Is the timeline written in Toll's own format? Then the file exists from the start, and grows. */
bool host_streams_timeline(const profiler *p);

/* Set p->labels to the value of TOLL_LABELS, which toll run or toll.start has checked. False: no
 * memory. */
bool host_take_labels(profiler *p);

/* Write the files that toll.start named. */
toll_status host_write_kept(profiler *p, toll_error *err);

#endif

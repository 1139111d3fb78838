/* timeline_stream.h - owns the timeline of a recording, and its file, which grows while the guest
 * runs. */
#ifndef TOLL_HOSTS_WASM_TIMELINE_STREAM_H
#define TOLL_HOSTS_WASM_TIMELINE_STREAM_H

#include <stdbool.h>
#include <toll/toll.h>

/* Make the timeline: in memory, or, if `flags` has TOLL_RECORD_TIMELINE_FILE, in a file of the
 * embedder. `second` (the second axis) and `labels` may be NULL. */
toll_status host_begin_timeline(uint32_t flags, const toll_value_type *axis,
                                const toll_value_type *second, const char *labels);

/* NULL: the order in time is not recorded. */
toll_timeline *host_timeline(void);

/* Is the timeline in a file? */
bool host_timeline_streams(void);

/* To be called with the counters' values at each event on the general path. `time_ns` is UINT64_MAX
 * if time is not a counter. If the timeline is in a file, all events so far are written to it at
 * intervals, so that the file of a killed process contains nearly everything. */
void host_stream(uint64_t ticks, uint64_t time_ns);

/* If time is not a counter: the ticks from which on host_stream has something to do. */
uint64_t host_stream_due(void);

/* The next instance begins, and its ticks begin at 0 again. */
void host_stream_next_instance(void);

#endif

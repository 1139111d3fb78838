/* timeline_stream.h - the timeline of a recording, and its file, which grows while the guest runs.
 * Owns both. */
#ifndef TOLL_HOSTS_WASM_TIMELINE_STREAM_H
#define TOLL_HOSTS_WASM_TIMELINE_STREAM_H

#include <stdbool.h>
#include <toll/toll.h>

/* Make the timeline: in memory, or with TOLL_RECORD_TIMELINE_FILE of `flags` in a file of the
 * embedder's. `second`: its second axis, or NULL; `labels`: or NULL. */
toll_status host_begin_timeline(uint32_t flags, const toll_value_type *axis,
                                const toll_value_type *second, const char *labels);

/* NULL: the order in time is not recorded. */
toll_timeline *host_timeline(void);

/* It is in a file. */
bool host_timeline_streams(void);

/* With a file: the counters were read; `time_ns` is UINT64_MAX if time is none of them. Now and
 * then, all events so far go to the file: a process that is killed leaves what happened until
 * shortly before. */
void host_stream(uint64_t ticks, uint64_t time_ns);

/* The ticks from which on host_stream has something to do, where time is no counter. */
uint64_t host_stream_due(void);

/* Ticks begin at 0 again. */
void host_stream_next_instance(void);

#endif

/* event_clock.h - the clock of a recording: which one it is, when the recording began, how often
 * events have read it, and what that has cost. Owns all of these. */
#ifndef TOLL_HOSTS_WASM_EVENT_CLOCK_H
#define TOLL_HOSTS_WASM_EVENT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <toll/embedder.h>

/* A recording begins at start_ns since 1970. `reads`: events will read the clock. */
void host_begin_clock(int64_t start_ns, bool uses_wasi, bool reads);

/* What host_begin_clock was given. */
int64_t host_start_ns(void);

/* Nanoseconds since any moment, by the embedder's clock or WASI's. */
double host_clock(void);

/* Nanoseconds since the recording began; counted as a reading. */
uint64_t host_read_clock(void);

/* What all readings have cost so far, in nanoseconds. May read the clock for a millisecond, during
 * which host_read_clock returns the same value. */
uint64_t host_clock_overhead(void);

/* system.c: WASI's monotonic clock. */
double host_wasi_now(void);

#endif

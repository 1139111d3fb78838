/* event_clock.h - owns the clock of a recording, the time of its begin, the number of readings, and
 * their cost. */
#ifndef TOLL_HOSTS_WASM_EVENT_CLOCK_H
#define TOLL_HOSTS_WASM_EVENT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <toll/embedder.h>

/* A recording begins, `start_ns` nanoseconds after the begin of 1970. `reads`: events will read the
 * clock. */
void host_begin_clock(int64_t start_ns, bool uses_wasi, bool reads);

/* The start_ns of host_begin_clock. */
int64_t host_start_ns(void);

/* Nanoseconds since an unknown but fixed moment, by the embedder's clock or WASI's. */
double host_clock(void);

/* Nanoseconds since the recording began. Counts as a reading. */
uint64_t host_read_clock(void);

/* The cost of all readings so far, in nanoseconds. May measure for a millisecond; host_read_clock
 * does not count that time. */
uint64_t host_clock_overhead(void);

/* system.c: WASI's monotonic clock. */
double host_wasi_now(void);

#endif

/* sampling.h - sampled time: a thread of the embedder samples at intervals which frame is
 * innermost.
 *
 * Owns the samples, and the time that they do not count. */
#ifndef TOLL_HOSTS_WASM_SAMPLING_H
#define TOLL_HOSTS_WASM_SAMPLING_H

#include <toll/toll.h>

/* The time of all samples in nanoseconds. */
uint64_t host_sampled_ns(void);

/* Subtract the cost of recording calls from the sampled time of a snapshot. */
toll_status host_finish_sampled(toll_profile *snapshot);

/* The profiler's own cost, as four notes count it. */
typedef struct host_costs {
    uint64_t samples, overhead, unseen, clock;
} host_costs;

/* Add these notes to a profile. They count the cost since `before`. */
toll_status host_note_costs(toll_profile *profile, const host_costs *before);

/* The counts of these notes in a profile. */
host_costs host_noted_costs(const toll_profile *profile);

#endif

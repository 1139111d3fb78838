/* sampling.h - sampled time: a thread of the embedder's samples every now and then which frame is
 * innermost. Owns what the samples say, and what they do not count. */
#ifndef TOLL_HOSTS_WASM_SAMPLING_H
#define TOLL_HOSTS_WASM_SAMPLING_H

#include <toll/toll.h>

/* The time of all samples in nanoseconds. */
uint64_t host_sampled_ns(void);

/* What calls cost is subtracted from the time of a snapshot. */
toll_status host_finish_sampled(toll_profile *snapshot);

/* What the profiler itself cost, as four notes count it. */
typedef struct host_costs {
    uint64_t samples, overhead, unseen, clock;
} host_costs;

/* Add these notes to a profile, of what there was since `before`. */
toll_status host_note_costs(toll_profile *profile, const host_costs *before);

/* What the notes of a profile say. */
host_costs host_noted_costs(const toll_profile *profile);

#endif

/* sampling.h - sampled time: a thread of the embedder samples at intervals which frame is
 * innermost, or the engine's own sampler finds whole call stacks (engine_samples.c).
 *
 * Owns the samples, and the time that they do not count. */
#ifndef TOLL_HOSTS_WASM_SAMPLING_H
#define TOLL_HOSTS_WASM_SAMPLING_H

#include <stdbool.h>
#include <toll/toll.h>

/* A recording begins whose time, if it is sampled, is sampled by the engine or by a thread. */
void host_begin_sampling(bool by_engine);

/* How many samples there were, and what passed in nanoseconds: all of it, and what of that is not
 * in the time: the profiler's own work, and what belongs to no function. */
typedef struct host_samples {
    uint64_t count, all_ns, busy_ns, unseen_ns;
} host_samples;

/* The same as host_begin_sampling, for time that is read at events (clocked_time.h), which counts
 * its samples by itself. */
host_samples *host_begin_sampling_at_events(void);

void host_count_samples(uint64_t count, uint64_t all, uint64_t own, uint64_t unseen);

/* Forget what was counted: samples of a second run of the guest, as it is, are counted from now on.
 */
void host_count_second_run(void);

/* The time of all samples in nanoseconds. */
uint64_t host_sampled_ns(void);

/* Subtract the cost of recording calls from the sampled time of a profile. */
toll_status host_finish_sampled(toll_profile *profile);

/* Profiles of parts of the run are made. So if sampling begins later, what reading the clock has
 * cost so far stays in the time: the parts that contain it are written already. */
void host_keep_readings(void);

/* The samples, what they represent, and the profiler's own cost, as five notes count it. */
typedef struct host_costs {
    uint64_t samples, sampled, overhead, unseen, clock;
} host_costs;

/* The counts so far, without the cost of calls, which a profile has its own part of. */
host_costs host_costs_so_far(void);

/* Add these notes to the profile that was finished last. They count the cost since `before`. */
toll_status host_note_costs(toll_profile *profile, const host_costs *before);

/* The counts of these notes in a profile. */
host_costs host_noted_costs(const toll_profile *profile);

#endif

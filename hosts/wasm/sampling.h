/* sampling.h - time that is not read at each event: the engine's own sampler finds whole call
 * stacks (engine_samples.c), or the clock is read once in a window (clocked_time.h).
 *
 * Owns the samples, and the time that they do not count. host_begin_sampling() is in
 * toll/embedder.h. */
#ifndef TOLL_HOSTS_WASM_SAMPLING_H
#define TOLL_HOSTS_WASM_SAMPLING_H

#include <stdbool.h>
#include <toll/toll.h>

/* How many samples there were, and what passed in nanoseconds: all of it, and what of that is not
 * in the time: the profiler's own work, and what belongs to no function. */
typedef struct host_samples {
    uint64_t count, all_ns, busy_ns, unseen_ns;
} host_samples;

/* Time by windows begins, which counts its samples by itself: each window is one. */
host_samples *host_begin_windows(void);

void host_count_samples(uint64_t count, uint64_t all, uint64_t own, uint64_t unseen);

/* Forget what was counted: samples of a second run of the guest, as it is, are counted from now on.
 */
void host_count_second_run(void);

/* The time of all samples in nanoseconds. */
uint64_t host_sampled_ns(void);

/* Profiles of parts of the run are made. So if sampling begins later, what reading the clock has
 * cost so far stays in the time: the parts that contain it are written already. */
void host_keep_readings(void);

/* The samples, what they represent, and the profiler's own cost, as five notes count it. */
typedef struct host_costs {
    uint64_t samples, sampled, overhead, unseen, clock;
} host_costs;

/* The counts so far. */
host_costs host_costs_so_far(void);

/* Add these notes to the profile that was finished last. They count the cost since `before`. */
toll_status host_note_costs(toll_profile *profile, const host_costs *before);

/* The counts of these notes in a profile. */
host_costs host_noted_costs(const toll_profile *profile);

#endif

/* stack_depths.h - how deep the stacks of a profile are, for formats that write each in full: their
 * files grow with the sum of all depths, which deep recursion makes quadratic. */
#ifndef TOLL_PROFILE_STACK_DEPTHS_H
#define TOLL_PROFILE_STACK_DEPTHS_H

#include <toll/profile.h>

/* By depth d, from 0 (a thread's root) to `deepest`. */
typedef struct toll_stack_depths {
    const toll_profile *profile;
    uint32_t deepest;
    uint64_t *nodes;  /* how many nodes are at depth d */
    uint64_t *stacks; /* how many of them are written: they have a value that is not 0 */
} toll_stack_depths;

/* Count the depths. O(nodes * columns). Errors: TOLL_E_NOMEM. */
toll_status toll_stack_depths_count(toll_stack_depths *depths, const toll_profile *profile,
                                    toll_error *err);
void toll_stack_depths_free(toll_stack_depths *depths);

/* The number of frames that are written: the sum of the depths of all stacks. */
uint64_t toll_stack_depths_frames(const toll_stack_depths *depths);

/* The largest depth at which folding leaves at most so many frames to write. */
uint32_t toll_stack_depths_within(const toll_stack_depths *depths, uint64_t frames);

/* How many stacks are deeper than that. */
uint64_t toll_stack_depths_deeper(const toll_stack_depths *depths, uint32_t depth);

#endif

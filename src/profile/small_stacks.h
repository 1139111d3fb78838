/* small_stacks.h - removes a profile's smallest stacks, for formats that write each stack in full.
 * Their values go to their callers, as in toll_profile_prune_share. */
#ifndef TOLL_PROFILE_SMALL_STACKS_H
#define TOLL_PROFILE_SMALL_STACKS_H

#include <toll/profile.h>

typedef struct toll_small_stacks {
    uint64_t count; /* how many stacks were charged to their callers */
    uint32_t least; /* their share of every whole is below this, in units of 1/2^32 */
} toll_small_stacks;

/* Make a copy, which the caller frees, with at most `most` stacks: those of the least share that
 * achieves it, and larger ones. The outermost frames stay in any case.
 *   column  the one whose totals decide; TOLL_NONE: any
 *   small   gets the number of stacks charged to their callers
 * Cost: O(nodes * columns); 12 bytes a node beside the copy. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW.
 * */
toll_status toll_fold_small_stacks(const toll_profile *profile, uint32_t most, uint32_t column,
                                   toll_profile **out, toll_small_stacks *small, toll_error *err);

/* "6700000 stacks, each under 1/5000000 of the whole, are charged to their callers", into text. */
const char *toll_small_stacks_text(const toll_small_stacks *small, char *text, size_t size);

#endif

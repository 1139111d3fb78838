/* small_stacks.h - a profile without its smallest stacks, for formats that write each stack in
 * full. See toll_profile_prune_share for what becomes of them. */
#ifndef TOLL_PROFILE_SMALL_STACKS_H
#define TOLL_PROFILE_SMALL_STACKS_H

#include <toll/profile.h>

typedef struct toll_small_stacks {
    uint64_t count; /* how many stacks were charged to their callers */
    uint32_t least; /* they are under this share of every whole, in parts of 2^32 */
} toll_small_stacks;

/* A copy, the caller's to free, with at most `most` stacks, by the least share for which that
 * holds; the outermost frames stay in any case.
 *   column  the one whose totals decide; TOLL_NONE: any
 *   small   what was charged to callers
 * Cost: O(nodes * columns); 12 bytes a node beside the copy. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW.
 */
toll_status toll_fold_small_stacks(const toll_profile *profile, uint32_t most, uint32_t column,
                                   toll_profile **out, toll_small_stacks *small, toll_error *err);

/* "6700000 stacks, each under 1/5000000 of the whole, are charged to their callers", into text. */
const char *toll_small_stacks_text(const toll_small_stacks *small, char *text, size_t size);

#endif

/* pruned.h - what is written of a profile: stacks, frames and threads without values are not, nor
 * what is kept for another reading alone. */
#ifndef TOLL_PROFILE_PRUNED_H
#define TOLL_PROFILE_PRUNED_H

#include <stdbool.h>
#include <toll/profile.h>

/* Make *profile one in which every leaf, frame and thread has a value. *own is that copy, to be
 * freed; NULL if the profile is such a one.
 *   blocks  with the column TOLL_BLOCK_EXECUTIONS, which is no value to show: it is kept in files
 *           from which lines and instructions are found again
 * Errors: TOLL_E_NOMEM. */
toll_status toll_prune_to_write(const toll_profile **profile, bool blocks, toll_profile **own,
                                toll_error *err);

#endif

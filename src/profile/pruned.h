/* pruned.h - removes what is not written: stacks, frames and threads without values, and the data
 * that only files need. */
#ifndef TOLL_PROFILE_PRUNED_H
#define TOLL_PROFILE_PRUNED_H

#include <stdbool.h>
#include <toll/profile.h>

/* Set *profile to a profile in which every leaf, frame and thread has a value. *own is that copy,
 * which the caller frees; NULL if the given profile needs no copy.
 *   blocks  with the column TOLL_BLOCK_EXECUTIONS, which is no value to show: it is kept in files
 *           from which lines and instructions are found again
 * Errors: TOLL_E_NOMEM. */
toll_status toll_prune_to_write(const toll_profile **profile, bool blocks, toll_profile **own,
                                toll_error *err);

#endif

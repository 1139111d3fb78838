/* fold_steps.h - the steps that all foldings of a profile share: a graft into a new profile, in
 * which some nodes become part of their parents. For profile/ only. */
#ifndef TOLL_PROFILE_FOLD_STEPS_H
#define TOLL_PROFILE_FOLD_STEPS_H

#include "profile/graft.h"

/* Begin a graft of `source` into a new profile like it, which already gets the roots and notes.
 * After a failure nothing needs to be freed, and *out is NULL. */
toll_status toll_fold_begin(toll_graft *graft, const toll_profile *source, toll_profile **out,
                            toll_error *err);

/* End the graft. Returns `status`; if that is a failure, *out is freed and set to NULL. */
toll_status toll_fold_end(toll_graft *graft, toll_status status, toll_profile **out);

/* Place node `id` and add its values. */
toll_status toll_fold_keep(toll_graft *graft, uint32_t id, toll_error *err);

/* Make node `id` part of its parent: add its values to the parent's target node, except the column
 * `calls` (TOLL_NONE: there is none), since its calls are not the parent's. */
toll_status toll_fold_into_parent(toll_graft *graft, uint32_t id, uint32_t calls, toll_error *err);

#endif

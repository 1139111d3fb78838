/* fold_steps.h - what all foldings of a profile do: a graft into a new profile, where some nodes
 * become part of their parents. For profile/ only. */
#ifndef TOLL_PROFILE_FOLD_STEPS_H
#define TOLL_PROFILE_FOLD_STEPS_H

#include "profile/graft.h"

/* Begin a graft of `source` into a new profile like it, whose roots and notes are there already.
 * On failure nothing is left to be freed, and *out is NULL. */
toll_status toll_fold_begin(toll_graft *graft, const toll_profile *source, toll_profile **out,
                            toll_error *err);

/* End it. Returns `status`; if that is a failure, *out is freed and NULL. */
toll_status toll_fold_end(toll_graft *graft, toll_status status, toll_profile **out);

/* Place node `id` and add its values. */
toll_status toll_fold_keep(toll_graft *graft, uint32_t id, toll_error *err);

/* Node `id` becomes part of its parent: its values are added where that was placed, except the
 * column `calls` (TOLL_NONE: there is none), whose calls are not the parent's. */
toll_status toll_fold_into_parent(toll_graft *graft, uint32_t id, uint32_t calls, toll_error *err);

#endif

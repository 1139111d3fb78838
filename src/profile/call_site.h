/* call_site.h - decides which functions are allocators: docs/semantics.md, "Heap sites". */
#ifndef TOLL_PROFILE_CALL_SITE_H
#define TOLL_PROFILE_CALL_SITE_H

#include <toll/profile.h>

#include <stdbool.h>

/* `more`: names in addition to the known ones, with NULL at the end; may be NULL. */
bool toll_is_allocator(const char *name, const char *const *more);

/* Find the frame that is the call-site key of each node: keys[node], TOLL_NONE for a root. Errors:
 * TOLL_E_NOMEM. */
toll_status toll_call_site_keys(const toll_profile *profile, const char *const *more,
                                toll_frame_id *keys, toll_error *err);

#endif

/* call_site.h - decides which functions are allocators: docs/semantics.md, "Heap sites". */
#ifndef TOLL_PROFILE_CALL_SITE_H
#define TOLL_PROFILE_CALL_SITE_H

#include <stdbool.h>

/* `more`: names in addition to the known ones, with NULL at the end; may be NULL. */
bool toll_is_allocator(const char *name, const char *const *more);

#endif

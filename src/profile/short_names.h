/* short_names.h - a profile's names in their short form (demangle/short_name.h), by which functions
 * can still be distinguished.
 *
 * Where several names have one short form, they show the first folded part in which they differ:
 * instances of a template their arguments, overloads their parameters, and so on within these,
 * until each has a text of its own; at worst that is the whole name. The texts depend on the set of
 * names alone, not on their order. */
#ifndef TOLL_PROFILE_SHORT_NAMES_H
#define TOLL_PROFILE_SHORT_NAMES_H

#include "base/strtab.h"

#include <toll/profile.h>

typedef struct toll_short_names {
    toll_strtab names, texts; /* whole names; what they are in short */
    uint32_t *text_of;        /* by name: its text; NULL: names stay as they are */
    size_t room;              /* names that text_of has place for */
} toll_short_names;

/* Those of one profile or two (`other` may be NULL); unless `wanted` names stay as they are.
 * Errors: TOLL_E_NOMEM. */
toll_status toll_short_names_create(toll_short_names *names, bool wanted,
                                    const toll_profile *profile, const toll_profile *other,
                                    toll_error *err);
void toll_short_names_free(toll_short_names *names);

/* The short form of a name of these profiles; of others the name itself. */
const char *toll_short_name_of(const toll_short_names *names, const char *name);

#endif

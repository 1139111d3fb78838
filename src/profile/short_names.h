/* short_names.h - shortens a profile's names (demangle/short_name.h) so that they still distinguish
 * its functions.
 *
 * If several names have the same short form, they show the first folded part in which they differ:
 * instances of a template show their arguments, overloads their parameters, and so on within these,
 * until each text is unique; at worst it is the full name. The texts depend only on the set of
 * names, not on their order. */
#ifndef TOLL_PROFILE_SHORT_NAMES_H
#define TOLL_PROFILE_SHORT_NAMES_H

#include "base/strtab.h"

#include <toll/profile.h>

typedef struct toll_short_names {
    toll_strtab names, texts; /* full names; short texts */
    uint32_t *text_of;        /* by name: its text; NULL if names are not shortened */
    size_t room;              /* the capacity of text_of, in names */
} toll_short_names;

/* Make the short names of one profile or two (`other` may be NULL). Unless `wanted`, names are not
 * shortened. Errors: TOLL_E_NOMEM. */
toll_status toll_short_names_create(toll_short_names *names, bool wanted,
                                    const toll_profile *profile, const toll_profile *other,
                                    toll_error *err);
void toll_short_names_free(toll_short_names *names);

/* The short form of a name of these profiles; for any other name, the name itself. */
const char *toll_short_name_of(const toll_short_names *names, const char *name);

#endif

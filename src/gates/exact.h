/* exact.h - which values can have an exact budget: those that are the same at every run, and so all
 * but time. */
#ifndef TOLL_GATES_EXACT_H
#define TOLL_GATES_EXACT_H

#include <stdbool.h>
#include <toll/profile.h>

/* Is it a column of time? By its unit; and by its name, if the unit is NULL. */
bool toll_is_time(toll_value_type value);

/* Time has no exact budget: TOLL_E_ARGUMENT, with a message that says which values of the profile
 * have one. `where` is put in front of it. */
toll_status toll_refuse_time(const toll_profile *profile, const char *where, const char *type,
                             toll_error *err);

#endif

/* exact.h - decides which values can have an exact budget: those that are the same in every run,
 * that is all but time. */
#ifndef TOLL_GATES_EXACT_H
#define TOLL_GATES_EXACT_H

#include <stdbool.h>
#include <toll/profile.h>

/* Is it a column of time? Decided by its unit, or by its name if the unit is NULL. */
bool toll_is_time(toll_value_type value);

/* Fail because time has no exact budget: TOLL_E_ARGUMENT, with a message that names the profile's
 * values that can have one. The message begins with `where`. */
toll_status toll_refuse_time(const toll_profile *profile, const char *where, const char *type,
                             toll_error *err);

#endif

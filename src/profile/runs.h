/* runs.h - counts the runs that a profile is the sum of, by kind: by their labels and facts. See
 * toll_profile_add_run. */
#ifndef TOLL_PROFILE_RUNS_H
#define TOLL_PROFILE_RUNS_H

#include "profile/label_list.h"
#include "profile/run_kind.h"

/* Add runs of a kind, by its text. Errors: TOLL_E_SYNTAX (no kind is written so), TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW. */
toll_status toll_runs_add(toll_profile *profile, const char *text, uint64_t count, toll_error *err);

/* How many runs of a kind there are, by its text. */
uint64_t toll_runs_count(const toll_profile *profile, const char *text);

/* Say that there are also runs of which nothing is known. */
void toll_runs_add_unknown(toll_profile *profile);

/* Add the runs of another profile, as they are. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_runs_add_all(toll_profile *profile, const toll_profile *from, toll_error *err);

/* The same in two steps, of which the second one cannot fail and the first one adds nothing. */
toll_status toll_runs_prepare(toll_profile *profile, const toll_profile *from, toll_error *err);
void toll_runs_add_prepared(toll_profile *profile, const toll_profile *from);

/* Will the sum of the two be of known runs and of others? */
bool toll_runs_are_mixed(const toll_profile *a, const toll_profile *b);

/* Keep the runs that have, for each key of the list, one of the list's values for that key. */
toll_status toll_runs_keep(toll_profile *profile, const toll_label_list *list, toll_error *err);

/* Replace the runs by those that `change` makes of them; it may change labels and facts.
 * Errors: those of `change`, TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
typedef toll_status toll_run_change(const void *user, toll_run_kind *kind, bool *keep,
                                    toll_error *err);
toll_status toll_runs_change(toll_profile *profile, toll_run_change *change, const void *user,
                             toll_error *err);

#endif

/* rule_names.h - which functions, threads and roots the names in a rule mean. */
#ifndef TOLL_GATES_RULE_NAMES_H
#define TOLL_GATES_RULE_NAMES_H

#include "gates/rules.h"

#include <toll/profile.h>

/* Set frames[id] for each frame that is meant, and threads[id], unless that is NULL, for each
 * thread. Errors: TOLL_E_SYNTAX (a bad regular expression, with its place), TOLL_E_NOMEM. */
toll_status toll_names_mark(const toll_rules *rules, const toll_rule *rule, const toll_names *names,
                            const toll_profile *profile, bool *frames, bool *threads,
                            toll_error *err);

/* Does a name match a text in which * stands for any text, or none? */
bool toll_glob_matches(const char *glob, const char *name);

/* A name that somebody may have meant who wrote these names, which match nothing: the nearest one,
 * or the first that has the text in it; NULL: none. */
const char *toll_names_suggest(const toll_rules *rules, const toll_names *names,
                               const toll_profile *profile);

#endif

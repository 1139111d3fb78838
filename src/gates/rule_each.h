/* rule_each.h - makes, of a rule about each value of a label (`where test=*`), a rule for each. */
#ifndef TOLL_GATES_RULE_EACH_H
#define TOLL_GATES_RULE_EACH_H

#include "gates/rules.h"

#include <toll/profile.h>

enum { TOLL_MOST_EACH_RULES = 200000 }; /* after toll_rules_expand */

/* Let the rules without labels hold for each value of these keys, "test,host", as if they ended in
 * `where test=*,host=*`. Errors: TOLL_E_ARGUMENT (there are no keys), TOLL_E_NOMEM. */
toll_status toll_rules_hold_each(toll_rules *rules, const char *keys, toll_error *err);

/* Replace each rule about each value of labels by a rule for each list of values that a thread of
 * the profile has, in the order of their texts. Not for those that another rule for the same column
 * and function chooses, with labels and a limit in the same direction: the first one is a default.
 * If no thread has the labels, the rule stays, and matches nothing. The profile must have the
 * labels (rules->keys). Errors: TOLL_E_LIMIT, TOLL_E_NOMEM. */
toll_status toll_rules_expand(toll_rules *rules, const toll_profile *profile, toll_error *err);

#endif

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
 * the profile has, in the order of their texts. It is a default: a list of values with a rule of
 * its own, for the same column, function and root, with these labels alone, and with a limit on the
 * same side, gets no other. If no thread has the labels, the rule stays, and matches nothing. The
 * profile must have the labels (rules->keys). Errors: TOLL_E_LIMIT, TOLL_E_NOMEM. */
toll_status toll_rules_expand(toll_rules *rules, const toll_profile *profile, toll_error *err);

/* Append the labels of a rule about each value: "host=a, test=*". */
void toll_rules_put_each(const toll_rules *rules, const toll_rule *rule, toll_buffer *out);

#endif

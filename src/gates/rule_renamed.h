/* rule_renamed.h - finds by what name a function of the profile to compare with may go now: of a
 * rule that matches nothing. */
#ifndef TOLL_GATES_RULE_RENAMED_H
#define TOLL_GATES_RULE_RENAMED_H

#include "gates/rules_check.h"

/* Pairs of names by column of the profile, found when they are first asked for. */
typedef struct toll_rules_renamed {
    const toll_mem *mem;
    const toll_profile *profile;
    const toll_rules_before *before; /* NULL, or without a profile: there are no pairs */
    struct toll_renamed_names *by_column;
} toll_rules_renamed;

/* *name becomes the new name of the rule's function, if that is gone and a new one has the same
 * cost, file and kind (report/renamed.h); NULL: there is none, or the rule is not about one
 * function. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_rules_renamed_find(toll_rules_renamed *renamed, const toll_rules *rules,
                                    const toll_rule *rule, uint32_t column, const char **name,
                                    toll_error *err);
void toll_rules_renamed_free(toll_rules_renamed *renamed);

#endif

/* rules_check.h - holds a profile to a budget. */
#ifndef TOLL_GATES_RULES_CHECK_H
#define TOLL_GATES_RULES_CHECK_H

#include "gates/findings.h"
#include "gates/rule_sum.h"

typedef enum toll_rule_state {
    TOLL_RULE_HOLDS,
    TOLL_RULE_EXCEEDED,
    TOLL_RULE_UNMATCHED, /* the profile has nothing that the rule is about: it fails */
    TOLL_RULE_ABSENT     /* the same of an optional rule, which does not fail */
} toll_rule_state;

/* What came of a rule. */
typedef struct toll_rule_result {
    toll_rule_state state;
    uint32_t column; /* of the profile */
    toll_rule_sum sum;
    int64_t least, most; /* what the rule allows, tolerance included */
} toll_rule_result;

/* Find the values of all rules, and whether they hold: results[rules->count]. The profile has no
 * places (toll_profile_fold_places). Errors: TOLL_E_ARGUMENT (a value of time; bytes of what is no
 * bytes), TOLL_E_SYNTAX (a bad pattern), TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_rules_measure(const toll_rules *rules, const toll_profile *profile,
                               toll_rule_result *results, toll_error *err);

/* What to compare with, to say what grew: NULL, or a profile, and the difference that
 * toll_profile_diff made of the two; both without places. */
typedef struct toll_rules_before {
    const toll_profile *profile, *difference;
} toll_rules_before;

/* The same, and a finding for each rule that fails, in the budget's order. */
toll_status toll_rules_check(const toll_rules *rules, const toll_profile *profile,
                             const toll_rules_before *before, toll_rule_result *results,
                             toll_findings *findings, toll_error *err);

/* Print a table of them: state, value, limit, what the rule is about. */
void toll_rules_put(const toll_rules *rules, const toll_profile *profile,
                    const toll_rule_result *results, toll_output *out);

/* The same as Markdown. */
void toll_rules_markdown(const toll_rules *rules, const toll_profile *profile,
                         const toll_rule_result *results, toll_output *out);

#endif

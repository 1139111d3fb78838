/* rules_check.h - compares a profile with a budget. */
#ifndef TOLL_GATES_RULES_CHECK_H
#define TOLL_GATES_RULES_CHECK_H

#include "gates/verdicts.h"
#include "gates/rule_sum.h"

typedef enum toll_rule_state {
    TOLL_RULE_HOLDS,
    TOLL_RULE_EXCEEDED,
    TOLL_RULE_UNMATCHED, /* nothing in the profile matches the rule: it fails */
    TOLL_RULE_ABSENT, /* an optional rule that nothing matches, or one that is left out: no failure
                       */
    TOLL_RULE_SLACK   /* it allows too much more than the value (rules->tight): it fails */
} toll_rule_state;

/* The result for a rule. */
typedef struct toll_rule_result {
    toll_rule_state state;
    uint32_t column;   /* of the profile */
    toll_rule_sum sum; /* its stacks: of an exceeded rule, in the profile; or in the difference, if
                        * there is one: those that grew or shrank most */
    bool has_before;
    int64_t before;      /* the value in the profile to compare with */
    int64_t least, most; /* what the rule allows, tolerance included */
    int64_t slack;       /* how far the value is from the limit, if it holds; of ==: 0 */
} toll_rule_result;

/* Compute the values of all rules, and whether they hold: results[rules->count]. The profile must
 * have no places (toll_profile_fold_places). Errors: TOLL_E_ARGUMENT (the value is time, or the
 * limit is in bytes and the value is not), TOLL_E_SYNTAX (a bad pattern), TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW. */
toll_status toll_rules_measure(const toll_rules *rules, const toll_profile *profile,
                               toll_rule_result *results, toll_error *err);

/* The profile to compare with, to show what grew; and the difference that toll_profile_diff made of
 * the two. Both without places. May be NULL. */
typedef struct toll_rules_before {
    const toll_profile *profile, *difference;
} toll_rules_before;

/* Does a rule in that state fail? */
static inline bool toll_rule_fails(toll_rule_state state)
{
    return state != TOLL_RULE_HOLDS && state != TOLL_RULE_ABSENT;
}

/* As toll_rules_measure, and add a finding for each rule that fails, in the budget's order. */
toll_status toll_rules_check(const toll_rules *rules, const toll_profile *profile,
                             const toll_rules_before *before, toll_rule_result *results,
                             toll_findings *findings, toll_error *err);

/* The text before the operator, of *size bytes, as toll_rule_subject_text; as the budget has it, if
 * the result is that of all rules that were made from one. */
const char *toll_rule_result_subject(const toll_rules *rules, const toll_rule *rule,
                                     const toll_rule_result *result, size_t *size);

/* The word for the result's state: ok, over, under, no match, absent, slack. */
const char *toll_rule_state_text(const toll_rule_result *result);

/* Add a verdict for each rule, after toll_rules_check, called as the rule's text is before the
 * operator: the limit and the alignment of columns are not in the name. `findings` are those of the
 * rules alone. */
void toll_rules_judge(const toll_rules *rules, const toll_profile *profile,
                      const toll_rule_result *results, toll_verdicts *verdicts);

/* Print one JSON object: the exit status, and of each rule its value, limit, state and stacks;
 * `verdicts` are those of toll_rules_judge. Errors: TOLL_E_NOMEM. */
toll_status toll_rules_json(const toll_rules *rules, const toll_profile *profile,
                            const toll_rules_before *before, const toll_rule_result *results,
                            const toll_verdicts *verdicts, toll_output *out, toll_error *err);

/* Print a table of the results: state, value, limit, what the rule is about. */
void toll_rules_put(const toll_rules *rules, const toll_profile *profile,
                    const toll_rule_result *results, toll_output *out);

/* Print the same as Markdown. */
void toll_rules_markdown(const toll_rules *rules, const toll_profile *profile,
                         const toll_rule_result *results, toll_output *out);

#endif

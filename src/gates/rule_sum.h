/* rule_sum.h - what the rules of a budget are about in a profile: their values, and the stacks that
 * have most of them. */
#ifndef TOLL_GATES_RULE_SUM_H
#define TOLL_GATES_RULE_SUM_H

#include "gates/rules.h"

#include <toll/profile.h>

enum { TOLL_RULE_STACKS = 3 };

/* What is asked about a rule. */
typedef struct toll_rule_question {
    uint32_t column; /* of the profile; TOLL_NONE: nothing is asked */
    int stacks;      /* 1: also the stacks with the largest positive self values; -1: with the most
                        negative ones; 0: none */
} toll_rule_question;

typedef struct toll_rule_sum {
    bool is_matched; /* there is a stack that the rule is about */
    int64_t value;
    toll_frame_id frame; /* of the only function that matched; TOLL_NONE: none, or several */
    toll_node_id stacks[TOLL_RULE_STACKS]; /* those with the largest self values, if asked */
    uint32_t stack_count;
} toll_rule_sum;

/* Answer the questions about all rules: questions[rules->count], sums[rules->count]; of a rule that
 * nothing is asked about the value is 0. The profile has no places (toll_profile_fold_places).
 * Cost: the profile is put in order, and one walk over it serves all rules: each node is added to
 * those about a function on its stack. Patterns that match very many functions take a walk each.
 * Memory: in proportion to nodes and rules.
 * Errors: TOLL_E_SYNTAX (a bad pattern), TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_rules_sum_up(const toll_rules *rules, const toll_profile *profile,
                              const toll_rule_question *questions, toll_rule_sum *sums,
                              toll_error *err);

/* Is the column one of counts that are of the function itself, and not of what it calls: calls,
 * executions? */
bool toll_rule_counts_itself(const char *column);

#endif

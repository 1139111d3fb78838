/* rule_sum.h - computes the values of a budget's rules in a profile, and the stacks with the
 * largest share of them. */
#ifndef TOLL_GATES_RULE_SUM_H
#define TOLL_GATES_RULE_SUM_H

#include "gates/rules.h"

#include <toll/profile.h>

enum { TOLL_RULE_STACKS = 3 };

/* What to compute for a rule. */
typedef struct toll_rule_question {
    uint32_t column; /* column of the profile; TOLL_NONE: compute nothing */
    int stacks;      /* 1: also the stacks with the largest positive self values; -1: with the most
                        negative ones; 0: none */
} toll_rule_question;

typedef struct toll_rule_sum {
    bool is_matched;  /* at least one stack matches the rule */
    bool is_labelled; /* a thread has the rule's labels, or it has none */
    int64_t value;
    toll_frame_id frame; /* the only function that matched; TOLL_NONE: none, or several */
    toll_node_id stacks[TOLL_RULE_STACKS]; /* the stacks with the largest self values, if asked
                                            * for */
    uint32_t stack_count;
} toll_rule_sum;

/* Compute the answers for all rules: questions[rules->count], sums[rules->count]. Without a
 * question the value is 0. The profile must have no places (toll_profile_fold_places). Cost: the
 * profile is put in order, and one walk over it serves all rules: each node is added to the rules
 * about the functions on its stack. Patterns that match very many functions need a walk each.
 * Memory: in proportion to nodes and rules. Errors: TOLL_E_SYNTAX (a bad pattern), TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW. */
toll_status toll_rules_sum_up(const toll_rules *rules, const toll_profile *profile,
                              const toll_rule_question *questions, toll_rule_sum *sums,
                              toll_error *err);

/* Does the column count the function itself and not its callees: calls, executions? */
bool toll_rule_counts_itself(const char *column);

#endif

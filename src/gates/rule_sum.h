/* rule_sum.h - what a rule of a budget is about in a profile: its value, and the stacks that have
 * most of it. */
#ifndef TOLL_GATES_RULE_SUM_H
#define TOLL_GATES_RULE_SUM_H

#include "gates/rules.h"

#include <toll/profile.h>

enum { TOLL_RULE_STACKS = 3 };

typedef struct toll_rule_sum {
    bool is_matched; /* there is a stack that the rule is about */
    int64_t value;
    toll_frame_id frame; /* of the only function that matched; TOLL_NONE: none, or several */
    toll_node_id stacks[TOLL_RULE_STACKS]; /* those with the largest self values, if asked */
    uint32_t stack_count;
} toll_rule_sum;

/* Sum up. The profile has no places (toll_profile_fold_places).
 *   column  of the profile; TOLL_NONE: none, and the value is 0
 *   places  by node, its place in canonical order: also find the stacks; or NULL
 *   sign    1: stacks with positive self values, -1: with negative ones, the most negative first
 * Cost: one pass over the nodes. Errors: TOLL_E_SYNTAX (a bad pattern), TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW. */
toll_status toll_rule_sum_up(const toll_rules *rules, const toll_rule *rule,
                             const toll_profile *profile, uint32_t column, const uint32_t *places,
                             int sign, toll_rule_sum *out, toll_error *err);

/* Is the column one of counts that are of the function itself, and not of what it calls: calls,
 * executions? */
bool toll_rule_counts_itself(const char *column);

/* By node, its place in canonical order: an array of node_count + 1, freed by toll_mem_free.
 * Errors: TOLL_E_NOMEM. */
toll_status toll_rule_places(const toll_profile *profile, uint32_t **out, toll_error *err);

#endif

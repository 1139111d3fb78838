/* growth.h - toll diff --fail-over: finds what grew by more than is allowed. */
#ifndef TOLL_GATES_GROWTH_H
#define TOLL_GATES_GROWTH_H

#include "gates/amount.h"
#include "gates/verdicts.h"

typedef struct toll_growth_limit {
    const char *text; /* as the user wrote it, for messages */
    toll_allowance allowance;
} toll_growth_limit;

typedef struct toll_growth_options {
    const char *value; /* type of the column; NULL: the one that toll diff shows */
    const toll_growth_limit *limits;
    size_t limit_count;
    bool by_function; /* apply the limits to each function's self value, not to the total */
    int64_t runs;     /* values are those of so many runs, and limits are for each; 0: of one */
    toll_verdicts *verdicts; /* gets what is held to the limits; NULL: none */
} toll_growth_options;

/* Parse "1%", "+500" or "500". Returns NULL, or what is wrong. */
const char *toll_growth_limit_parse(const char *text, toll_growth_limit *out);

/* The strictest of the limits that a growth by `by` from `before` exceeds, and how much it allows.
 * NULL: all limits allow it. */
const toll_growth_limit *toll_growth_exceeded(const toll_growth_options *options, int64_t before,
                                              int64_t by, int64_t *allowed);

/* Add to options->verdicts that `name`, such as "ticks self parse", is held to the limits.
 * `finding` is its index; TOLL_NO_FINDING: it holds. */
void toll_growth_judge(const toll_growth_options *options, const char *name, toll_value_type value,
                       int64_t before, int64_t after, size_t finding);

/* What grew, from what to what, and by how much more than `limit`, which allows `allowed`. */
typedef struct toll_growth {
    toll_value_type value;
    int64_t before, after, by, allowed;
    const toll_growth_limit *limit;
} toll_growth;

/* Append "ticks +3, from 4 to 7: --fail-over 1% allows none" to the newest finding, and end its
 * line. */
void toll_growth_put(toll_findings *findings, const toll_growth_options *options,
                     const toll_growth *growth);

/* Append a line "  +3  f;g;h" to the newest finding: a stack of the difference; with `has_thread`
 * its thread and labels, too. */
void toll_growth_put_stack(toll_findings *findings, const toll_profile *difference,
                           toll_node_id node, int64_t by, const char *unit, bool has_thread);

/* Refuse values without an exact growth: time; a value that only one of the two profiles has, which
 * would be compared with 0; and limits in another unit. Errors: as toll_growth_check. */
toll_status toll_growth_check_value(const toll_growth_options *options, const toll_profile *before,
                                    const toll_profile *after, toll_value_type value,
                                    toll_error *err);

/* Refuse two profiles if one shows a value by default that the other one has not: another value,
 * which both have, would be held to the limit without a word. Errors: TOLL_E_NOT_FOUND. */
toll_status toll_growth_check_default(const toll_profile *before, const toll_profile *after,
                                      toll_error *err);

/* Add a finding for everything that grew by more than one of the limits allows, the largest growth
 * first, with the stacks that grew most. `difference` is the result of toll_profile_diff for the
 * two. Errors: TOLL_E_NOT_FOUND (no such value, or only one of the two has it), TOLL_E_ARGUMENT (it
 * is time, or the limit is in bytes and the value is not), TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_growth_check(const toll_profile *before, const toll_profile *after,
                              const toll_profile *difference, const toll_growth_options *options,
                              toll_findings *findings, toll_error *err);

#endif

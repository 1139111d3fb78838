/* growth.h - toll diff --fail-over: finds what grew by more than is allowed. */
#ifndef TOLL_GATES_GROWTH_H
#define TOLL_GATES_GROWTH_H

#include "gates/amount.h"
#include "gates/findings.h"

typedef struct toll_growth_limit {
    const char *text; /* as the user wrote it, for messages */
    toll_allowance allowance;
} toll_growth_limit;

typedef struct toll_growth_options {
    const char *value; /* type of the column; NULL: the one that toll diff shows */
    const toll_growth_limit *limits;
    size_t limit_count;
    bool by_function; /* apply the limits to each function's self value, not to the total */
} toll_growth_options;

/* Parse "1%", "+500" or "500". Returns NULL, or what is wrong. */
const char *toll_growth_limit_parse(const char *text, toll_growth_limit *out);

/* Add a finding for everything that grew by more than one of the limits allows, the largest growth
 * first, with the stacks that grew most. `difference` is the result of toll_profile_diff for the
 * two. Errors: TOLL_E_NOT_FOUND (no such value, or only one of the two has it), TOLL_E_ARGUMENT (it
 * is time, or the limit is in bytes and the value is not), TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_growth_check(const toll_profile *before, const toll_profile *after,
                              const toll_profile *difference, const toll_growth_options *options,
                              toll_findings *findings, toll_error *err);

#endif

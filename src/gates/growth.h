/* growth.h - toll diff --fail-over: what has grown by more than is allowed. */
#ifndef TOLL_GATES_GROWTH_H
#define TOLL_GATES_GROWTH_H

#include "gates/amount.h"
#include "gates/findings.h"

typedef struct toll_growth_limit {
    const char *text; /* as it was given, for messages */
    toll_allowance allowance;
} toll_growth_limit;

typedef struct toll_growth_options {
    const char *value; /* type of the column; NULL: the one that toll diff shows */
    const toll_growth_limit *limits;
    size_t limit_count;
    bool by_function; /* hold the self value of each function to the limits, not the total */
} toll_growth_options;

/* Parse "1%", "+500" or "500". Returns NULL, or what is wrong. */
const char *toll_growth_limit_parse(const char *text, toll_growth_limit *out);

/* Add a finding for what grew by more than one of the limits allows, the largest growth first, with
 * the stacks that grew most. `difference` is what toll_profile_diff made of the two.
 * Errors: TOLL_E_NOT_FOUND (no such value; one of the two does not have it), TOLL_E_ARGUMENT (it is
 * time; a limit of bytes for what is no bytes), TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_growth_check(const toll_profile *before, const toll_profile *after,
                              const toll_profile *difference, const toll_growth_options *options,
                              toll_findings *findings, toll_error *err);

#endif

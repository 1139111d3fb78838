/* rules_write.h - writes the values of a profile into a budget. */
#ifndef TOLL_GATES_RULES_WRITE_H
#define TOLL_GATES_RULES_WRITE_H

#include "gates/rules_check.h"

typedef struct toll_rules_changes {
    uint32_t changed, unmatched;
} toll_rules_changes;

/* The budget with the profile's values: `text` is the file as it was, byte by byte, but for the
 * numbers of rules with <=, == or >= that are not `fixed`. Those with < and > are limits that
 * people chose, and stay. `said` gets a line for each rule that changed, or could not. Errors as
 * those of toll_rules_measure. */
toll_status toll_rules_update(const toll_rules *rules, const toll_profile *profile,
                              toll_buffer *text, toll_output *said, toll_rules_changes *changes,
                              toll_error *err);

typedef struct toll_rules_start {
    const char *value;  /* type of the column whose functions are listed; NULL: the default one */
    uint32_t functions; /* how many of them */
    bool by_root;       /* also a rule for each outermost function */
} toll_rules_start;

/* A new budget: rules for the sums of all columns but time, and for the self values of the
 * costliest functions, with 0 in place of numbers: parse it and have toll_rules_update fill them
 * in. Errors: TOLL_E_NOT_FOUND (no such value), TOLL_E_ARGUMENT (it is time), TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW. */
toll_status toll_rules_start_text(const toll_profile *profile, const toll_rules_start *start,
                                  toll_buffer *text, toll_error *err);

#endif

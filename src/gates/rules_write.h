/* rules_write.h - writes the values of a profile into a budget. */
#ifndef TOLL_GATES_RULES_WRITE_H
#define TOLL_GATES_RULES_WRITE_H

#include "gates/rules_check.h"

typedef struct toll_rules_changes {
    uint32_t changed, removed;
    uint32_t unmatched, exceeded; /* rules that fail, and stay */
} toll_rules_changes;

/* Update the numbers of a budget to the profile's values. `text` becomes the file with every byte
 * unchanged except the numbers of rules with <=, == or >= that are not `fixed`. Rules with < and >
 * are limits that people chose, and do not change. The lines of dead rules, which match no function
 * any more and are neither `optional` nor `fixed`, are removed; but not if no rule about functions
 * matches any. `said` gets a line for each rule that changed, or could not be changed. With
 * `only_lower` a number changes only if the rule then allows less: a ratchet. Errors: as
 * toll_rules_measure. */
toll_status toll_rules_update(const toll_rules *rules, const toll_profile *profile, bool only_lower,
                              toll_buffer *text, toll_output *said, toll_rules_changes *changes,
                              toll_error *err);

typedef struct toll_rules_start {
    const char *value;  /* type of the column whose functions are listed; NULL: the default one */
    uint32_t functions; /* how many functions are listed */
    bool by_root;       /* also a rule for each outermost function */
} toll_rules_start;

/* The labels that a new budget has rules about, and the key of names. */
#define TOLL_RULES_START_KEYS "thread,test"

/* Write a new budget: rules for the sums of all columns but time, for each test (the label "test"),
 * and for the self values of the costliest functions. Their numbers are 0: parse the text and call
 * toll_rules_update to set them. Errors: TOLL_E_NOT_FOUND (no such value), TOLL_E_ARGUMENT (it is
 * time), TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_rules_start_text(const toll_profile *profile, const toll_rules_start *start,
                                  toll_buffer *text, toll_error *err);

#endif

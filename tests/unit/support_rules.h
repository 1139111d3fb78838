/* support_rules.h - for tests of budgets. */
#ifndef TOLL_TESTS_SUPPORT_RULES_H
#define TOLL_TESTS_SUPPORT_RULES_H

#include "gates/rules.h"

#include <string.h>

/* Read the rules of a text; messages call it "b". Free them by toll_rules_free, also after a
 * failure. */
static inline toll_status read_rules(const toll_allocator *a, const char *text, toll_rules *rules,
                                     toll_error *err)
{
    toll_input *in;
    toll_status status = toll_input_from_memory(a, text, strlen(text), "b", &in, err);
    *rules = (toll_rules){ 0 };
    if (status)
        return status;
    status = toll_rules_read(rules, in, err);
    toll_input_free(in);
    return status;
}

#endif

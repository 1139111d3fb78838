/* rule_parse.h - parses one line of a budget: a rule, a comment, or nothing. See rules.h. */
#ifndef TOLL_GATES_RULE_PARSE_H
#define TOLL_GATES_RULE_PARSE_H

#include "gates/rules.h"

/* Add the rule in the file's text[at..at + size), if there is one; `line` counts from 1. Errors: as
 * toll_rules_read. */
toll_status toll_rule_parse(toll_rules *rules, uint32_t line, size_t at, size_t size,
                            toll_error *err);

#endif

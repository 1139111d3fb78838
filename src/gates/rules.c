/* rules.c - see rules.h. Frees a budget, and begins messages with the place of a rule. */
#include "gates/rules.h"

#include "base/fail.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

toll_status toll_fail_rule(const toll_rules *r, uint32_t line, size_t column, toll_error *err,
                           toll_status status, const char *format, ...)
{
    char where[40], text[TOLL_ERROR_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(where, sizeof where, column ? ":%" PRIu32 ":%zu" : ":%" PRIu32, line, column);
    return toll_fail(err, status, "%.200s%s: %s", (const char *)r->name.data, where, text);
}

void toll_rules_free(toll_rules *r)
{
    toll_mem_free(&r->mem, r->items, r->capacity, sizeof *r->items);
    toll_buffer_free(&r->name);
    toll_buffer_free(&r->file);
    toll_buffer_free(&r->texts);
    toll_buffer_free(&r->keys);
    r->items = NULL;
    r->count = r->capacity = 0;
}

const char *toll_rule_subject_text(const toll_rules *rules, const toll_rule *rule, size_t *size)
{
    const char *made = toll_rules_text(rules, rule->made_subject);
    *size = rule->made_subject ? strlen(made) : rule->subject.size;
    return rule->made_subject ? made : (const char *)rules->file.data + rule->subject.at;
}

/* rules_table.c - prints the results of a budget's rules as a table. See rules_check.h. */
#include "gates/rules_check.h"
#include "report/markdown.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <stdio.h>

enum { SPAN_MOST = 4000 };

/* Copy a part of the budget, at most SPAN_MOST bytes, to text[SPAN_MOST + 1]. */
static const char *copy(const char *from, size_t size, char *text)
{
    snprintf(text, SPAN_MOST + 1, "%.*s", (int)(size < SPAN_MOST ? size : SPAN_MOST), from);
    return text;
}

static const char *limit_text(const toll_rules *rules, const toll_rule *rule, char *text)
{
    return copy((const char *)rules->file.data + rule->limit.at, rule->limit.size, text);
}

static const char *subject_text(const toll_rules *rules, const toll_rule *rule,
                                const toll_rule_result *result, char *text)
{
    size_t size;
    const char *subject = toll_rule_result_subject(rules, rule, result, &size);
    return copy(subject, size, text);
}

const char *toll_rule_result_subject(const toll_rules *rules, const toll_rule *rule,
                                     const toll_rule_result *result, size_t *size)
{
    toll_rule as_written = *rule;
    if (rule->cases && result->state == TOLL_RULE_UNMATCHED)
        as_written.made_subject = 0;
    return toll_rule_subject_text(rules, &as_written, size);
}

const char *toll_rule_state_text(const toll_rule_result *r)
{
    static const char *const states[] = { "ok", "over", "no match", "absent", "slack" };
    bool is_less = r->state == TOLL_RULE_EXCEEDED && r->sum.value < r->least;
    return is_less ? "under" : states[r->state];
}

static const char *value_of(const toll_profile *p, const toll_rule_result *r,
                            char text[TOLL_VALUE_TEXT_SIZE])
{
    *text = 0;
    if (r->sum.is_matched)
        toll_value_text(r->sum.value, toll_profile_column(p, r->column).unit, text);
    return text;
}

static void put_counts(const toll_rules *rules, const toll_rule_result *results, toll_output *out)
{
    uint32_t failed = 0, absent = 0;
    for (size_t i = 0; i < rules->count; i++) {
        failed += toll_rule_fails(results[i].state);
        absent += results[i].state == TOLL_RULE_ABSENT;
    }
    toll_output_printf(out, ": %zu rule%s, %" PRIu32 " failed", rules->count,
                       toll_plural(rules->count), failed);
    if (absent)
        toll_output_printf(out, ", %" PRIu32 " absent", absent);
    toll_output_printf(out, "\n");
}

void toll_rules_put(const toll_rules *rules, const toll_profile *p, const toll_rule_result *results,
                    toll_output *out)
{
    for (size_t i = 0; i < rules->count; i++) {
        char value[TOLL_VALUE_TEXT_SIZE], text[SPAN_MOST + 1];
        toll_output_printf(out, "%-8s  ", toll_rule_state_text(&results[i]));
        toll_report_put_figure(out, value_of(p, &results[i], value), 16);
        toll_output_printf(out, "  ");
        toll_output_put_printable(out, limit_text(rules, &rules->items[i], text));
        toll_output_printf(out, "  ");
        toll_output_put_printable(out, subject_text(rules, &rules->items[i], &results[i], text));
        toll_output_printf(out, "\n");
    }
    toll_output_put_printable(out, (const char *)rules->name.data);
    put_counts(rules, results, out);
}

void toll_rules_markdown(const toll_rules *rules, const toll_profile *p,
                         const toll_rule_result *results, toll_output *out)
{
    toll_output_printf(out, "### ");
    toll_markdown_put_code(out, (const char *)rules->name.data);
    put_counts(rules, results, out);
    toll_output_printf(out, "\n| | value | limit | rule |\n|:--|--:|:--|:--|\n");
    for (size_t i = 0; i < rules->count; i++) {
        char value[TOLL_VALUE_TEXT_SIZE], text[SPAN_MOST + 1];
        bool is_fine = !toll_rule_fails(results[i].state);
        toll_output_printf(out, is_fine ? "| %s | %s | " : "| **%s** | %s | ",
                           toll_rule_state_text(&results[i]), value_of(p, &results[i], value));
        toll_markdown_put_code(out, limit_text(rules, &rules->items[i], text));
        toll_output_printf(out, " | ");
        toll_markdown_put_whole(out, subject_text(rules, &rules->items[i], &results[i], text));
        toll_output_printf(out, " |\n");
    }
}

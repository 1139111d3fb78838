/* rules_check.c - see rules_check.h. */
#include "gates/rules_check.h"

#include "base/fail.h"
#include "base/nearest.h"
#include "base/text.h"
#include "gates/exact.h"
#include "gates/rule_names.h"
#include "gates/stack_text.h"
#include "profile/order.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <string.h>

/* --- what a rule allows ------------------------------------------------------------------------*/

static int64_t sum_or(int64_t a, int64_t b, int64_t otherwise)
{
    int64_t sum;
    return toll_i64_add(a, b, &sum) ? sum : otherwise;
}

static void set_range(const toll_rule *rule, toll_rule_result *out)
{
    int64_t limit = rule->amount.value, more = toll_allowance_of(&rule->tolerance, limit);
    bool has_most = rule->op <= TOLL_RULE_EQUAL, has_least = rule->op >= TOLL_RULE_EQUAL;
    out->most =
        has_most ? sum_or(limit - (rule->op == TOLL_RULE_LESS), more, INT64_MAX) : INT64_MAX;
    out->least =
        has_least ? sum_or(limit, (rule->op == TOLL_RULE_MORE) - more, INT64_MIN) : INT64_MIN;
}

static toll_status check_unit(const toll_rules *rules, const toll_rule *rule, toll_value_type v,
                              toll_error *err)
{
    if (toll_is_time(v))
        return TOLL_OK; /* refused by the caller, who has the profile */
    if (toll_amount_is_of(&rule->amount, v.unit) &&
        toll_amount_is_of(&rule->tolerance.amount, v.unit))
        return TOLL_OK;
    return toll_fail_rule(rules, rule->line, 0, err, TOLL_E_ARGUMENT,
                          "%.60s is counted in %.60s, and not in bytes or CU; write the number "
                          "alone",
                          v.type, v.unit);
}

static toll_status refuse_time(const toll_rules *rules, const toll_rule *rule,
                               const toll_profile *p, toll_error *err)
{
    toll_error why = { TOLL_OK, "" };
    toll_refuse_time(p, "", toll_rules_text(rules, rule->column), &why);
    return toll_fail_rule(rules, rule->line, 0, err, TOLL_E_ARGUMENT, "%s", why.text);
}

toll_status toll_rule_check(const toll_rules *rules, const toll_rule *rule, const toll_profile *p,
                            toll_rule_result *out, toll_error *err)
{
    const char *column = toll_rules_text(rules, rule->column);
    *out = (toll_rule_result){ .column = toll_profile_find_column(p, column),
                               .sum = { .frame = TOLL_NONE } };
    bool is_there = out->column != TOLL_NONE;
    toll_value_type v = is_there ? toll_profile_column(p, out->column)
                                 : (toll_value_type){ .type = column, .unit = NULL };
    if (toll_is_time(v))
        return refuse_time(rules, rule, p, err);
    set_range(rule, out);
    toll_status status = is_there ? check_unit(rules, rule, v, err) : TOLL_OK;
    if (!status && is_there)
        status = toll_rule_sum_up(rules, rule, p, out->column, NULL, 1, &out->sum, err);
    if (!out->sum.is_matched)
        out->state = rule->is_optional ? TOLL_RULE_ABSENT : TOLL_RULE_UNMATCHED;
    else if (out->sum.value > out->most || out->sum.value < out->least)
        out->state = TOLL_RULE_EXCEEDED;
    return status;
}

/* --- findings ----------------------------------------------------------------------------------*/

typedef struct checking {
    const toll_rules *rules;
    const toll_profile *profile;
    const toll_rules_before *before;
    toll_findings *findings;
    uint32_t *places, *difference_places; /* NULL until they are needed */
    toll_error *err;
} checking;

static void append_span(const toll_rules *rules, toll_span span, toll_buffer *out)
{
    toll_buffer_append(out, rules->file.data + span.at, span.size);
}

/* "budget.txt:3: compute units  swap: " */
static void begin_finding(const checking *c, const toll_rule *rule, const toll_rule_result *r)
{
    toll_frame f = toll_profile_frame(c->profile, r->sum.frame);
    const char *name = (const char *)c->rules->name.data;
    bool is_known = r->sum.frame != TOLL_NONE && *f.file;
    toll_findings_begin(c->findings, is_known ? f.file : name, is_known ? f.line : rule->line);
    toll_buffer_append_format(&c->findings->text, "%s:%" PRIu32 ": ", name, rule->line);
    append_span(c->rules, rule->subject, &c->findings->text);
    toll_buffer_append_text(&c->findings->text, ": ");
}

static const char *column_at(const void *profile, unsigned i)
{
    return toll_profile_column(profile, i).type;
}

static void put_columns(const checking *c, const char *wanted)
{
    toll_buffer *text = &c->findings->text;
    uint32_t count = toll_profile_column_count(c->profile);
    const char *near = toll_nearest(wanted, column_at, c->profile, count);
    toll_buffer_append_format(text, "the profile has no value '%s'; ", wanted);
    if (near)
        toll_buffer_append_format(text, "did you mean %s?", near);
    else
        toll_buffer_append_text(text, "it has ");
    for (uint32_t i = 0; !near && i < count; i++)
        toll_buffer_append_format(text, "%s%s", i ? ", " : "", column_at(c->profile, i));
}

static void put_unmatched(const checking *c, const toll_rule *rule, const toll_rule_result *r)
{
    toll_buffer *text = &c->findings->text;
    begin_finding(c, rule, r);
    if (r->column == TOLL_NONE) {
        put_columns(c, toll_rules_text(c->rules, rule->column));
    } else {
        const char *name = toll_names_suggest(c->rules, &rule->names, c->profile);
        toll_buffer_append_text(text, "no stack matches");
        if (name && strcmp(name, toll_rules_text(c->rules, rule->names.text)) != 0) {
            toll_buffer_append_text(text, "; there is a function ");
            toll_rules_put_name(text, name);
        }
        toll_buffer_append_text(text, "; correct the name, or end the rule in `optional`");
    }
    toll_findings_end_line(c->findings);
}

/* The stacks that the value is of; or those that grew, or shrank, if that is known. */
static toll_status put_stacks(checking *c, const toll_rule *rule, const toll_rule_result *r)
{
    bool is_compared = c->before && c->before->difference;
    bool is_more = r->sum.value > r->most;
    const toll_profile *p = is_compared ? c->before->difference : c->profile;
    uint32_t **places = is_compared ? &c->difference_places : &c->places;
    toll_value_type v = toll_profile_column(c->profile, r->column);
    toll_rule_sum sum;
    if (!is_compared && !is_more)
        return TOLL_OK;
    uint32_t column = toll_profile_find_value_type(p, v);
    toll_status status = *places ? TOLL_OK : toll_rule_places(p, places, c->err);
    if (!status)
        status =
            toll_rule_sum_up(c->rules, rule, p, column, *places, is_more ? 1 : -1, &sum, c->err);
    for (uint32_t i = 0; !status && i < sum.stack_count; i++) {
        char text[TOLL_SIGNED_TEXT_SIZE];
        int64_t self = toll_profile_self(p, sum.stacks[i], column);
        toll_buffer_append_format(&c->findings->text, "  %s  ",
                                  is_compared ? toll_signed_text(self, v.unit, text)
                                              : toll_value_text(self, v.unit, text));
        toll_stack_append(p, sum.stacks[i], &c->findings->text);
        toll_findings_end_line(c->findings);
    }
    return status;
}

/* ", 44,800 CU before": of a profile to compare with, if it has the column. */
static toll_status put_before(const checking *c, const toll_rule *rule, toll_value_type v)
{
    const toll_profile *p = c->before ? c->before->profile : NULL;
    uint32_t column = p ? toll_profile_find_value_type(p, v) : TOLL_NONE;
    char text[TOLL_VALUE_TEXT_SIZE];
    toll_rule_sum sum;
    if (column == TOLL_NONE)
        return TOLL_OK;
    toll_status status = toll_rule_sum_up(c->rules, rule, p, column, NULL, 1, &sum, c->err);
    if (!status)
        toll_buffer_append_format(&c->findings->text, " (%s before)",
                                  toll_value_text(sum.value, v.unit, text));
    return status;
}

static toll_status put_exceeded(checking *c, const toll_rule *rule, const toll_rule_result *r)
{
    toll_value_type v = toll_profile_column(c->profile, r->column);
    char value[TOLL_VALUE_TEXT_SIZE], by[TOLL_VALUE_TEXT_SIZE];
    bool is_more = r->sum.value > r->most;
    int64_t over = 0;
    bool fits = is_more ? toll_i64_sub(r->sum.value, r->most, &over)
                        : toll_i64_sub(r->least, r->sum.value, &over);
    begin_finding(c, rule, r);
    toll_buffer_append_text(&c->findings->text, toll_value_text(r->sum.value, v.unit, value));
    toll_status status = put_before(c, rule, v);
    toll_buffer_append_format(&c->findings->text, ", %s%s %s than ", fits ? "" : "more than ",
                              toll_value_text(fits ? over : INT64_MAX, v.unit, by),
                              is_more ? "more" : "less");
    append_span(c->rules, rule->limit, &c->findings->text);
    toll_buffer_append_text(&c->findings->text, " allows");
    toll_findings_end_line(c->findings);
    return status ? status : put_stacks(c, rule, r);
}

toll_status toll_rules_check(const toll_rules *rules, const toll_profile *p,
                             const toll_rules_before *before, toll_rule_result *results,
                             toll_findings *findings, toll_error *err)
{
    checking c = {
        .rules = rules, .profile = p, .before = before, .findings = findings, .err = err
    };
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < rules->count; i++) {
        status = toll_rule_check(rules, &rules->items[i], p, &results[i], err);
        if (!status && results[i].state == TOLL_RULE_UNMATCHED)
            put_unmatched(&c, &rules->items[i], &results[i]);
        else if (!status && results[i].state == TOLL_RULE_EXCEEDED)
            status = put_exceeded(&c, &rules->items[i], &results[i]);
    }
    toll_mem_free(toll_profile_mem(p), c.places, (size_t)toll_profile_node_count(p) + 1,
                  sizeof *c.places);
    if (before && before->difference)
        toll_mem_free(toll_profile_mem(before->difference), c.difference_places,
                      (size_t)toll_profile_node_count(before->difference) + 1,
                      sizeof *c.difference_places);
    if (!status && findings->failed)
        status = toll_fail_nomem(err);
    return status;
}

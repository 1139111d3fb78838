/* rules_check.c - finds the rules of a budget that fail, and writes why. See rules_check.h. */
#include "gates/rules_check.h"

#include "base/fail.h"
#include "base/nearest.h"
#include "base/text.h"
#include "gates/rule_each.h"
#include "gates/rule_names.h"
#include "gates/rule_renamed.h"
#include "gates/stack_text.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <string.h>

typedef struct checking {
    const toll_rules *rules;
    const toll_profile *profile;
    const toll_rules_before *before; /* NULL: there is no profile to compare with */
    toll_rule_result *results;
    toll_rule_question *questions;
    toll_rule_sum *sums; /* in another profile, or with stacks */
    toll_rules_renamed renamed;
    toll_findings *findings;
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
    size_t size;
    const char *subject = toll_rule_result_subject(c->rules, rule, r, &size);
    toll_buffer_append(&c->findings->text, subject, size);
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

/* Append what may be meant by a function that the profile has not. */
static void put_suggestion(const checking *c, const toll_rule *rule, const char *renamed)
{
    toll_buffer *text = &c->findings->text;
    const char *name = renamed ? NULL : toll_names_suggest(c->rules, &rule->names, c->profile);
    if (renamed) {
        toll_buffer_append_text(text, "; renamed? ");
        toll_rules_put_name(text, toll_rules_text(c->rules, rule->names.text));
        toll_buffer_append_text(text, " -> ");
        toll_rules_put_name(text, renamed);
    } else if (name && strcmp(name, toll_rules_text(c->rules, rule->names.text)) != 0) {
        toll_buffer_append_text(text, "; there is a function ");
        toll_rules_put_name(text, name);
    }
}

static toll_status put_unmatched(checking *c, const toll_rule *rule, const toll_rule_result *r)
{
    toll_buffer *text = &c->findings->text;
    const char *renamed = NULL;
    toll_status status = TOLL_OK;
    if (r->column != TOLL_NONE && r->sum.is_labelled)
        status = toll_rules_renamed_find(&c->renamed, c->rules, rule, r->column, &renamed, c->err);
    if (status)
        return status;
    begin_finding(c, rule, r);
    if (r->column == TOLL_NONE) {
        put_columns(c, toll_rules_text(c->rules, rule->column));
    } else if (rule->is_each) {
        toll_buffer_append_text(text, "no stack has the labels ");
        toll_rules_put_each(c->rules, rule, text);
        toll_buffer_append_text(text, ": nothing was held to this rule");
    } else if (!r->sum.is_labelled) {
        toll_buffer_append_text(text, "no stack has these labels; correct them, or end the rule in "
                                      "`optional`");
    } else {
        toll_buffer_append_text(text, "no stack matches");
        if (rule->cases > 1)
            toll_buffer_append_format(text, " in any of %" PRIu32, rule->cases);
        put_suggestion(c, rule, renamed);
        toll_buffer_append_text(text, "; correct the name, or end the rule in `optional`");
    }
    toll_findings_end_line(c->findings);
    return TOLL_OK;
}

/* The profile whose stacks a finding lists: the profile itself; or the difference, if it is known,
 * for the stacks that grew or shrank. */
static const toll_profile *stacks_of(const checking *c)
{
    return c->before && c->before->difference ? c->before->difference : c->profile;
}

static void put_stacks(const checking *c, size_t rule)
{
    const toll_profile *p = stacks_of(c);
    const toll_rule_sum *sum = &c->results[rule].sum;
    toll_value_type v = toll_profile_column(c->profile, c->results[rule].column);
    uint32_t column = toll_profile_find_value_type(p, v);
    for (uint32_t i = 0; i < sum->stack_count; i++) {
        char text[TOLL_SIGNED_TEXT_SIZE];
        int64_t self = toll_profile_self(p, sum->stacks[i], column);
        toll_buffer_append_format(&c->findings->text, "  %s  ",
                                  p != c->profile ? toll_signed_text(self, v.unit, text)
                                                  : toll_value_text(self, v.unit, text));
        toll_stack_append_titled(p, sum->stacks[i], &c->findings->text);
        toll_findings_end_line(c->findings);
    }
}

/* Append " (44,800 CU before)", if the profile to compare with has the column. */
static void put_before(const checking *c, const toll_rule_result *r, toll_value_type v)
{
    char text[TOLL_VALUE_TEXT_SIZE];
    if (r->has_before)
        toll_buffer_append_format(&c->findings->text, " (%s before)",
                                  toll_value_text(r->before, v.unit, text));
}

static void put_exceeded(const checking *c, size_t rule)
{
    const toll_rule_result *r = &c->results[rule];
    toll_value_type v = toll_profile_column(c->profile, r->column);
    char value[TOLL_VALUE_TEXT_SIZE], by[TOLL_VALUE_TEXT_SIZE];
    bool is_more = r->sum.value > r->most;
    int64_t over = 0;
    bool fits = is_more ? toll_i64_sub(r->sum.value, r->most, &over)
                        : toll_i64_sub(r->least, r->sum.value, &over);
    begin_finding(c, &c->rules->items[rule], r);
    toll_buffer_append_text(&c->findings->text, toll_value_text(r->sum.value, v.unit, value));
    put_before(c, r, v);
    toll_buffer_append_format(&c->findings->text, ", %s%s %s than ", fits ? "" : "more than ",
                              toll_value_text(fits ? over : INT64_MAX, v.unit, by),
                              is_more ? "more" : "less");
    append_span(c->rules, c->rules->items[rule].limit, &c->findings->text);
    toll_buffer_append_text(&c->findings->text, " allows");
    toll_findings_end_line(c->findings);
    put_stacks(c, rule);
}

static void put_slack(const checking *c, size_t rule)
{
    const toll_rule_result *r = &c->results[rule];
    const char *unit = toll_profile_column(c->profile, r->column).unit;
    char value[TOLL_VALUE_TEXT_SIZE], slack[TOLL_VALUE_TEXT_SIZE], most[TOLL_VALUE_TEXT_SIZE];
    int64_t allowed = toll_allowance_of(c->rules->tight, r->sum.value);
    begin_finding(c, &c->rules->items[rule], r);
    toll_buffer_append_format(&c->findings->text, "%s, which ",
                              toll_value_text(r->sum.value, unit, value));
    append_span(c->rules, c->rules->items[rule].limit, &c->findings->text);
    toll_buffer_append_format(
        &c->findings->text,
        " allows with %s to spare: --tight allows %s; bring the limit nearer, or end "
        "the rule in `fixed`",
        toll_value_text(r->slack, unit, slack),
        allowed ? toll_value_text(allowed, unit, most) : "none");
    toll_findings_end_line(c->findings);
}

/* Find the stacks of the exceeded rules. If a value is too small, only stacks that shrank can be
 * listed. */
static toll_status find_stacks(const checking *c)
{
    const toll_profile *p = stacks_of(c);
    bool is_any = false;
    for (size_t i = 0; i < c->rules->count; i++) {
        const toll_rule_result *r = &c->results[i];
        bool is_over = r->sum.value > r->most;
        bool is_asked = r->state == TOLL_RULE_EXCEEDED && (is_over || p != c->profile);
        c->questions[i] = (toll_rule_question){
            .column = is_asked ? toll_profile_find_value_type(
                                     p, toll_profile_column(c->profile, r->column))
                               : TOLL_NONE,
            .stacks = is_over ? 1 : -1,
        };
        is_any |= is_asked;
    }
    toll_status status =
        is_any ? toll_rules_sum_up(c->rules, p, c->questions, c->sums, c->err) : TOLL_OK;
    for (size_t i = 0; !status && is_any && i < c->rules->count; i++) {
        toll_rule_sum *sum = &c->results[i].sum;
        memcpy(sum->stacks, c->sums[i].stacks, sizeof sum->stacks);
        sum->stack_count = c->sums[i].stack_count;
    }
    return status;
}

/* Find the values of all rules in the profile to compare with. */
static toll_status find_before(const checking *c)
{
    const toll_profile *p = c->before ? c->before->profile : NULL;
    for (size_t i = 0; p && i < c->rules->count; i++) {
        toll_rule_result *r = &c->results[i];
        uint32_t column =
            r->column == TOLL_NONE
                ? TOLL_NONE
                : toll_profile_find_value_type(p, toll_profile_column(c->profile, r->column));
        r->has_before = column != TOLL_NONE;
        c->questions[i] = (toll_rule_question){ .column = column };
    }
    toll_status status =
        p ? toll_rules_sum_up(c->rules, p, c->questions, c->sums, c->err) : TOLL_OK;
    for (size_t i = 0; !status && p && i < c->rules->count; i++) {
        toll_rule_result *r = &c->results[i];
        r->before = c->sums[i].value;
        r->has_before &= c->sums[i].is_matched || r->sum.is_matched;
    }
    return status;
}

static toll_status find_all(checking *c)
{
    toll_status status = find_stacks(c);
    if (!status)
        status = find_before(c);
    for (size_t i = 0; !status && i < c->rules->count; i++) {
        if (c->results[i].state == TOLL_RULE_UNMATCHED)
            status = put_unmatched(c, &c->rules->items[i], &c->results[i]);
        else if (c->results[i].state == TOLL_RULE_EXCEEDED)
            put_exceeded(c, i);
        else if (c->results[i].state == TOLL_RULE_SLACK)
            put_slack(c, i);
    }
    return !status && c->findings->failed ? toll_fail_nomem(c->err) : status;
}

toll_status toll_rules_check(const toll_rules *rules, const toll_profile *p,
                             const toll_rules_before *before, toll_rule_result *results,
                             toll_findings *findings, toll_error *err)
{
    const toll_mem *mem = toll_profile_mem(p);
    size_t room = rules->count + 1;
    checking c = { .rules = rules,
                   .profile = p,
                   .before = before,
                   .results = results,
                   .renamed = { mem, p, before, NULL },
                   .findings = findings,
                   .err = err };
    toll_status status = toll_rules_measure(rules, p, results, err);
    c.questions = toll_mem_new(mem, room, sizeof *c.questions);
    c.sums = toll_mem_new(mem, room, sizeof *c.sums);
    if (!status && !(c.questions && c.sums))
        status = toll_fail_nomem(err);
    if (!status)
        status = find_all(&c);
    toll_rules_renamed_free(&c.renamed);
    toll_mem_free(mem, c.questions, room, sizeof *c.questions);
    toll_mem_free(mem, c.sums, room, sizeof *c.sums);
    return status;
}

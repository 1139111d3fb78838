/* rules_measure.c - computes the values of a budget's rules, and whether they hold. See
 * rules_check.h. */
#include "gates/rules_check.h"

#include "base/fail.h"
#include "base/text.h"
#include "gates/exact.h"
#include "profile/order.h"

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
        return TOLL_OK; /* the caller, who has the profile, refuses it */
    if (toll_amount_is_of(&rule->amount, v.unit) &&
        toll_amount_is_of(&rule->tolerance.amount, v.unit))
        return TOLL_OK;
    return toll_fail_rule(rules, rule->line, 0, err, TOLL_E_ARGUMENT,
                          "%.60s has the unit %.60s, and not bytes or CU; write the number "
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

/* Find what the rule allows, and its column. */
static toll_status prepare(const toll_rules *rules, const toll_rule *rule, const toll_profile *p,
                           toll_rule_result *out, toll_error *err)
{
    const char *column = toll_rules_text(rules, rule->column);
    *out = (toll_rule_result){ .column = toll_profile_find_column(p, column) };
    bool is_there = out->column != TOLL_NONE;
    toll_value_type v = is_there ? toll_profile_column(p, out->column)
                                 : (toll_value_type){ .type = column, .unit = NULL };
    if (toll_is_time(v))
        return refuse_time(rules, rule, p, err);
    set_range(rule, out);
    return is_there ? check_unit(rules, rule, v, err) : TOLL_OK;
}

/* How far a value that holds is from the limit, without its tolerance. */
static int64_t slack_of(const toll_rule *rule, const toll_rule_result *r)
{
    int64_t slack = 0, limit = rule->amount.value, value = r->sum.value;
    bool is_least = rule->op > TOLL_RULE_EQUAL;
    if (rule->op == TOLL_RULE_EQUAL)
        return 0;
    if (!(is_least ? toll_i64_sub(value, limit, &slack) : toll_i64_sub(limit, value, &slack)))
        return INT64_MAX;
    slack -= rule->op == TOLL_RULE_LESS || rule->op == TOLL_RULE_MORE;
    return slack > 0 ? slack : 0;
}

/* A column that is missing is never optional: its rules would hold whatever the program costs. */
static toll_rule_state state_of(const toll_rules *rules, const toll_rule *rule, toll_rule_result *r)
{
    if (rules->is_partial && !(rule->has_where && r->sum.is_labelled))
        return TOLL_RULE_ABSENT;
    if (!r->sum.is_matched)
        return rule->is_optional && r->column != TOLL_NONE ? TOLL_RULE_ABSENT : TOLL_RULE_UNMATCHED;
    if (r->sum.value > r->most || r->sum.value < r->least)
        return TOLL_RULE_EXCEEDED;
    r->slack = slack_of(rule, r);
    bool is_tight = !rules->tight || rule->is_fixed ||
                    r->slack <= toll_allowance_of(rules->tight, r->sum.value);
    return is_tight ? TOLL_RULE_HOLDS : TOLL_RULE_SLACK;
}

/* Of the rules that were made from one, one must match something, since its name may be wrong; and
 * the first one says for all that their column is missing. */
static void check_cases(const toll_rules *rules, toll_rule_result *results)
{
    for (size_t i = 0; i < rules->count; i++) {
        const toll_rule *first = &rules->items[i];
        uint32_t absent = 0;
        while (absent < first->cases && results[i + absent].state == TOLL_RULE_ABSENT)
            absent++;
        if (first->must_match && absent == first->cases && !rules->is_partial)
            results[i].state = TOLL_RULE_UNMATCHED;
        for (uint32_t k = 1; results[i].column == TOLL_NONE && k < first->cases; k++)
            results[i + k].state = TOLL_RULE_ABSENT;
    }
}

toll_status toll_rules_measure(const toll_rules *rules, const toll_profile *p,
                               toll_rule_result *results, toll_error *err)
{
    const toll_mem *mem = toll_profile_mem(p);
    size_t count = rules->count, room = count + 1;
    toll_rule_question *questions = toll_mem_new(mem, room, sizeof *questions);
    toll_rule_sum *sums = toll_mem_new(mem, room, sizeof *sums);
    toll_status status = questions && sums ? TOLL_OK : toll_fail_nomem(err);
    for (size_t i = 0; !status && i < count; i++) {
        status = prepare(rules, &rules->items[i], p, &results[i], err);
        questions[i] = (toll_rule_question){ .column = results[i].column };
    }
    if (!status)
        status = toll_rules_sum_up(rules, p, questions, sums, err);
    for (size_t i = 0; !status && i < count; i++) {
        results[i].sum = sums[i];
        results[i].state = state_of(rules, &rules->items[i], &results[i]);
    }
    if (!status)
        check_cases(rules, results);
    toll_mem_free(mem, questions, room, sizeof *questions);
    toll_mem_free(mem, sums, room, sizeof *sums);
    return status;
}

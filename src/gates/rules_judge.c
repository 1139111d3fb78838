/* rules_judge.c - makes verdicts of the results of a budget's rules, and prints both as JSON. See
 * rules_check.h. */
#include "gates/rules_check.h"

#include "base/fail.h"
#include "base/json_write.h"
#include "profile/order.h"
#include "report/report_text.h"

#include <inttypes.h>

enum { MOST_FRAMES = 64 };

/* --- verdicts ----------------------------------------------------------------------------------*/

/* Append what the rule is about, with one blank for each run of blanks outside of quotes: the name
 * stays the same if the columns of the budget are aligned anew. */
static void append_name(const toll_rules *rules, const toll_rule *rule,
                        const toll_rule_result *result, toll_buffer *name)
{
    size_t size;
    const char *text = toll_rule_result_subject(rules, rule, result, &size);
    bool is_quoted = false, was_blank = false;
    for (size_t i = 0; i < size; i++) {
        bool is_blank = !is_quoted && (text[i] == ' ' || text[i] == '\t');
        if (is_quoted && text[i] == '\\' && i + 1 < size)
            toll_buffer_append_byte(name, (uint8_t)text[i++]);
        else if (text[i] == '"')
            is_quoted = !is_quoted;
        if (!is_blank || !was_blank)
            toll_buffer_append_byte(name, is_blank ? ' ' : (uint8_t)text[i]);
        was_blank = is_blank;
    }
}

static toll_verdict verdict_of(const toll_rules *rules, const toll_profile *p, size_t rule,
                               const toll_rule_result *r, size_t finding)
{
    bool has_column = r->column != TOLL_NONE, is_absent = r->state == TOLL_RULE_ABSENT;
    toll_value_type missing = { toll_rules_text(rules, rules->items[rule].column), "" };
    return (toll_verdict){
        .state = toll_rule_fails(r->state) ? TOLL_VERDICT_FAILS
                 : is_absent               ? TOLL_VERDICT_SKIPPED
                                           : TOLL_VERDICT_HOLDS,
        .finding = finding,
        .line = rules->items[rule].line,
        .type = has_column ? toll_profile_column(p, r->column) : missing,
        .has_value = r->sum.is_matched && !is_absent,
        .has_before = r->has_before,
        .value = r->sum.value,
        .before = r->before,
        .least = r->least,
        .most = r->most,
    };
}

void toll_rules_judge(const toll_rules *rules, const toll_profile *p,
                      const toll_rule_result *results, toll_verdicts *verdicts)
{
    size_t findings = 0; /* each rule that fails has one, in the budget's order */
    toll_buffer name;
    toll_buffer_init(&name, &rules->mem);
    for (size_t i = 0; i < rules->count; i++) {
        bool fails = toll_rule_fails(results[i].state);
        toll_verdict v = verdict_of(rules, p, i, &results[i], fails ? findings++ : TOLL_NO_FINDING);
        toll_buffer_clear(&name);
        append_name(rules, &rules->items[i], &results[i], &name);
        const char *text = toll_buffer_cstr(&name);
        verdicts->failed |= !text;
        if (text)
            toll_verdicts_add(verdicts, text, &v);
    }
    toll_buffer_free(&name);
}

/* --- JSON --------------------------------------------------------------------------------------*/

typedef struct writer {
    const toll_rules *rules;
    const toll_profile *profile, *stacks; /* `stacks`: the profile, or the difference */
    const toll_verdicts *verdicts;
    toll_output *out;
} writer;

static void put_text(const writer *w, const char *member, const char *text)
{
    toll_output_printf(w->out, ",\"%s\":", member);
    toll_json_put_string(w->out, text);
}

static void put_i64(const writer *w, const char *member, int64_t value, bool is_known)
{
    if (is_known)
        toll_output_printf(w->out, ",\"%s\":%" PRId64, member, value);
}

static void put_stack(const writer *w, toll_node_id node, toll_value_type v)
{
    const toll_profile *p = w->stacks;
    toll_frame_id frames[MOST_FRAMES];
    uint32_t count = 0, left = 0;
    int64_t self = toll_profile_self(p, node, toll_profile_find_value_type(p, v));
    for (; toll_profile_parent(p, node) != TOLL_NONE; node = toll_profile_parent(p, node)) {
        if (count < MOST_FRAMES)
            frames[count++] = toll_profile_node_frame(p, node);
        else
            left++;
    }
    toll_json_put_text(w->out, "{");
    toll_report_put_json_stack(w->out, p, toll_profile_thread_of(p, node), frames, count, left);
    toll_output_printf(w->out, ",\"%s\":%" PRId64 "}", p == w->profile ? "value" : "change", self);
}

static void put_why(const writer *w, const toll_rule_result *r, const toll_verdict *v)
{
    const toll_findings *f = w->verdicts->findings;
    const toll_finding *finding = &f->items[v->finding];
    put_text(w, "message", toll_finding_line(f, finding, 0));
    if (r->sum.frame != TOLL_NONE) {
        toll_json_put_text(w->out, ",\"at\":{");
        toll_report_put_json_frame(w->out, toll_profile_frame(w->profile, r->sum.frame));
        toll_json_put_text(w->out, "}");
    }
    toll_json_put_text(w->out, ",\"stacks\":[");
    for (uint32_t i = 0; i < r->sum.stack_count; i++) {
        toll_json_put_text(w->out, i ? ",\n  " : "\n  ");
        put_stack(w, r->sum.stacks[i], v->type);
    }
    toll_json_put_text(w->out, "]");
}

static void put_figures(const writer *w, size_t rule, const toll_rule_result *r, const char *limit)
{
    const toll_verdict *v = &w->verdicts->items[rule];
    toll_output_printf(w->out, "{\"line\":%" PRIu32, v->line);
    put_text(w, "rule", v->name);
    put_text(w, "state", toll_rule_state_text(r));
    put_text(w, "type", v->type.type);
    put_text(w, "unit", v->type.unit);
    put_i64(w, "value", v->value, v->has_value);
    put_i64(w, "before", v->before, v->has_before);
    put_text(w, "limit", limit);
    put_i64(w, "least", v->least, v->least != INT64_MIN);
    put_i64(w, "most", v->most, v->most != INT64_MAX);
    if (v->finding != TOLL_NO_FINDING)
        put_why(w, r, v);
    toll_json_put_text(w->out, "}");
}

/* `text` is room. */
static toll_status put_rules(const writer *w, const toll_rule_result *results, toll_buffer *text,
                             toll_error *err)
{
    for (size_t i = 0; i < w->rules->count; i++) {
        toll_span limit = w->rules->items[i].limit;
        toll_buffer_clear(text);
        toll_buffer_append(text, w->rules->file.data + limit.at, limit.size);
        const char *whole = toll_buffer_cstr(text);
        if (!whole)
            return toll_fail_nomem(err);
        toll_json_put_text(w->out, i ? ",\n" : "\n");
        put_figures(w, i, &results[i], whole);
    }
    return TOLL_OK;
}

toll_status toll_rules_json(const toll_rules *rules, const toll_profile *p,
                            const toll_rules_before *before, const toll_rule_result *results,
                            const toll_verdicts *verdicts, toll_output *out, toll_error *err)
{
    bool has_difference = before && before->difference;
    size_t failed = toll_verdicts_count(verdicts, TOLL_VERDICT_FAILS);
    writer w = { rules, p, has_difference ? before->difference : p, verdicts, out };
    toll_buffer text;
    toll_json_put_text(out, "{\"budget\":");
    toll_json_put_string(out, verdicts->suite);
    toll_output_printf(out, ",\"exit_status\":%d,\"failed\":%zu,\"absent\":%zu,\n\"rules\":[",
                       failed ? 3 : 0, failed, toll_verdicts_count(verdicts, TOLL_VERDICT_SKIPPED));
    toll_buffer_init(&text, &rules->mem);
    toll_status status = put_rules(&w, results, &text, err);
    toll_buffer_free(&text);
    toll_json_put_text(out, "]}\n");
    return status;
}

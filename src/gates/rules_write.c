/* rules_write.c - see rules_write.h. */
#include "gates/rules_write.h"

#include "base/fail.h"
#include "base/text.h"
#include "gates/exact.h"
#include "gates/rule_names.h"
#include "profile/shown.h"
#include "report/functions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- updating ----------------------------------------------------------------------------------*/

/* Format the number as the rule had it: with the unit of bytes or compute units, if there was
 * one. */
static const char *number_text(const toll_rule *rule, int64_t value,
                               char text[TOLL_VALUE_TEXT_SIZE])
{
    static const char *const units[] = { "count", "bytes", "CU" };
    return toll_value_text(value, units[rule->amount.kind], text);
}

static void say_rule(const toll_rules *rules, const toll_rule *rule, toll_output *said)
{
    toll_output_put_printable(said, (const char *)rules->name.data);
    toll_output_printf(said, ":%" PRIu32 ": ", rule->line);
    size_t size;
    const char *subject = toll_rule_subject_text(rules, rule, &size);
    for (size_t i = 0; i < size; i += 200) { /* in pieces, since a line may be long */
        char piece[201];
        snprintf(piece, sizeof piece, "%.*s", (int)(size - i < 200 ? size - i : 200), subject + i);
        toll_output_put_printable(said, piece);
    }
    toll_output_printf(said, ": ");
}

/* Does --update change the rule's number? */
static bool is_measured(const toll_rule *rule)
{
    return !rule->is_fixed && rule->op != TOLL_RULE_LESS && rule->op != TOLL_RULE_MORE;
}

/* Would the rule allow less with the value as its number? */
static bool is_stricter(const toll_rule *rule, int64_t value)
{
    return rule->op == TOLL_RULE_AT_LEAST ? value > rule->amount.value : value < rule->amount.value;
}

static void say_change(const toll_rules *rules, const toll_rule *rule, const toll_rule_result *r,
                       toll_output *said)
{
    char was[TOLL_VALUE_TEXT_SIZE], is[TOLL_VALUE_TEXT_SIZE], by[TOLL_SIGNED_TEXT_SIZE];
    int64_t change;
    say_rule(rules, rule, said);
    toll_output_printf(said, "%s, was %s", number_text(rule, r->sum.value, is),
                       number_text(rule, rule->amount.value, was));
    if (toll_i64_sub(r->sum.value, rule->amount.value, &change))
        toll_output_printf(said, " (%s)", toll_signed_text(change, "count", by));
    toll_output_printf(said, "\n");
}

/* Report a rule that fails and is not changed. */
static void say_left(const toll_rules *rules, const toll_rule *rule, const toll_rule_result *r,
                     toll_output *said)
{
    char value[TOLL_VALUE_TEXT_SIZE];
    say_rule(rules, rule, said);
    if (r->state == TOLL_RULE_UNMATCHED)
        toll_output_printf(said, r->column == TOLL_NONE
                                     ? "the profile has no such value; left as it "
                                       "is\n"
                                     : "no stack matches; left as it is\n");
    else
        toll_output_printf(said, "%s fails, and the limit is left as it is\n",
                           number_text(rule, r->sum.value, value));
}

/* Is the rule about a function that the profile has not any more? Labels may be those of another
 * part of a suite. */
static bool is_dead(const toll_rule *rule, const toll_rule_result *r)
{
    return r->state == TOLL_RULE_UNMATCHED && r->column != TOLL_NONE && r->sum.is_labelled &&
           !rule->is_fixed;
}

/* The lines of the file from the one of a rule to the next one. */
static toll_span line_of(const toll_rules *rules, const toll_rule *rule)
{
    const uint8_t *text = rules->file.data;
    size_t at = rule->subject.at, end = rule->number.at;
    while (at > 0 && text[at - 1] != '\n')
        at--;
    while (end < rules->file.size && text[end] != '\n')
        end++;
    return (toll_span){ at, end + (end < rules->file.size) - at };
}

static void say_removed(const toll_rules *rules, const toll_rule *rule, const toll_profile *p,
                        toll_output *said)
{
    const char *near = toll_names_suggest(rules, &rule->names, p);
    say_rule(rules, rule, said);
    toll_output_printf(said, "no stack matches; removed");
    if (near) {
        toll_output_printf(said, "; there is a function ");
        toll_output_put_printable(said, near);
    }
    toll_output_printf(said, "\n");
}

/* Does a rule about functions match? If none does, the profile is of another program. */
static bool has_live_rule(const toll_rules *rules, const toll_rule_result *results)
{
    for (size_t i = 0; i < rules->count; i++)
        if (results[i].sum.is_matched && rules->items[i].names.kind != TOLL_NAMES_ALL)
            return true;
    return false;
}

static void update_all(const toll_rules *rules, const toll_rule_result *results,
                       const toll_profile *p, bool only_lower, toll_buffer *text, toll_output *said,
                       toll_rules_changes *changes)
{
    size_t done = 0;
    bool removes = !only_lower && has_live_rule(rules, results);
    for (size_t i = 0; i < rules->count; i++) {
        const toll_rule *rule = &rules->items[i];
        const toll_rule_result *r = &results[i];
        char number[TOLL_VALUE_TEXT_SIZE];
        bool is_new = r->state != TOLL_RULE_ABSENT && r->sum.is_matched && is_measured(rule) &&
                      r->sum.value >= 0 && r->sum.value != rule->amount.value;
        if (is_new && (!only_lower || is_stricter(rule, r->sum.value))) {
            toll_buffer_append(text, rules->file.data + done, rule->number.at - done);
            toll_buffer_append_text(text, number_text(rule, r->sum.value, number));
            done = rule->number.at + rule->number.size;
            changes->changed++;
            say_change(rules, rule, r, said);
        } else if (removes && is_dead(rule, r)) {
            toll_span line = line_of(rules, rule);
            toll_buffer_append(text, rules->file.data + done, line.at - done);
            done = line.at + line.size;
            changes->removed++;
            say_removed(rules, rule, p, said);
        } else if (r->state == TOLL_RULE_UNMATCHED || r->state == TOLL_RULE_EXCEEDED) {
            changes->unmatched += r->state == TOLL_RULE_UNMATCHED;
            changes->exceeded += r->state == TOLL_RULE_EXCEEDED;
            say_left(rules, rule, r, said);
        }
    }
    if (done < rules->file.size)
        toll_buffer_append(text, rules->file.data + done, rules->file.size - done);
}

toll_status toll_rules_update(const toll_rules *rules, const toll_profile *p, bool only_lower,
                              toll_buffer *text, toll_output *said, toll_rules_changes *changes,
                              toll_error *err)
{
    const toll_mem *mem = toll_profile_mem(p);
    size_t room = rules->count + 1;
    toll_rule_result *results = toll_mem_new(mem, room, sizeof *results);
    *changes = (toll_rules_changes){ 0 };
    if (!results)
        return toll_fail_nomem(err);
    toll_status status = toll_rules_measure(rules, p, results, err);
    if (!status)
        update_all(rules, results, p, only_lower, text, said, changes);
    toll_mem_free(mem, results, room, sizeof *results);
    return !status && text->failed ? toll_fail_nomem(err) : status;
}

/* --- a new one ---------------------------------------------------------------------------------*/

enum { NAME_WIDTH = 14, MOST_ROWS = 1000 };

/* What a rule of a new budget is about: NULL, or one of these. */
typedef struct start_subject {
    const char *self, *root, *test; /* the self value of a function; all in a root; all of a test */
} start_subject;

static void put_start_rule(toll_buffer *text, const char *column, start_subject subject)
{
    toll_buffer_append_byte(text, '\n');
    size_t at = text->size;
    toll_rules_put_name(text, column);
    while (text->size < at + NAME_WIDTH && toll_buffer_append_byte(text, ' '))
        ;
    toll_buffer_append_text(text, subject.self ? "  self " : "  *");
    if (subject.self)
        toll_rules_put_name(text, subject.self);
    if (subject.root) {
        toll_buffer_append_text(text, "  in ");
        toll_rules_put_name(text, subject.root);
    }
    if (subject.test) {
        toll_buffer_append_text(text, "  where ");
        toll_rules_put_label(text, "test", subject.test);
    }
    toll_buffer_append_text(text, "  <= 0");
}

static bool has_values(const toll_profile *p, uint32_t column)
{
    for (toll_node_id n = 0; n < toll_profile_node_count(p); n++)
        if (toll_profile_self(p, n, column))
            return true;
    return false;
}

static void put_sums(const toll_profile *p, toll_buffer *text)
{
    for (uint32_t c = 0; c < toll_profile_column_count(p); c++) {
        toll_value_type v = toll_profile_column(p, c);
        if (!toll_is_time(v) && has_values(p, c) && toll_profile_find_column(p, v.type) == c)
            put_start_rule(text, v.type, (start_subject){ 0 });
    }
}

/* Does an earlier row have the same name? A rule is about all functions of a name. */
static bool is_repeated(const toll_functions *f, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (strcmp(toll_function_frame(f, &f->rows[k]).name,
                   toll_function_frame(f, &f->rows[i]).name) == 0)
            return true;
    return false;
}

static void put_functions(const toll_functions *f, const char *column, uint32_t count,
                          toll_buffer *text)
{
    uint32_t put = 0;
    for (uint32_t i = 0; i < f->count && i < MOST_ROWS && put < count && f->rows[i].self > 0; i++) {
        if (f->rows[i].frame == TOLL_NONE || is_repeated(f, i))
            continue;
        put_start_rule(text, column,
                       (start_subject){ .self = toll_function_frame(f, &f->rows[i]).name });
        put++;
    }
}

/* Write a rule for each outermost function, in canonical order, once for each name. */
static toll_status put_roots(const toll_profile *p, const char *column, toll_buffer *text,
                             toll_error *err)
{
    toll_order order;
    const char *last = "";
    size_t room = (size_t)toll_profile_frame_count(p) + 1;
    toll_status status = toll_order_create(&order, p, err);
    if (status)
        return status;
    bool *is_root = toll_mem_new(toll_profile_mem(p), room, sizeof *is_root);
    for (uint32_t t = 0; is_root && t < order.thread_count; t++)
        for (toll_node_id n = order.first_child[toll_profile_root(p, t)]; n != TOLL_NONE;
             n = order.next_sibling[n])
            is_root[toll_profile_node_frame(p, n)] = true;
    for (uint32_t i = 0; is_root && i < order.frame_count; i++) { /* in the order of names */
        const char *name = toll_profile_frame(p, order.frames[i]).name;
        if (!is_root[order.frames[i]] || strcmp(last, name) == 0)
            continue;
        put_start_rule(text, column, (start_subject){ .root = name });
        last = name;
    }
    if (!is_root)
        status = toll_fail_nomem(err);
    toll_mem_free(toll_profile_mem(p), is_root, room, sizeof *is_root);
    toll_order_free(&order);
    return status;
}

/* Write a rule for each test, in the order of their names. */
static toll_status put_tests(const toll_profile *p, const char *column, toll_buffer *text,
                             toll_error *err)
{
    toll_profile *tests = NULL;
    toll_order order = { 0 };
    toll_status status = toll_profile_group_by(p, "test", &tests, err);
    if (!status)
        status = toll_order_create(&order, tests, err);
    for (uint32_t i = 0; !status && i < order.thread_count && i < MOST_ROWS; i++) {
        toll_thread_label label = toll_profile_thread_label(tests, order.threads[i], 0);
        if (*label.value)
            put_start_rule(text, column, (start_subject){ .test = label.value });
    }
    if (!status)
        toll_order_free(&order);
    toll_profile_free(tests);
    return status;
}

/* Choose the column whose functions are listed: the one asked for; else the default one, or if that
 * is time, the first that is not, "calls" last. NULL: no column is exact. */
static toll_status choose_column(const toll_profile *p, const char *asked, const char **out,
                                 toll_error *err)
{
    toll_shown shown;
    toll_status status = toll_choose_shown(p, p, NULL, asked, &shown, err);
    *out = NULL;
    if (status || shown.column == TOLL_NONE)
        return status;
    toll_value_type v = toll_profile_column(p, shown.column);
    if (!toll_is_time(v)) {
        *out = v.type;
        return TOLL_OK;
    }
    for (uint32_t c = toll_profile_column_count(p); !asked && c-- > 0;) {
        v = toll_profile_column(p, c);
        if (!toll_is_time(v) && has_values(p, c) && (!*out || strcmp(v.type, "calls") != 0))
            *out = v.type;
    }
    return *out ? TOLL_OK : toll_refuse_time(p, "", asked ? asked : v.type, err);
}

toll_status toll_rules_start_text(const toll_profile *p, const toll_rules_start *start,
                                  toll_buffer *text, toll_error *err)
{
    toll_functions f;
    toll_report_options o = { .size = sizeof o };
    toll_status status = choose_column(p, start->value, &o.value, err);
    if (!status)
        status = toll_functions_create(&f, p, &o, err);
    if (status)
        return status;
    toll_buffer_append_text(text, "# COLUMN  FUNCTION  OPERATOR NUMBER [\xc2\xb1TOLERANCE] "
                                  "[optional] [fixed]\n"
                                  "# toll check --budget holds a profile to these rules; toll "
                                  "check --write-budget updates the\n"
                                  "# numbers after <=, == and >=, but for those that are fixed.");
    put_sums(p, text);
    status = put_tests(p, o.value, text, err);
    if (!status && start->by_root)
        status = put_roots(p, o.value, text, err);
    put_functions(&f, o.value, start->functions, text);
    toll_buffer_append_byte(text, '\n');
    toll_functions_free(&f);
    return !status && text->failed ? toll_fail_nomem(err) : status;
}

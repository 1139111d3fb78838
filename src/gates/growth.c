/* growth.c - see growth.h. */
#include "gates/growth.h"

#include "base/fail.h"
#include "base/text.h"
#include "gates/exact.h"
#include "gates/stack_text.h"
#include "profile/shown.h"
#include "report/changes.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <string.h>

enum { STACKS = 3, MOST_EXPLAINED = 50 };

const char *toll_growth_limit_parse(const char *text, toll_growth_limit *out)
{
    const char *number = text + (*text == '+');
    out->text = text;
    return toll_allowance_parse(number, strlen(number), &out->allowance);
}

typedef struct growths {
    const toll_growth_options *options;
    toll_changes changes;
    toll_value_type value;
    toll_findings *findings;
} growths;

/* What a limit allows a value to grow by. */
static int64_t allowance(const toll_growth_options *options, size_t limit, int64_t before)
{
    const toll_allowance *a = &options->limits[limit].allowance;
    int64_t most = toll_allowance_of(a, before);
    if (options->runs > 1 && !a->whole)
        most = most > INT64_MAX / options->runs ? INT64_MAX : most * options->runs;
    return most;
}

const toll_growth_limit *toll_growth_exceeded(const toll_growth_options *options, int64_t before,
                                              int64_t by, int64_t *allowed)
{
    const toll_growth_limit *strictest = NULL;
    for (size_t i = 0; by > 0 && i < options->limit_count; i++) {
        int64_t most = allowance(options, i, before);
        if (by > most && (!strictest || most < *allowed)) {
            strictest = &options->limits[i];
            *allowed = most;
        }
    }
    return strictest;
}

void toll_growth_judge(const toll_growth_options *options, const char *name, toll_value_type value,
                       int64_t before, int64_t after, size_t finding)
{
    toll_verdict verdict = { .state = finding == TOLL_NO_FINDING ? TOLL_VERDICT_HOLDS
                                                                 : TOLL_VERDICT_FAILS,
                             .finding = finding,
                             .type = value,
                             .has_value = true,
                             .has_before = true,
                             .value = after,
                             .before = before,
                             .least = INT64_MIN,
                             .most = INT64_MAX };
    for (size_t i = 0; i < options->limit_count; i++) {
        int64_t most;
        if (toll_i64_add(before, allowance(options, i, before), &most) && most < verdict.most)
            verdict.most = most;
    }
    toll_verdicts_add(options->verdicts, name, &verdict);
}

static const toll_growth_limit *exceeded(const growths *g, const toll_change *c, int64_t *allowed)
{
    return toll_growth_exceeded(g->options, c->before, c->by, allowed);
}

/* --- what is said ------------------------------------------------------------------------------*/

void toll_growth_put(toll_findings *findings, const toll_growth_options *options,
                     const toll_growth *g)
{
    char change[TOLL_SIGNED_TEXT_SIZE], was[TOLL_VALUE_TEXT_SIZE], is[TOLL_VALUE_TEXT_SIZE],
        most[TOLL_VALUE_TEXT_SIZE];
    const char *unit = g->value.unit;
    toll_buffer_append_format(&findings->text, "%s %s, from %s to %s", g->value.type,
                              toll_signed_text(g->by, unit, change),
                              toll_value_text(g->before, unit, was),
                              toll_value_text(g->after, unit, is));
    if (options->runs > 1)
        toll_buffer_append_format(&findings->text, " in %" PRId64 " runs", options->runs);
    toll_buffer_append_format(&findings->text, ": --fail-over %s allows %s", g->limit->text,
                              g->allowed ? toll_value_text(g->allowed, unit, most) : "none");
    toll_findings_end_line(findings);
}

void toll_growth_put_stack(toll_findings *findings, const toll_profile *difference,
                           toll_node_id node, int64_t by, const char *unit, bool has_thread)
{
    char change[TOLL_SIGNED_TEXT_SIZE];
    toll_buffer_append_format(&findings->text, "  %s  ", toll_signed_text(by, unit, change));
    (has_thread ? toll_stack_append_titled : toll_stack_append)(difference, node, &findings->text);
    toll_findings_end_line(findings);
}

static void put_growth(const growths *g, const toll_change *c, const toll_growth_limit *limit,
                       int64_t allowed)
{
    toll_growth_put(g->findings, g->options,
                    &(toll_growth){ g->value, c->before, c->after, c->by, allowed, limit });
}

static void put_stack(const growths *g, const toll_change *stack)
{
    toll_growth_put_stack(g->findings, g->changes.difference, stack->id, stack->by, g->value.unit,
                          true);
}

/* Add the verdict of the total (with NULL), or of a function. */
static void judge(const growths *g, const toll_change *c, const char *function, size_t finding)
{
    toll_buffer name;
    toll_buffer_init(&name, &g->changes.mem);
    toll_buffer_append_text(&name, g->value.type);
    if (function)
        toll_buffer_append_format(&name, " self %s", function);
    const char *text = toll_buffer_cstr(&name);
    g->findings->failed |= !text;
    if (text)
        toll_growth_judge(g->options, text, g->value, c->before, c->after, finding);
    toll_buffer_free(&name);
}

/* Add the verdict that no function grew too much. */
static void judge_none(const growths *g)
{
    const toll_verdict none = { .state = TOLL_VERDICT_HOLDS,
                                .finding = TOLL_NO_FINDING,
                                .type = g->value,
                                .least = INT64_MIN,
                                .most = INT64_MAX };
    toll_verdicts_add(g->options->verdicts, "self *", &none);
}

/* --- the total ---------------------------------------------------------------------------------*/

/* Place the finding about the total at the function that grew most, among those whose file is
 * known. */
static void begin_total(const growths *g)
{
    const toll_changes *c = &g->changes;
    for (uint32_t i = 0; i < c->function_count && c->functions[i].by > 0; i++) {
        toll_frame f = toll_change_frame(c, &c->functions[i]);
        if (*f.file) {
            toll_findings_begin(g->findings, f.file, f.line);
            return;
        }
    }
    toll_findings_begin(g->findings, "", 0);
}

static void check_total(const growths *g)
{
    const toll_changes *c = &g->changes;
    int64_t allowed = 0;
    const toll_growth_limit *limit = exceeded(g, &c->all, &allowed);
    judge(g, &c->all, NULL, limit ? g->findings->count : TOLL_NO_FINDING);
    if (!limit)
        return;
    begin_total(g);
    put_growth(g, &c->all, limit, allowed);
    for (uint32_t i = 0; i < STACKS && i < c->stack_count && c->stacks[i].by > 0; i++)
        put_stack(g, &c->stacks[i]);
}

/* --- functions ---------------------------------------------------------------------------------*/

/* For each of the first functions, the stacks that grew most. */
typedef struct causes {
    uint32_t stacks[MOST_EXPLAINED][STACKS]; /* indexes in changes.stacks */
    uint32_t counts[MOST_EXPLAINED];
} causes;

/* Stacks are sorted by growth, so one pass finds the first few of each function. */
static toll_status find_causes(const growths *g, causes *found, toll_error *err)
{
    const toll_changes *c = &g->changes;
    toll_order order;
    size_t room = (size_t)toll_profile_frame_count(c->difference) + 1;
    toll_status status = toll_order_create(&order, c->difference, err);
    if (status)
        return status;
    uint32_t *places = toll_mem_new(&c->mem, room, sizeof *places); /* by function, 1 + its index */
    for (uint32_t i = 0; places && i < c->function_count && i < MOST_EXPLAINED; i++)
        if (c->functions[i].id != TOLL_NONE)
            places[c->functions[i].id] = i + 1;
    for (uint32_t i = 0; places && i < c->stack_count && c->stacks[i].by > 0; i++) {
        toll_frame_id f = toll_profile_node_frame(c->difference, c->stacks[i].id);
        uint32_t place = f == TOLL_NONE ? 0 : places[toll_order_first_frame(&order, f)];
        if (place && found->counts[place - 1] < STACKS)
            found->stacks[place - 1][found->counts[place - 1]++] = i;
    }
    if (!places)
        status = toll_fail_nomem(err);
    toll_mem_free(&c->mem, places, room, sizeof *places);
    toll_order_free(&order);
    return status;
}

static toll_status check_functions(const growths *g, toll_error *err)
{
    const toll_changes *c = &g->changes;
    causes found = { 0 };
    toll_status status = find_causes(g, &found, err);
    size_t first = g->findings->count;
    for (uint32_t i = 0; !status && i < c->function_count && c->functions[i].by > 0; i++) {
        int64_t allowed = 0;
        const toll_growth_limit *limit = exceeded(g, &c->functions[i], &allowed);
        if (!limit)
            continue;
        char where[TOLL_WHERE_TEXT_SIZE];
        toll_frame f = toll_change_frame(c, &c->functions[i]);
        judge(g, &c->functions[i], f.name, g->findings->count);
        toll_findings_begin(g->findings, f.file, f.line);
        toll_buffer_append_text(&g->findings->text, f.name);
        if (*toll_where_text(f, where))
            toll_buffer_append_format(&g->findings->text, " (%s)", where);
        toll_buffer_append_text(&g->findings->text, ": self ");
        put_growth(g, &c->functions[i], limit, allowed);
        for (uint32_t s = 0; i < MOST_EXPLAINED && s < found.counts[i]; s++)
            put_stack(g, &c->stacks[found.stacks[i][s]]);
    }
    if (g->findings->count == first) /* no function grew too much */
        judge_none(g);
    return status;
}

/* --- the whole ---------------------------------------------------------------------------------*/

toll_status toll_growth_check_value(const toll_growth_options *options, const toll_profile *before,
                                    const toll_profile *after, toll_value_type v, toll_error *err)
{
    bool is_before = toll_profile_find_value_type(before, v) != TOLL_NONE;
    bool is_after = toll_profile_find_value_type(after, v) != TOLL_NONE;
    if (toll_is_time(v))
        return toll_refuse_time(after, "--fail-over: ", v.type, err);
    if (!is_before || !is_after)
        return toll_fail(err, TOLL_E_NOT_FOUND,
                         "--fail-over: only %s has %.60s in %.60s; record it in both, or choose "
                         "another --value",
                         is_before ? "BEFORE" : "AFTER", v.type, v.unit);
    for (size_t i = 0; i < options->limit_count; i++)
        if (!toll_amount_is_of(&options->limits[i].allowance.amount, v.unit))
            return toll_fail(err, TOLL_E_ARGUMENT, "--fail-over %.60s: %.60s has the unit %.60s",
                             options->limits[i].text, v.type, v.unit);
    return TOLL_OK;
}

/* Does `other` have what `p` shows by default? */
static toll_status check_default_of(const toll_profile *p, const char *name,
                                    const toll_profile *other, toll_error *err)
{
    toll_shown shown;
    toll_status status = toll_choose_shown(p, p, NULL, NULL, &shown, err);
    if (status || shown.column == TOLL_NONE)
        return status;
    toll_value_type v = toll_profile_column(p, shown.column);
    if (toll_profile_find_value_type(other, v) != TOLL_NONE)
        return TOLL_OK;
    return toll_fail(err, TOLL_E_NOT_FOUND,
                     "--fail-over: only %s has %.60s in %.60s, which it shows by default; record "
                     "it in both, or choose a --value",
                     name, v.type, v.unit);
}

toll_status toll_growth_check_default(const toll_profile *before, const toll_profile *after,
                                      toll_error *err)
{
    toll_status status = check_default_of(before, "BEFORE", after, err);
    return status ? status : check_default_of(after, "AFTER", before, err);
}

toll_status toll_growth_check(const toll_profile *before, const toll_profile *after,
                              const toll_profile *difference, const toll_growth_options *o,
                              toll_findings *findings, toll_error *err)
{
    growths g = { .options = o, .findings = findings };
    const toll_report_options report = { .size = sizeof report, .value = o->value };
    toll_status status = toll_changes_create(&g.changes, before, after, difference, &report, err);
    if (status)
        return status;
    toll_value_type own = toll_profile_column(g.changes.difference, g.changes.column);
    /* The verdicts outlive the copy that the changes are of, if they are of one. */
    g.value = toll_profile_column(difference, toll_profile_find_value_type(difference, own));
    status = toll_growth_check_value(o, before, after, g.value, err);
    if (!status && o->by_function)
        status = check_functions(&g, err);
    else if (!status)
        check_total(&g);
    if (!status && findings->failed)
        status = toll_fail_nomem(err);
    toll_changes_free(&g.changes);
    return status;
}

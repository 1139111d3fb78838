/* cases_growth.c - finds the cases that grew by more than is allowed. See cases.h. */
#include "gates/cases.h"

#include "base/fail.h"
#include "profile/thread_labels.h"
#include "report/changes.h"

#include <string.h>

enum { STACKS = 3 };

/* The stacks of a case that grew most. */
typedef struct causes {
    uint32_t stacks[STACKS]; /* indexes in changes.stacks */
    uint32_t count;
} causes;

/* Stacks are sorted by growth, so one pass finds the first few of each case. `found` is by the
 * case's thread. */
static toll_status find_causes(const toll_cases *c, const toll_changes *changes, causes *found,
                               toll_error *err)
{
    const toll_profile *difference = changes->difference;
    uint32_t threads = toll_profile_thread_count(difference);
    toll_thread_id *ids = toll_mem_new(&c->mem, (size_t)threads + 1, sizeof *ids);
    toll_status status = ids ? TOLL_OK : toll_fail_nomem(err);
    for (toll_thread_id t = 0; !status && t < threads; t++) /* finds it: both profiles have it */
        status = toll_profile_add_thread_of(c->names, difference, t, &ids[t], err);
    for (uint32_t i = 0; !status && i < changes->stack_count && changes->stacks[i].by > 0; i++) {
        causes *of = &found[ids[changes->stacks[i].thread]];
        if (of->count < STACKS)
            of->stacks[of->count++] = i;
    }
    toll_mem_free(&c->mem, ids, (size_t)threads + 1, sizeof *ids);
    return status;
}

/* Append "test=checkout, root=swap". */
static void append_name(const toll_cases *c, const toll_case *item, toll_buffer *text)
{
    for (uint32_t i = 0; i < c->key_count; i++)
        toll_buffer_append_format(text, "%s%s=%s", i ? ", " : "", c->keys[i],
                                  item->names[i] ? item->names[i] : "(none)");
}

/* Add the verdict of a case: of a new one, that it is compared with nothing. */
static void judge(const toll_cases *c, const toll_case *item, const toll_growth_options *o,
                  size_t finding, toll_findings *findings)
{
    toll_buffer name;
    toll_verdict skipped = { .state = TOLL_VERDICT_SKIPPED,
                             .finding = TOLL_NO_FINDING,
                             .type = c->value,
                             .has_value = true,
                             .value = item->after,
                             .least = INT64_MIN,
                             .most = INT64_MAX };
    toll_buffer_init(&name, &c->mem);
    toll_buffer_append_format(&name, "%s ", c->value.type);
    append_name(c, item, &name);
    const char *text = toll_buffer_cstr(&name);
    findings->failed |= !text;
    if (text && item->is_new)
        toll_verdicts_add(o->verdicts, text, &skipped);
    else if (text && !item->is_gone)
        toll_growth_judge(o, text, c->value, item->before, item->after, finding);
    toll_buffer_free(&name);
}

static void put_case(const toll_cases *c, const toll_changes *changes, const toll_case *item,
                     const causes *found, const toll_growth_options *o, toll_findings *findings)
{
    int64_t allowed = 0;
    const toll_growth_limit *limit = toll_growth_exceeded(o, item->before, item->by, &allowed);
    judge(c, item, o, limit ? findings->count : TOLL_NO_FINDING, findings);
    if (!limit || item->is_new)
        return;
    toll_findings_begin(findings, "", 0);
    append_name(c, item, &findings->text);
    toll_buffer_append_text(&findings->text, ": ");
    toll_growth_put(
        findings, o,
        &(toll_growth){ c->value, item->before, item->after, item->by, allowed, limit });
    for (uint32_t i = 0; i < found->count; i++) {
        const toll_change *stack = &changes->stacks[found->stacks[i]];
        toll_growth_put_stack(findings, changes->difference, stack->id, stack->by, c->value.unit,
                              false);
    }
}

/* Has the case one of the labels that it is named by, if it is named by labels? */
static bool is_test(const toll_cases *c, const toll_case *item)
{
    bool is_labelled = false, is = false;
    for (uint32_t i = 0; i < c->key_count; i++) {
        bool is_label =
            strcmp(c->keys[i], TOLL_ROOT_KEY) != 0 && strcmp(c->keys[i], TOLL_THREAD_KEY) != 0;
        is_labelled |= is_label;
        is |= is_label && item->names[i];
    }
    return is || !is_labelled;
}

static bool has_common(const toll_cases *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (is_test(c, &c->items[i]) && !c->items[i].is_new && !c->items[i].is_gone)
            return true;
    return false;
}

static toll_status check(const toll_cases *c, const toll_changes *changes,
                         const toll_growth_options *o, toll_findings *findings, toll_error *err)
{
    causes *found = toll_mem_new(&c->mem, c->count + 1, sizeof *found);
    toll_status status = found ? find_causes(c, changes, found, err) : toll_fail_nomem(err);
    for (size_t i = 0; !status && i < c->count; i++)
        put_case(c, changes, &c->items[i], &found[c->items[i].thread], o, findings);
    toll_mem_free(&c->mem, found, c->count + 1, sizeof *found);
    if (status)
        return status;
    if (!has_common(c)) {
        toll_findings_begin(findings, "", 0);
        toll_findings_line(findings,
                           "nothing was held to --fail-over: no test is in both profiles; "
                           "have they the same tests, and the labels of --by?");
        toll_verdicts_add_error(o->verdicts, findings->count - 1);
    }
    return findings->failed ? toll_fail_nomem(err) : TOLL_OK;
}

toll_status toll_cases_check(const toll_cases *c, const toll_profile *difference,
                             const toll_growth_options *o, toll_findings *findings, toll_error *err)
{
    toll_changes changes;
    const toll_report_options report = { .size = sizeof report, .value = c->value.type };
    toll_status status = toll_growth_check_value(o, c->before, c->after, c->value, err);
    if (status)
        return status;
    status = toll_changes_create(&changes, c->before, c->after, difference, &report, err);
    if (status)
        return status;
    status = check(c, &changes, o, findings, err);
    toll_changes_free(&changes);
    return status;
}

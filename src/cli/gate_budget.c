/* gate_budget.c - toll check --budget and --write-budget. See gate.h. */
#include "ci_files.h"
#include "comparison.h"
#include "gate.h"

#include "gates/rule_each.h"
#include "gates/rules_write.h"
#include "summary.h"

#include "base/buffer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { START_FUNCTIONS = 10 };

/* --- profiles ----------------------------------------------------------------------------------*/

/* Replace *profile by one without places. */
static int fold(toll_job *job, toll_profile **profile)
{
    toll_profile *folded;
    toll_error err = { TOLL_OK, "" };
    if (!toll_profile_has_places(*profile))
        return TOLL_EXIT_OK;
    if (toll_profile_fold_places(*profile, &folded, &err))
        return toll_job_fail(job, &err);
    toll_profile_free(*profile);
    *profile = folded;
    return TOLL_EXIT_OK;
}

int toll_gate_load(toll_job *job, int count, char **paths, toll_profile **out)
{
    toll_error err = { TOLL_OK, "" };
    int status = toll_job_load_all(job, count, paths, NULL, out);
    if (status)
        return status;
    if (toll_profile_check(*out, job->settings->difference, &err))
        status = toll_complain(TOLL_EXIT_BAD_INPUT, "%s: %s", paths[0], err.text);
    if (!status)
        status = fold(job, out);
    if (status) {
        toll_profile_free(*out);
        *out = NULL;
    }
    return status;
}

/* A budget that cannot be compared with is a bad file, whatever is wrong in it. */
static int fail_budget(const toll_job *job, const toll_error *err)
{
    bool is_own = err->status == TOLL_E_ARGUMENT || err->status == TOLL_E_NOT_FOUND;
    return is_own ? toll_complain(TOLL_EXIT_BAD_INPUT, "%s", err->text) : toll_job_fail(job, err);
}

/* Load the profile of --before, and compute the difference; both NULL without --before. */
static int load_before(toll_job *job, const toll_profile *after, const toll_origin *origin,
                       toll_profile **before, toll_profile **difference)
{
    toll_comparison c = { .after = *origin };
    toll_error err = { TOLL_OK, "" };
    char *path = (char *)job->settings->before;
    if (!path)
        return TOLL_EXIT_OK;
    job->origin = &c.before;
    int status = toll_gate_load(job, 1, &path, before);
    job->origin = NULL;
    if (!status)
        status = toll_comparison_check(job, &c, TOLL_ORIGIN_MAKERS | TOLL_ORIGIN_COUNTS);
    toll_origin_free(&c.before);
    if (!status)
        status = toll_job_align(job, before, after);
    if (!status && toll_profile_diff(*before, after, difference, &err))
        status = toll_job_fail(job, &err);
    return status;
}

/* --- checking a budget -------------------------------------------------------------------------*/

static int read_rules(toll_job *job, const char *path, toll_rules *rules)
{
    toll_input *in;
    toll_error err = { TOLL_OK, "" };
    if (toll_input_open(&job->allocator, path, &in, &err))
        return toll_job_fail(job, &err);
    toll_status status = toll_rules_read(rules, in, &err);
    toll_input_free(in);
    return status ? fail_budget(job, &err) : TOLL_EXIT_OK;
}

int toll_gate_read_budget(toll_job *job, toll_rules *rules)
{
    const toll_settings *s = job->settings;
    const char *path = s->budget ? s->budget : s->write_budget;
    FILE *old = s->budget ? NULL : fopen(path, "rb");
    bool is_new = !s->budget && !old && errno == ENOENT;
    toll_error err = { TOLL_OK, "" };
    *rules = (toll_rules){ 0 };
    if (old)
        fclose(old);
    int status = is_new ? TOLL_EXIT_OK : read_rules(job, path, rules);
    if (!status && s->budget && !rules->count)
        status =
            toll_complain(TOLL_EXIT_BAD_INPUT,
                          "%s: no rules; toll check --write-budget writes the first ones", path);
    if (!status && s->by && toll_rules_hold_each(rules, s->by, &err))
        status = toll_job_fail(job, &err);
    if (is_new) /* rules are made for each test */
        job->settings->by = TOLL_RULES_START_KEYS;
    else if (!status && rules->keys.size) /* profiles keep the labels that rules are about */
        job->settings->by = (const char *)rules->keys.data;
    job->by_is_own = true;
    return status;
}

typedef struct table {
    const toll_rules *rules;
    const toll_profile *profile;
    const toll_rules_before *before;
    toll_rule_result *results;
    toll_verdicts verdicts;
} table;

static toll_status put_markdown(const void *user, toll_output *out, toll_error *err)
{
    const table *t = user;
    (void)err;
    toll_rules_markdown(t->rules, t->profile, t->results, out);
    return TOLL_OK;
}

static int put_table(toll_job *job, const table *t)
{
    const toll_settings *s = job->settings;
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    toll_status failed = TOLL_OK;
    int status = TOLL_EXIT_OK;
    if (s->json || (!s->quiet && !s->markdown)) {
        status = toll_job_stdout(job, &out);
        if (status)
            return status;
        if (s->json)
            failed = toll_rules_json(t->rules, t->profile, t->before, t->results, &t->verdicts, out,
                                     &err);
        else
            toll_rules_put(t->rules, t->profile, t->results, out);
        status = toll_job_finish(job, out, failed, &err);
    }
    return status ? status : toll_summary_put(job, put_markdown, t);
}

/* With --partial: a profile without the labels that all rules are about is held to nothing. */
static int refuse_if_held_to_nothing(toll_job *job, const toll_rules *rules, const toll_profile *p,
                                     const toll_rule_result *results)
{
    static const char names[] = "thread,";
    const char *keys = rules->keys.size ? (const char *)rules->keys.data : "";
    keys += strncmp(keys, names, sizeof names - 1) == 0 ? sizeof names - 1 : 0;
    for (size_t i = 0; i < rules->count; i++)
        if (results[i].state != TOLL_RULE_ABSENT)
            return TOLL_EXIT_OK;
    if (!job->settings->partial || !*keys || toll_has_label_key(p, keys))
        return TOLL_EXIT_OK;
    return toll_complain(TOLL_EXIT_OVER,
                         "%s: all rules are about runs with labels (%s), and the profile has none "
                         "of these: it was held to nothing; was it recorded with --label, or "
                         "TOLL_BY?",
                         (const char *)rules->name.data, keys);
}

static int check(toll_job *job, const toll_rules *rules, const toll_profile *p,
                 const toll_rules_before *before)
{
    toll_findings findings;
    toll_error err = { TOLL_OK, "" };
    table t = { .rules = rules, .profile = p, .before = before };
    int status = TOLL_EXIT_OK;
    t.results = toll_mem_new(&job->allocator, rules->count + 1, sizeof *t.results);
    toll_findings_init(&findings, &job->allocator);
    toll_verdicts_init(&t.verdicts, &job->allocator, (const char *)rules->name.data, &findings);
    if (!t.results)
        status = toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    else if (toll_rules_check(rules, p, before, t.results, &findings, &err))
        status = fail_budget(job, &err);
    else
        toll_rules_judge(rules, p, t.results, &t.verdicts);
    if (!status)
        status = refuse_if_held_to_nothing(job, rules, p, t.results);
    if (!status)
        status = toll_ci_write(job, &t.verdicts);
    if (!status)
        status = put_table(job, &t);
    if (!status)
        status = toll_gate_finish(job, &findings);
    toll_verdicts_free(&t.verdicts);
    toll_findings_free(&findings);
    toll_mem_free(&job->allocator, t.results, rules->count + 1, sizeof *t.results);
    return status;
}

int toll_gate_hold(toll_job *job, toll_rules *rules, const toll_profile *p,
                   const toll_origin *origin)
{
    toll_profile *before = NULL, *difference = NULL;
    toll_error err = { TOLL_OK, "" };
    if (toll_rules_expand(rules, p, &err))
        return fail_budget(job, &err);
    int status = load_before(job, p, origin, &before, &difference);
    if (!status)
        status = check(job, rules, p, &(toll_rules_before){ before, difference });
    toll_profile_free(before);
    toll_profile_free(difference);
    return status;
}

/* --- writing -----------------------------------------------------------------------------------*/

static int read_text(toll_job *job, const toll_buffer *text, const char *name, toll_rules *rules)
{
    toll_input *in;
    toll_error err = { TOLL_OK, "" };
    if (toll_input_from_memory(&job->allocator, text->data, text->size, name, &in, &err))
        return toll_job_fail(job, &err);
    toll_status status = toll_rules_read(rules, in, &err);
    toll_input_free(in);
    return status ? fail_budget(job, &err) : TOLL_EXIT_OK;
}

/* Make the rules of a file that does not exist yet: for the sums and the costliest functions,
 * without their numbers. */
static int start_rules(toll_job *job, const toll_profile *p, toll_rules *rules)
{
    const toll_settings *s = job->settings;
    toll_buffer text;
    toll_error err = { TOLL_OK, "" };
    toll_rules_start start = { .value = s->format.value,
                               .functions = s->rows.is_set ? s->rows.value : START_FUNCTIONS,
                               .by_root = s->solana.by_transaction };
    toll_buffer_init(&text, &job->allocator);
    int status = toll_rules_start_text(p, &start, &text, &err)
                     ? toll_job_fail(job, &err)
                     : read_text(job, &text, s->write_budget, rules);
    toll_buffer_free(&text);
    return status;
}

static int write_file(toll_job *job, const toll_buffer *text)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    if (toll_output_open(&job->allocator, job->settings->write_budget, 0, &out, &err))
        return toll_job_fail(job, &err);
    toll_output_set_sync(out, !job->settings->format.no_sync);
    toll_output_write(out, text->data, text->size);
    return toll_job_finish(job, out, TOLL_OK, &err);
}

static void say_result(const toll_rules *rules, const toll_rules_changes *c, bool is_new,
                       toll_output *said)
{
    toll_output_put_printable(said, (const char *)rules->name.data);
    if (is_new)
        toll_output_printf(said, ": new, %zu rules\n", rules->count);
    else
        toll_output_printf(said, ": %u of %zu rules changed", (unsigned)c->changed, rules->count);
    if (!is_new && c->removed)
        toll_output_printf(said, ", %u removed", (unsigned)c->removed);
    if (!is_new)
        toll_output_printf(said, "\n");
}

static int update(toll_job *job, const toll_rules *rules, const toll_profile *p, bool is_new)
{
    toll_output *said, *unsaid;
    toll_buffer text;
    toll_rules_changes changes;
    toll_error err = { TOLL_OK, "" };
    int status = toll_job_stdout(job, &said);
    if (status)
        return status;
    if (toll_output_to_memory(&job->allocator, 0, &unsaid, &err)) {
        toll_output_free(said);
        return toll_job_fail(job, &err);
    }
    toll_buffer_init(&text, &job->allocator);
    bool only_lower = job->settings->lower_only && !is_new;
    if (toll_rules_update(rules, p, only_lower, &text, is_new ? unsaid : said, &changes, &err))
        status = fail_budget(job, &err);
    else if (is_new || changes.changed + changes.removed)
        status = write_file(job, &text);
    toll_buffer_free(&text);
    toll_output_free(unsaid);
    if (status) {
        toll_output_free(said);
        return status;
    }
    say_result(rules, &changes, is_new, said);
    status = toll_job_finish(job, said, TOLL_OK, &err);
    bool fails = only_lower && changes.unmatched + changes.exceeded > 0;
    return !status && fails ? TOLL_EXIT_OVER : status;
}

int toll_gate_write(toll_job *job, toll_rules *rules, const toll_profile *p)
{
    bool is_new = rules->name.size == 0; /* there was no file to read */
    int status = is_new ? start_rules(job, p, rules) : TOLL_EXIT_OK;
    toll_error err = { TOLL_OK, "" };
    if (!status && toll_rules_expand(rules, p, &err))
        status = fail_budget(job, &err);
    return status ? status : update(job, rules, p, is_new);
}

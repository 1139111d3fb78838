/* gate.c - see gate.h. Prints findings, and checks growth. */
#include "gate.h"

#include "ci_files.h"
#include "gates/growth.h"
#include "progress.h"
#include "selection.h"
#include "summary.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

static bool wants_annotations(const toll_settings *s)
{
    const char *actions = getenv("GITHUB_ACTIONS");
    return s->annotations || (actions && strcmp(actions, "true") == 0);
}

static toll_status put_markdown(const void *findings, toll_output *out, toll_error *err)
{
    (void)err;
    toll_findings_markdown(findings, out);
    return TOLL_OK;
}

int toll_gate_finish(toll_job *job, const toll_findings *findings)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    if (findings->failed)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    if (!findings->count)
        return TOLL_EXIT_OK;
    toll_progress_end();
    toll_keep_complaint(toll_finding_line(findings, findings->items, 0));
    if (toll_output_from_fd(&job->allocator, 2, "standard error", &out, &err))
        return toll_job_fail(job, &err);
    toll_findings_put(findings, job->settings->rows.value, out);
    if (wants_annotations(job->settings))
        toll_findings_annotate(findings, toll_ci_workspace(), job->settings->rows.value, out);
    int status = toll_job_finish(job, out, TOLL_OK, &err);
    if (!status)
        status = toll_summary_put(job, put_markdown, findings);
    return status ? status : TOLL_EXIT_OVER;
}

/* --- growth ------------------------------------------------------------------------------------*/

int toll_gate_check_limits(const toll_settings *s)
{
    for (size_t i = 0; i < s->fail_over.count; i++) {
        toll_growth_limit limit;
        const char *wrong = toll_growth_limit_parse(s->fail_over.items[i], &limit);
        if (wrong)
            return toll_complain(TOLL_EXIT_USAGE,
                                 "--fail-over: '%s' is no limit such as 1%% or "
                                 "+500: %s",
                                 s->fail_over.items[i], wrong);
    }
    return TOLL_EXIT_OK;
}

static int check_growth(toll_job *job, const toll_profile *before, const toll_profile *after,
                        const toll_profile *difference, const toll_cases *cases,
                        toll_growth_options *o, const char *name)
{
    toll_findings findings;
    toll_verdicts verdicts;
    toll_error err = { TOLL_OK, "" };
    char nothing[500];
    int status = TOLL_EXIT_OK;
    toll_findings_init(&findings, &job->allocator);
    toll_verdicts_init(&verdicts, &job->allocator, name, &findings);
    o->verdicts = toll_ci_is_asked(job->settings) ? &verdicts : NULL;
    if (toll_job_chose_nothing(job, before, after, nothing, sizeof nothing)) {
        toll_findings_begin(&findings, "", 0);
        toll_findings_line(&findings, "%s", nothing);
        toll_verdicts_add_error(o->verdicts, 0);
    } else if (!o->value && toll_growth_check_default(before, after, &err)) {
        status = toll_job_fail(job, &err);
    } else if (cases ? toll_cases_check(cases, difference, o, &findings, &err)
                     : toll_growth_check(before, after, difference, o, &findings, &err)) {
        status = toll_job_fail(job, &err);
    }
    if (!status && o->verdicts && !findings.failed)
        status = toll_ci_write(job, &verdicts);
    if (!status)
        status = toll_gate_finish(job, &findings);
    toll_verdicts_free(&verdicts);
    toll_findings_free(&findings);
    return status;
}

int toll_gate_growth(toll_job *job, const toll_profile *before, const toll_profile *after,
                     const toll_profile *difference, const toll_cases *cases, const char *name)
{
    const toll_settings *s = job->settings;
    size_t count = s->fail_over.count;
    toll_growth_limit *limits = toll_mem_new(&job->allocator, count, sizeof *limits);
    if (!limits)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    toll_growth_options o = { .value = s->format.value,
                              .limits = limits,
                              .limit_count = count,
                              .by_function = s->by_function,
                              .runs = job->runs };
    for (size_t i = 0; i < count; i++) /* toll_gate_check_limits has seen that it is one */
        toll_growth_limit_parse(s->fail_over.items[i], &limits[i]);
    int status = check_growth(job, before, after, difference, cases, &o, name);
    toll_mem_free(&job->allocator, limits, count, sizeof *limits);
    return status;
}

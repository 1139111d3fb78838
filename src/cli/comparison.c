/* comparison.c - see comparison.h. */
#include "comparison.h"

#include "gates/exact.h"
#include "gates/per_run.h"

#include <inttypes.h>

void toll_comparison_free(toll_comparison *c)
{
    toll_origin_free(&c->before);
    toll_origin_free(&c->after);
}

/* What else than --across helps. */
static const char *advice(const toll_comparison *c, unsigned differ)
{
    if (differ & TOLL_ORIGIN_SHARES)
        return "--each --by KEY compares each label's runs with themselves, ";
    return differ & TOLL_ORIGIN_COUNTS && c->may_divide ? "--per-run compares one run with one, "
                                                        : "";
}

int toll_comparison_check(const toll_job *job, const toll_comparison *c, unsigned checks)
{
    toll_error err = { TOLL_OK, "" };
    toll_buffer text;
    const char *by = job->settings->each ? job->settings->by : NULL; /* rows */
    int status = TOLL_EXIT_OK;
    if (job->settings->across)
        return TOLL_EXIT_OK;
    unsigned differ;
    toll_buffer_init(&text, &job->allocator);
    if (toll_origins_differ(&c->before, &c->after, checks, by, &differ, &text, &err))
        status = toll_job_fail(job, &err);
    else if (text.size)
        status = toll_complain(TOLL_EXIT_BAD_INPUT,
                               "nothing was compared: %s; %s--across compares "
                               "them all the same",
                               toll_buffer_cstr(&text), advice(c, differ));
    toll_buffer_free(&text);
    return status;
}

/* Would the comparison show, or limit, another value than time? */
static bool is_exact(const toll_settings *s, const toll_profile *after)
{
    uint32_t column = s->format.value ? toll_profile_find_column(after, s->format.value)
                                      : toll_profile_default_column(after);
    return s->fail_over.count || column == TOLL_NONE ||
           !toll_is_time(toll_profile_column(after, column));
}

unsigned toll_comparison_checks(const toll_settings *s, const toll_profile *after)
{
    unsigned runs = s->per_run ? TOLL_ORIGIN_SHARES : TOLL_ORIGIN_COUNTS;
    return (is_exact(s, after) ? TOLL_ORIGIN_MAKERS : 0u) | runs;
}

static int divide(toll_job *job, toll_profile *before, toll_profile *after, int64_t *runs)
{
    toll_error err = { TOLL_OK, "" };
    if (!job->settings->per_run)
        return TOLL_EXIT_OK;
    if (toll_divide_by_runs(before, after, job->settings->each, runs, &err))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s", err.text);
    if (*runs > 1)
        toll_job_warn(job,
                      "values are those of %" PRId64 " runs: they are not divisible by the numbers "
                      "of runs",
                      *runs);
    return TOLL_EXIT_OK;
}

int toll_comparison_load(toll_job *job, int count, char **paths, toll_profile **before,
                         toll_profile **after, int64_t *runs)
{
    const toll_settings *s = job->settings;
    toll_comparison c = { .may_divide = true };
    *runs = 1;
    job->origin = &c.before;
    job->also_where = s->where_before;
    int status = toll_job_load(job, paths[0], NULL, before);
    job->origin = &c.after;
    job->also_where = s->where_after;
    if (!status)
        status = toll_job_load(job, paths[count - 1], NULL, after);
    job->origin = NULL;
    job->also_where = NULL;
    if (!status)
        status = toll_comparison_check(job, &c, toll_comparison_checks(s, *after));
    toll_comparison_free(&c);
    if (!status)
        status = divide(job, *before, *after, runs);
    return status ? status : toll_job_align(job, before, *after);
}

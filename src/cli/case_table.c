/* case_table.c - see case_table.h. */
#include "case_table.h"

#include "summary.h"

enum { ROWS = 200 };

int toll_case_table_make(toll_job *job, const toll_profile *before, const toll_profile *after,
                         toll_cases_sort sort, toll_cases *cases)
{
    const toll_settings *s = job->settings;
    toll_report_options report = toll_job_report_options(job, s->json ? 0 : ROWS);
    const toll_cases_options o = { .value = s->format.value,
                                   .by = s->by,
                                   .sort = sort,
                                   .rows = report.rows,
                                   .color = report.color };
    toll_error err = { TOLL_OK, "" };
    return toll_cases_create(cases, before, after, &o, &err) ? toll_job_fail(job, &err)
                                                             : TOLL_EXIT_OK;
}

typedef struct markdown {
    const toll_cases *cases;
    const char *before, *after;
} markdown;

static toll_status put_markdown(const void *user, toll_output *out, toll_error *err)
{
    const markdown *m = user;
    (void)err;
    if (m->before)
        toll_summary_put_title(out, m->before, m->after);
    else
        toll_summary_put_title(out, m->after, NULL);
    toll_cases_markdown(m->cases, out);
    return TOLL_OK;
}

int toll_case_table_print(toll_job *job, const toll_cases *cases, const char *before,
                          const char *after)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    int status = TOLL_EXIT_OK;
    if (!job->settings->markdown) {
        status = toll_job_stdout(job, &out);
        if (status)
            return status;
        if (job->settings->json)
            toll_cases_json(cases, out);
        else
            toll_cases_put(cases, out);
        status = toll_job_finish(job, out, TOLL_OK, &err);
    }
    return status ? status
                  : toll_summary_put(job, put_markdown, &(markdown){ cases, before, after });
}

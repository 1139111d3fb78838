/* case_table.c - see case_table.h. */
#include "case_table.h"

#include "summary.h"

#include <inttypes.h>

enum { ROWS = 200 };

int toll_case_table_make(toll_job *job, const toll_profile *before, const toll_profile *after,
                         toll_cases_sort sort, toll_cases *cases)
{
    const toll_settings *s = job->settings;
    bool is_by_name = sort == TOLL_CASES_BY_NAME; /* with --rows, the first ones might be any */
    if (is_by_name && s->rows.is_set && s->rows.value)
        sort = before ? TOLL_CASES_BY_CHANGE : TOLL_CASES_BY_VALUE;
    toll_report_options report = toll_job_report_options(job, s->json || is_by_name ? 0 : ROWS);
    const toll_cases_options o = { .value = s->format.value,
                                   .by = s->by,
                                   .sort = sort,
                                   .rows = report.rows,
                                   .color = report.color,
                                   .hides_gone = is_by_name && before };
    toll_error err = { TOLL_OK, "" };
    return toll_cases_create(cases, before, after, &o, &err) ? toll_job_fail(job, &err)
                                                             : TOLL_EXIT_OK;
}

typedef struct markdown {
    const toll_cases *cases;
    const toll_case_table_more *more;
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
    if (m->more) {
        toll_transactions_markdown(&m->more->transactions, out);
        toll_program_sizes_markdown(&m->more->sizes, out);
    }
    return TOLL_OK;
}

static void put_text(const toll_cases *cases, const toll_case_table_more *more, toll_output *out)
{
    toll_cases_put(cases, out);
    if (more) {
        toll_transactions_put(&more->transactions, out);
        toll_program_sizes_put(&more->sizes, out);
    }
    toll_cases_put_notes(cases, out);
}

static void put_json(const toll_cases *cases, const toll_case_table_more *more, toll_output *out)
{
    toll_output_printf(out, more ? "{\"tests\":" : "");
    toll_cases_json(cases, out);
    if (more) {
        toll_output_printf(out, ",\"transactions\":");
        toll_transactions_json(&more->transactions, out);
        toll_output_printf(
            out, ",\"transactions_failed\":%" PRId64 ",\"programs\":", more->transactions.failed);
        toll_program_sizes_json(&more->sizes, out);
        toll_output_printf(out, "}");
    }
    toll_output_printf(out, "\n");
}

int toll_case_table_print(toll_job *job, const toll_cases *cases, const toll_case_table_more *more,
                          const char *before, const char *after)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    int status = TOLL_EXIT_OK;
    if (!job->settings->markdown) {
        status = toll_job_stdout(job, &out);
        if (status)
            return status;
        if (job->settings->json)
            put_json(cases, more, out);
        else
            put_text(cases, more, out);
        status = toll_job_finish(job, out, TOLL_OK, &err);
    }
    return status ? status
                  : toll_summary_put(job, put_markdown, &(markdown){ cases, more, before, after });
}

/* cmd_diff.c - toll diff: what grew, what shrank. */
#include "command.h"

enum { ROWS = 20 };

static int report(toll_job *job, const toll_profile *before, const toll_profile *after,
                  const toll_profile *difference)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    int failed = toll_job_stdout(job, &out);
    if (failed)
        return failed;
    toll_report_options o = toll_job_report_options(job, ROWS);
    toll_status status = toll_report_diff(before, after, difference, &o, out, &err);
    return toll_job_finish(job, out, status, &err);
}

int toll_cmd_diff(toll_settings *s, int argc, char **argv)
{
    toll_job job;
    toll_profile *before = NULL, *after = NULL, *difference = NULL;
    toll_error err = { TOLL_OK, "" };
    if (argc != 2)
        return toll_complain(TOLL_EXIT_USAGE, "diff: two files, BEFORE and AFTER, not %d", argc);
    toll_job_begin(&job, s);
    int status = toll_job_load(&job, argv[0], NULL, &before);
    if (!status)
        status = toll_job_load(&job, argv[1], NULL, &after);
    if (!status && toll_profile_diff(before, after, &difference, &err))
        status = toll_job_fail(&job, &err);
    if (!status && s->output)
        status = toll_job_save(&job, difference, NULL);
    if (!status)
        status = report(&job, before, after, difference);
    toll_profile_free(before);
    toll_profile_free(after);
    toll_profile_free(difference);
    return status;
}

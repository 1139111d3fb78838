/* cmd_report.c - toll report: what each function, or each stack, cost. */
#include "command.h"
#include "job.h"

enum { TOP_ROWS = 30, TREE_ROWS = 100 };

int toll_cmd_report(toll_settings *s, int argc, char **argv)
{
    toll_job job;
    toll_profile *p;
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    toll_status status;
    if (argc > 1)
        return toll_complain(TOLL_EXIT_USAGE, "report: one file at a time; toll merge adds up");
    if (s->tree && s->json)
        return toll_complain(TOLL_EXIT_USAGE, "report: --tree or --json, not both");
    toll_job_begin(&job, s);
    int failed = toll_job_load(&job, argc ? argv[0] : "-", NULL, &p);
    if (failed)
        return failed;
    failed = toll_job_stdout(&job, &out);
    if (!failed) {
        toll_report_options o = toll_job_report_options(&job, s->json   ? 0
                                                              : s->tree ? TREE_ROWS
                                                                        : TOP_ROWS);
        if (s->tree && !s->sort.text)
            o.sort = TOLL_SORT_TOTAL;
        if (s->json)
            status = toll_report_json(p, &o, out, &err);
        else if (s->tree)
            status = toll_report_tree(p, &o, out, &err);
        else
            status = toll_report_top(p, &o, out, &err);
        failed = toll_job_finish(&job, out, status, &err);
    }
    toll_profile_free(p);
    return failed;
}

/* cmd_diff.c - toll diff: prints what grew and what shrank, of two profiles or of several
 * snapshots. */
#include "command.h"
#include "case_table.h"
#include "ci_files.h"
#include "comparison.h"
#include "gate.h"
#include "job.h"
#include "selection.h"
#include "snapshots.h"
#include "summary.h"

#include <string.h>

enum { ROWS = 20, LONGEST_TITLE = 200 };

static int report(toll_job *job, const toll_profile *before, const toll_profile *after,
                  const toll_profile *difference)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    int failed = toll_job_stdout(job, &out);
    if (failed)
        return failed;
    toll_report_options o = toll_job_report_options(job, job->settings->json ? 0 : ROWS);
    toll_status status = job->settings->json
                             ? toll_report_diff_json(before, after, difference, &o, out, &err)
                             : toll_report_diff(before, after, difference, &o, out, &err);
    return toll_job_finish(job, out, status, &err);
}

typedef struct markdown {
    toll_job *job;
    const char *const *titles; /* of the two profiles */
    const toll_profile *before, *after, *difference;
} markdown;

static toll_status put_markdown(const void *user, toll_output *out, toll_error *err)
{
    const markdown *m = user;
    toll_report_options o = toll_job_report_options(m->job, ROWS);
    toll_summary_put_title(out, m->titles[0], m->titles[1]);
    return toll_report_diff_markdown(m->before, m->after, m->difference, &o, out, err);
}

/* Check which options exclude each other: an exit status after a message, or -1. */
static int check_options(toll_settings *s, int argc, char **argv)
{
    const bool chooses = s->where_before || s->where_after, is_one = argc == 1 && chooses;
    if (argc < 2 && !is_one)
        return toll_complain(TOLL_EXIT_USAGE,
                             "diff: two files, BEFORE and AFTER, or snapshots FIRST ... LAST, not "
                             "%d; or one file with --where-before commit=a --where-after commit=b",
                             argc);
    if (is_one && strcmp(argv[0], "-") == 0)
        return toll_complain(TOLL_EXIT_USAGE, "diff: --where-before: a file, which is read twice, "
                                              "not standard input");
    if ((s->each || s->per_run || chooses) && (argc > 2 || s->leaks))
        return toll_complain(TOLL_EXIT_USAGE, "diff: --each, --per-run, --where-before and "
                                              "--where-after are for two profiles, without "
                                              "--leaks");
    if (s->prune.value > 0 && (argc > 2 || s->leaks))
        return toll_complain(TOLL_EXIT_USAGE,
                             "diff: --prune would cut each snapshot by itself, and "
                             "so make up growth; -n limits the rows");
    if (s->by_function && !s->fail_over.count)
        return toll_complain(TOLL_EXIT_USAGE, "diff: --by-function says what --fail-over is held "
                                              "to; give a limit, such as --fail-over 1%%");
    if (s->by_function && s->each)
        return toll_complain(TOLL_EXIT_USAGE, "diff: one of --by-function and --each");
    if (s->each && s->output && strcmp(s->output, "-") == 0)
        return toll_complain(TOLL_EXIT_USAGE,
                             "diff: --each prints a table: -o needs a file's name");
    if (s->json && s->markdown)
        return toll_complain(TOLL_EXIT_USAGE, "diff: one of --json and --markdown");
    int status = toll_ci_check(s, "diff", "--fail-over", s->fail_over.count > 0, argc, argv);
    if (status < 0 && toll_gate_check_limits(s))
        status = TOLL_EXIT_USAGE;
    return status >= 0 ? status : toll_summary_check(s);
}

/* Print what each case spent, and hold each to the limits. */
static int put_cases(toll_job *job, const char *const *titles, const toll_profile *before,
                     const toll_profile *after, const toll_profile *difference)
{
    toll_cases cases;
    int status = toll_case_table_make(job, before, after, TOLL_CASES_BY_CHANGE, &cases);
    if (!status)
        status = toll_case_table_print(job, &cases, NULL, titles[0], titles[1]);
    if (!status && job->settings->fail_over.count)
        status = toll_gate_growth(job, before, after, difference, &cases, titles[1]);
    toll_cases_free(&cases);
    return status;
}

/* Write and print a comparison in the forms that the options ask for. */
static int put_all(toll_job *job, const char *const *titles, const toll_profile *before,
                   const toll_profile *after, const toll_profile *difference)
{
    const toll_settings *s = job->settings;
    int status = s->output ? toll_job_save(job, difference, NULL) : TOLL_EXIT_OK;
    bool is_on_stdout = s->output && strcmp(s->output, "-") == 0;
    if (!status && s->each)
        return put_cases(job, titles, before, after, difference);
    if (!status && !is_on_stdout && !s->markdown)
        status = report(job, before, after, difference);
    if (!status && (!is_on_stdout || s->summary))
        status = toll_summary_put(job, put_markdown,
                                  &(markdown){ job, titles, before, after, difference });
    if (!status && s->fail_over.count)
        status = toll_gate_growth(job, before, after, difference, NULL, titles[1]);
    return status;
}

/* The title of a profile: the labels that it was selected by, or the file's name. */
static const char *title_of(const char *where, const char *path, char room[LONGEST_TITLE])
{
    const char *name = toll_job_title(path);
    if (where)
        toll_labels_line(where, room, LONGEST_TITLE);
    return where ? room : name ? name : "-";
}

/* Print how several snapshots developed. -o and the limits are about the first and the last. */
static int diff_snapshots(toll_job *job, int argc, char **argv)
{
    const toll_settings *s = job->settings;
    toll_snapshots snapshots = { .count = 0 };
    toll_profile *difference = NULL;
    toll_error err = { TOLL_OK, "" };
    char room[LONGEST_TITLE];
    bool is_on_stdout = s->output && strcmp(s->output, "-") == 0;
    int status = s->output ? toll_job_check_output(job) : TOLL_EXIT_OK;
    if (!status)
        status = toll_snapshots_load(job, argc, argv, &snapshots);
    const toll_profile *first = status ? NULL : snapshots.items[0];
    const toll_profile *last = status ? NULL : snapshots.items[snapshots.count - 1];
    if (!status && toll_profile_diff(first, last, &difference, &err))
        status = toll_job_fail(job, &err);
    if (!status && s->output)
        status = toll_job_save(job, difference, NULL);
    if (!status && !is_on_stdout)
        status = toll_snapshots_print(job, &snapshots, ROWS);
    if (!status && s->fail_over.count)
        status = toll_gate_growth(job, first, last, difference, NULL,
                                  title_of(NULL, argv[argc - 1], room));
    toll_profile_free(difference);
    toll_snapshots_free(&snapshots);
    return status;
}

static int diff(toll_job *job, int argc, char **argv)
{
    const toll_settings *s = job->settings;
    toll_profile *before = NULL, *after = NULL, *difference = NULL;
    toll_error err = { TOLL_OK, "" };
    int status = s->output ? toll_job_check_output(job) : TOLL_EXIT_OK;
    if (!status)
        status = toll_comparison_load(job, argc, argv, &before, &after, &job->runs);
    if (!status)
        toll_job_warn_unmatched(job, before, after);
    if (!status && toll_profile_diff(before, after, &difference, &err))
        status = toll_job_fail(job, &err);
    char rooms[2][LONGEST_TITLE];
    const char *const titles[] = { title_of(s->where_before, argv[0], rooms[0]),
                                   title_of(s->where_after, argv[argc - 1], rooms[1]) };
    if (!status)
        status = put_all(job, titles, before, after, difference);
    toll_profile_free(before);
    toll_profile_free(after);
    toll_profile_free(difference);
    return status;
}

int toll_cmd_diff(toll_settings *s, int argc, char **argv)
{
    toll_job job;
    toll_job_begin(&job, s);
    int status = check_options(s, argc, argv);
    if (status < 0)
        status = argc > 2 || s->leaks ? diff_snapshots(&job, argc, argv) : diff(&job, argc, argv);
    char room[LONGEST_TITLE];
    bool is_held = argc && s->fail_over.count;
    return toll_ci_end(&job, is_held ? title_of(s->where_after, argv[argc - 1], room) : NULL,
                       status);
}

/* cmd_report.c - toll report: prints what each function, or each stack, cost. */
#include "command.h"
#include "case_table.h"
#include "console.h"
#include "job.h"
#include "snapshots.h"
#include "summary.h"

#include "base/printable.h"
#include "base/text.h"
#include "report/markdown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TOP_ROWS = 30, TREE_ROWS = 100, FLAME_ROWS = 60 };

static toll_status print_tree(toll_job *job, const toll_profile *p, toll_output *out,
                              toll_error *err)
{
    toll_report_options o = toll_job_report_options(job, TREE_ROWS);
    if (!job->settings->sort.text)
        o.sort = TOLL_SORT_TOTAL;
    return toll_report_tree(p, &o, out, err);
}

/* The width from --width, else $COLUMNS, else the terminal; 0: not known. */
static uint32_t width_of(const toll_settings *s)
{
    const char *columns = getenv("COLUMNS");
    uint64_t width;
    if (s->width.is_set)
        return s->width.value;
    if (columns && toll_text_u64(columns, strlen(columns), &width) && width <= UINT32_MAX)
        return (uint32_t)width;
    return toll_console_width(TOLL_STDOUT);
}

/* The colours that the terminal supports, by its environment variables. */
static toll_colors colors_of_terminal(void)
{
    const char *text = getenv("COLORTERM");
    bool is_24_bit = text && (strcmp(text, "truecolor") == 0 || strcmp(text, "24bit") == 0);
    return is_24_bit ? TOLL_COLORS_24_BIT : TOLL_COLORS_256;
}

static toll_status print_flame(toll_job *job, const toll_profile *p, toll_output *out,
                               toll_error *err)
{
    toll_report_options report = toll_job_report_options(job, FLAME_ROWS);
    toll_flame_options o = {
        .size = sizeof o,
        .value = report.value,
        .width = width_of(job->settings),
        .rows = report.rows,
        .short_names = report.short_names,
        .keep_outside = report.keep_outside,
        .colors = report.color ? colors_of_terminal() : TOLL_COLORS_NONE,
    };
    return toll_report_flame(p, &o, out, err);
}

static toll_status print_page(const toll_settings *s, const char *path, const toll_profile *p,
                              const toll_timeline *timeline, toll_output *out, toll_error *err)
{
    toll_page_options o = {
        .size = sizeof o,
        .title = toll_job_title(path),
        .value = s->format.value,
        .timeline = timeline,
        .keep_outside = s->outside,
    };
    return toll_report_page(p, NULL, &o, out, err);
}

static void put_start(int64_t ns, toll_output *out)
{
    time_t seconds = (time_t)(ns / 1000000000);
    char text[40];
    const struct tm *utc = gmtime(&seconds);
    if (ns && utc && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", utc))
        toll_output_printf(out, "began %s\n", text);
}

/* Print what the profile is of: its runs, when they began, and its comments. */
static toll_status print_info(const toll_profile *p, toll_output *out)
{
    for (uint32_t i = 0; i < toll_profile_run_kind_count(p); i++) {
        uint64_t count;
        const char *text = toll_profile_run_kind(p, i, &count);
        toll_output_printf(out, "%" PRIu64 " run%s: ", count, count == 1 ? "" : "s");
        toll_output_put_printable(out, text);
        toll_output_printf(out, "\n");
    }
    if (!toll_profile_run_kind_count(p))
        toll_output_printf(out, "no runs are known: another tool has made the profile\n");
    if (toll_profile_has_unknown_runs(p))
        toll_output_printf(out, "others, of which nothing is known\n");
    put_start(toll_profile_start_ns(p), out);
    for (uint32_t i = 0; i < toll_profile_comment_count(p); i++) {
        toll_output_put_printable(out, toll_profile_comment(p, i));
        toll_output_printf(out, "\n");
    }
    return TOLL_OK;
}

/* Print the keys of the labels: the report is the sum over all of them. */
static void put_labels(const toll_job *job, toll_output *out)
{
    if (!*job->labels || job->settings->by)
        return;
    toll_output_printf(out, "\nlabels: ");
    toll_output_put_printable(out, job->labels);
    toll_output_printf(out, " (--where KEY=VALUE, --by KEY)\n");
}

static toll_status print(toll_job *job, const char *path, const toll_profile *p,
                         const toll_timeline *timeline, toll_output *out, toll_error *err)
{
    const toll_settings *s = job->settings;
    toll_report_options o = toll_job_report_options(job, s->json ? 0 : TOP_ROWS);
    if (s->info)
        return print_info(p, out);
    if (s->html)
        return print_page(s, path, p, timeline, out, err);
    if (s->json)
        return toll_report_json(p, &o, out, err);
    toll_status status = s->tree    ? print_tree(job, p, out, err)
                         : s->flame ? print_flame(job, p, out, err)
                                    : toll_report_top(p, &o, out, err);
    if (!status)
        put_labels(job, out);
    return status;
}

typedef struct markdown {
    toll_job *job;
    const char *path;
    const toll_profile *profile;
} markdown;

static toll_status put_markdown(const void *user, toll_output *out, toll_error *err)
{
    const markdown *m = user;
    const char *title = toll_job_title(m->path);
    toll_report_options o =
        toll_job_report_options(m->job, m->job->settings->by_category ? 0 : TOP_ROWS);
    toll_summary_put_title(out, title ? title : "profile", NULL);
    toll_status status = toll_report_markdown(m->profile, &o, out, err);
    if (!status && *m->job->labels && !m->job->settings->by) {
        toll_output_printf(out, "\n**Labels:** ");
        toll_markdown_put_code(out, m->job->labels);
        toll_output_printf(out, "\n");
    }
    return status;
}

/* Print the reports that the options ask for; with --markdown only that. */
static int report(toll_job *job, const char *path, const toll_profile *p,
                  const toll_timeline *timeline)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    int failed = TOLL_EXIT_OK;
    if (!job->settings->markdown) {
        failed = toll_job_stdout(job, &out);
        if (failed)
            return failed;
        toll_status status = print(job, path, p, timeline, out, &err);
        failed = toll_job_finish(job, out, status, &err);
    }
    return failed ? failed : toll_summary_put(job, put_markdown, &(markdown){ job, path, p });
}

/* Print what each case spent. */
static int report_cases(toll_job *job, const char *path, const toll_profile *p)
{
    toll_cases cases;
    const char *title = toll_job_title(path);
    bool by_name = job->settings->sort.text && job->settings->sort.place == TOLL_SORT_NAME;
    int status = toll_case_table_make(job, NULL, p,
                                      by_name ? TOLL_CASES_BY_NAME : TOLL_CASES_BY_VALUE, &cases);
    if (!status)
        status = toll_case_table_print(job, &cases, NULL, NULL, title ? title : "profile");
    toll_cases_free(&cases);
    return status;
}

/* Print the sites with blocks of many ages. */
static int report_leaks(toll_settings *s, const char *path)
{
    toll_job job;
    toll_snapshots ages = { .count = 0 };
    if (s->tree || s->flame || s->html || s->each || s->by_category || s->by || s->sort.text ||
        s->prune.value > 0)
        return toll_complain(TOLL_EXIT_USAGE,
                             "report: --leaks prints a table of its own, without --tree, --flame, "
                             "--html, --each, --by, --by-category, --sort and --prune");
    toll_job_begin(&job, s);
    int failed = toll_snapshots_load_ages(&job, path, &ages);
    if (!failed)
        failed = toll_snapshots_print(&job, &ages, TOP_ROWS);
    toll_snapshots_free(&ages);
    return failed;
}

int toll_cmd_report(toll_settings *s, int argc, char **argv)
{
    toll_job job;
    toll_profile *p;
    toll_timeline *timeline = NULL;
    const char *path = argc ? argv[0] : "-";
    if (argc > 1)
        return toll_complain(TOLL_EXIT_USAGE, "report: one file at a time; toll merge adds up");
    s->markdown |= s->by_category;
    if (s->links && !s->by_category)
        return toll_complain(TOLL_EXIT_USAGE, "report: --links is for --by-category");
    if (s->tree + s->json + s->flame + s->html + s->markdown + s->info > 1)
        return toll_complain(
            TOLL_EXIT_USAGE,
            "report: one of --tree, --flame, --html, --json, --markdown and --info");
    if (s->each && s->tree + s->flame + s->html + s->by_category + s->info)
        return toll_complain(TOLL_EXIT_USAGE,
                             "report: --each prints a table of its own, without --tree, --flame, "
                             "--html, --by-category and --info");
    if (s->each && s->sort.text && s->sort.place != TOLL_SORT_NAME &&
        s->sort.place != TOLL_SORT_TOTAL)
        return toll_complain(TOLL_EXIT_USAGE, "report: --each is sorted by total, or by name");
    if (s->by && !s->each && !s->json && !s->flame && !s->html && !s->markdown && !s->info)
        s->tree = true; /* a table would add up what --by separates */
    if (s->html && toll_console_is_terminal(TOLL_STDOUT))
        return toll_complain(TOLL_EXIT_USAGE, "report: a page is not for a terminal; > page.html, "
                                              "or toll view");
    int failed = toll_summary_check(s);
    if (failed >= 0)
        return failed;
    if (s->leaks)
        return report_leaks(s, path);
    toll_job_begin(&job, s);
    job.keeps_labels = s->info || (s->json && !s->each); /* they list the labels */
    failed = toll_job_load(&job, path, s->html ? &timeline : NULL, &p);
    if (failed)
        return failed;
    failed = s->each ? report_cases(&job, path, p) : report(&job, path, p, timeline);
    toll_profile_free(p);
    toll_timeline_free(timeline);
    return failed;
}

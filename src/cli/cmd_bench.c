/* cmd_bench.c - toll bench: runs tests as they are, and prints what each instruction in each test
 * cost, and what changed since the last run. */
#include "case_table.h"
#include "command.h"
#include "progress.h"
#include "recorded_command.h"
#include "summary.h"

#include "base/buffer.h"
#include "base/os.h"
#include "gates/transactions.h"

#include <string.h>

#define TOLL_BENCH_FILE "toll-bench.pb.gz"
#define TOLL_BENCH_BY "test,root"

/* One run of the command. */
typedef struct bench {
    toll_job job;
    const char *by;                            /* keys of the table's rows */
    const char *baseline;                      /* what is compared with; NULL: nothing */
    bool replaces;                             /* the baseline is the output, too */
    toll_profile *whole;                       /* as recorded, each transaction for itself */
    toll_profile *sum;                         /* transactions added up: what is kept */
    toll_profile *before, *after, *difference; /* by the rows; NULL without a baseline: all but
                                                * `after` */
    toll_cases cases;
    toll_case_table_more more;
    toll_allowance margin;
} bench;

static void end(bench *b)
{
    toll_cases_free(&b->cases);
    toll_transactions_free(&b->more.transactions);
    toll_profile_free(b->whole);
    toll_profile_free(b->sum);
    toll_profile_free(b->before);
    toll_profile_free(b->after);
    toll_profile_free(b->difference);
}

/* --- options -----------------------------------------------------------------------------------*/

static bool exists(const char *path)
{
    toll_os_info info;
    return toll_os_look(path, &info);
}

/* Check the options, and choose the files: an exit status after a message, or -1: continue. */
static int begin(bench *b, toll_settings *s, int argc)
{
    if (argc == 0)
        return toll_complain(TOLL_EXIT_USAGE, "bench: which tests? toll bench -- cargo test");
    if (s->json && s->markdown)
        return toll_complain(TOLL_EXIT_USAGE, "bench: one of --json and --markdown");
    const char *margin = s->margin ? s->margin : "10%";
    const char *wrong = toll_allowance_parse(margin, strlen(margin), &b->margin);
    if (wrong)
        return toll_complain(TOLL_EXIT_USAGE,
                             "bench: --margin: '%s' is no margin such as 10%% or 5,000: %s", margin,
                             wrong);
    s->output = s->output ? s->output : TOLL_BENCH_FILE;
    b->replaces = !s->before;
    b->baseline = s->before ? s->before : exists(s->output) ? s->output : NULL;
    if (s->fail_over.count && !b->baseline)
        return toll_complain(TOLL_EXIT_USAGE,
                             "bench: --fail-over: there is nothing to compare with, since %s does "
                             "not exist; run it once without a limit, or name a profile by "
                             "--before",
                             s->output);
    b->by = s->by ? s->by : TOLL_BENCH_BY;
    s->by = NULL; /* until transactions were looked at */
    toll_job_begin(&b->job, s);
    b->job.keeps_labels = true;
    int status = toll_job_check_output(&b->job);
    return status ? status : toll_summary_check(s);
}

/* --- profiles ----------------------------------------------------------------------------------*/

static int fail(const bench *b, const toll_error *err)
{
    return toll_job_fail(&b->job, err);
}

/* Run the tests, and read what they have recorded. */
static int run(bench *b, int argc, char **argv)
{
    toll_recorded_command command;
    int status = toll_recorded_command_begin(&command, &b->job, NULL, argc, argv);
    command.by = "test," TOLL_TRANSACTION_KEY;
    if (!status)
        status = toll_recorded_command_run(&command, argv[0]);
    if (!status)
        status = toll_job_load(&b->job, command.profile, NULL, &b->whole);
    toll_recorded_command_end(&command);
    toll_program_sizes_find(&b->more.sizes); /* a build may be a part of the command */
    return status;
}

static int add_up(bench *b)
{
    toll_error err = { TOLL_OK, "" };
    return toll_transactions_sum(b->whole, &b->sum, &err) ||
                   toll_profile_group_by(b->sum, b->by, &b->after, &err)
               ? fail(b, &err)
               : TOLL_EXIT_OK;
}

/* Load what is compared with, before the tests run: they may take long. */
static int load_baseline(bench *b)
{
    toll_profile *read = NULL;
    toll_error err = { TOLL_OK, "" };
    if (!b->baseline)
        return TOLL_EXIT_OK;
    int status = toll_job_load(&b->job, b->baseline, NULL, &read);
    if (!status && toll_profile_group_by(read, b->by, &b->before, &err))
        status = fail(b, &err);
    toll_profile_free(read);
    toll_progress_end();
    return status;
}

/* Compare by rows. */
static int compare(bench *b)
{
    toll_error err = { TOLL_OK, "" };
    if (!b->before)
        return TOLL_EXIT_OK;
    toll_program_sizes_compare(&b->more.sizes, b->before);
    int status = toll_job_align(&b->job, &b->before, b->after);
    if (!status)
        toll_job_warn_unmatched(&b->job, b->before, b->after);
    if (!status && toll_profile_diff(b->before, b->after, &b->difference, &err))
        status = fail(b, &err);
    return status;
}

/* Look at each transaction: by the rows, and by test. */
static int look_at_transactions(bench *b)
{
    toll_buffer keys;
    toll_profile *rows = NULL, *tests = NULL;
    toll_error err = { TOLL_OK, "" };
    toll_buffer_init(&keys, &b->job.allocator);
    toll_buffer_append_text(&keys, b->by);
    toll_buffer_append_text(&keys, "," TOLL_TRANSACTION_KEY);
    const char *by = (const char *)toll_buffer_cstr(&keys);
    int status = by ? TOLL_EXIT_OK : toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    if (!status && (toll_profile_group_by(b->whole, by, &rows, &err) ||
                    toll_cases_add_transactions(&b->cases, rows, &err) ||
                    toll_profile_group_by(b->whole, "test," TOLL_TRANSACTION_KEY, &tests, &err) ||
                    toll_transactions_create(&b->more.transactions, tests, &b->margin, &err)))
        status = fail(b, &err);
    toll_profile_free(rows);
    toll_profile_free(tests);
    toll_buffer_free(&keys);
    return status;
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* How many rows are of tests that did not run. */
static size_t count_gone(const bench *b)
{
    size_t gone = 0;
    for (size_t i = 0; i < b->cases.count; i++)
        gone += b->cases.items[i].is_gone;
    return gone;
}

/* Hold each row to the limits, and keep the profile, unless that would hide something from the next
 * run. */
static int finish(bench *b)
{
    const toll_settings *s = b->job.settings;
    int over = TOLL_EXIT_OK;
    if (s->fail_over.count)
        over = toll_gate_growth(&b->job, b->before, b->after, b->difference, &b->cases);
    if (over && over != TOLL_EXIT_OVER)
        return over;
    if (b->replaces && !s->replace && (over || count_gone(b))) {
        toll_job_warn(&b->job, "%s stays as it was, since %s; --replace replaces it", s->output,
                      over ? "a limit is exceeded" : "not all of its tests did run");
        return over;
    }
    int status = toll_program_sizes_keep(&b->job, &b->more.sizes, b->sum);
    if (!status)
        status = toll_job_save(&b->job, b->sum, NULL);
    return over ? over : status;
}

/* The command's words, as the title. */
static const char *title_of(toll_buffer *text, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        toll_buffer_append_text(text, i ? " " : "");
        toll_buffer_append_text(text, argv[i]);
    }
    const char *title = (const char *)toll_buffer_cstr(text);
    return title ? title : argv[0];
}

static int print(bench *b, int argc, char **argv)
{
    toll_buffer title;
    toll_buffer_init(&title, &b->job.allocator);
    int status =
        toll_case_table_print(&b->job, &b->cases, &b->more, NULL, title_of(&title, argc, argv));
    toll_buffer_free(&title);
    return status;
}

int toll_cmd_bench(toll_settings *s, int argc, char **argv)
{
    bench b = { 0 };
    int status = begin(&b, s, argc);
    if (status >= 0)
        return status;
    status = load_baseline(&b);
    if (!status)
        status = run(&b, argc, argv);
    if (!status)
        status = add_up(&b);
    if (!status)
        status = compare(&b);
    s->by = b.by;
    if (!status)
        status = toll_case_table_make(&b.job, b.before, b.after, TOLL_CASES_BY_NAME, &b.cases);
    if (!status)
        status = look_at_transactions(&b);
    if (!status)
        status = print(&b, argc, argv);
    if (!status)
        status = finish(&b);
    end(&b);
    return status;
}

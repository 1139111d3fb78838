/* cmd_bench.c - toll bench: runs tests as they are, and prints what each instruction in each test
 * cost, and what changed since the last run. */
#include "case_table.h"
#include "ci_files.h"
#include "command.h"
#include "comparison.h"
#include "label_keys.h"
#include "progress.h"
#include "recorded_command.h"
#include "summary.h"

#include "base/buffer.h"
#include "base/os.h"
#include "gates/transactions.h"

#include <string.h>

#define ROOT_KEY "root" /* of toll_profile_group_by */
#define TOLL_BENCH_FILE "toll-bench.pb.gz"
#define TOLL_BENCH_BY "test,root"

/* One run of the command. */
typedef struct bench {
    toll_job job;
    const char *by;       /* keys of the table's rows */
    const char *baseline; /* the file that is compared with; NULL: nothing */
    toll_profile *last;   /* what it has */
    toll_comparison origins;
    toll_profile *whole; /* as recorded, each transaction for itself */
    toll_profile *sum;   /* transactions added up: what is kept */
    /* By the rows; without a baseline only `after`. */
    toll_profile *before, *after, *difference;
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
    toll_profile_free(b->last);
    toll_profile_free(b->before);
    toll_profile_free(b->after);
    toll_profile_free(b->difference);
    toll_comparison_free(&b->origins);
}

/* --- options -----------------------------------------------------------------------------------*/

static bool exists(const char *path)
{
    toll_os_info info;
    return toll_os_look(path, &info);
}

/* A share, or an amount of compute units: "20" alone would be one of these, and look like the
 * other. */
static int parse_margin(bench *b, const char *margin)
{
    const char *wrong = toll_allowance_parse(margin, strlen(margin), &b->margin);
    bool is_units = !b->margin.whole && b->margin.amount.kind == TOLL_AMOUNT_CU;
    if (!wrong && !b->margin.whole && !is_units && b->margin.amount.value)
        wrong = "write a share, 20%, or units, 5,000 CU";
    if (wrong)
        return toll_complain(TOLL_EXIT_USAGE, "bench: --margin %s: %s", margin, wrong);
    return TOLL_EXIT_OK;
}

/* The next run reads the file again, with its labels. */
static int check_output(const toll_settings *s)
{
    const toll_format *format = toll_format_for_path(s->output);
    if (format && strcmp(format->name, "pprof") == 0)
        return TOLL_EXIT_OK;
    return toll_complain(TOLL_EXIT_USAGE,
                         "bench: -o %s: the next run reads this file again, with its labels: end "
                         "its name in .pb.gz",
                         s->output);
}

/* Does a list of keys name something that is no label of the whole profile? */
static bool names_transactions(const char *by)
{
    const char *at = strstr(by, TOLL_TRANSACTION_KEY);
    return at && (at == by || at[-1] == ',' || at[-1] == ' ') &&
           strchr(", ", at[sizeof TOLL_TRANSACTION_KEY - 1]);
}

static int check_options(bench *b, const toll_settings *s, int argc)
{
    if (argc == 0)
        return toll_complain(TOLL_EXIT_USAGE, "bench: which tests? toll bench -- cargo test");
    if (s->json && s->markdown)
        return toll_complain(TOLL_EXIT_USAGE, "bench: one of --json and --markdown");
    if (s->by && !s->by[strspn(s->by, ", \t")])
        return toll_complain(TOLL_EXIT_USAGE,
                             "bench: --by: which label? say its key, such as test");
    if (s->by && names_transactions(s->by))
        return toll_complain(TOLL_EXIT_USAGE,
                             "bench: transactions are added up; --by test,root, or another label");
    int status = parse_margin(b, s->margin ? s->margin : "10%");
    if (!status)
        status = check_output(s);
    return status ? status : toll_gate_check_limits(s);
}

/* Check the options, and choose the files: an exit status after a message, or -1: continue. */
static int begin(bench *b, toll_settings *s, int argc, char **argv)
{
    int status = toll_ci_check(s, "bench", "--fail-over", s->fail_over.count > 0, argc, argv);
    if (status < 0)
        status = check_options(b, s, argc);
    if (status)
        return status;
    b->baseline = s->before ? s->before : exists(s->output) ? s->output : NULL;
    if (s->fail_over.count && !b->baseline)
        return toll_complain(TOLL_EXIT_USAGE,
                             "bench: --fail-over: there is nothing to compare with, since %s does "
                             "not exist; run it once without a limit, or name a profile by "
                             "--before",
                             s->output);
    b->by = s->by ? s->by : TOLL_BENCH_BY;
    s->by = NULL; /* until transactions were looked at */
    return toll_summary_check(s);
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
    command.out = TOLL_OUT_NAMED;
    command.by = "test," TOLL_TRANSACTION_KEY;
    if (!status)
        status = toll_recorded_command_run(&command, argv[0]);
    b->job.origin = &b->origins.after;
    if (!status)
        status = toll_job_load(&b->job, command.profile, NULL, &b->whole);
    b->job.origin = NULL;
    toll_recorded_command_end(&command);
    toll_program_sizes_find(&b->more.sizes); /* a build may be a part of the command */
    return status;
}

/* Are the rows' labels in the profile? Without them one test would hide another. */
static int check_labels(const bench *b)
{
    size_t size;
    const toll_settings *s = b->job.settings;
    const char *key = b->by;
    for (; (key = toll_unknown_label_key(b->whole, key, &size)); key += size) {
        if (size == strlen(ROOT_KEY) && strncmp(key, ROOT_KEY, size) == 0)
            continue;
        if (s->fail_over.count)
            return toll_complain(TOLL_EXIT_BAD_INPUT,
                                 "bench: --by %.*s: the command's profile has no such label, so "
                                 "that nothing would be held to --fail-over; tests write the label "
                                 "test with TOLL_BY=test",
                                 (int)size, key);
        toll_job_warn(&b->job, "--by %.*s: the command's profile has no such label", (int)size,
                      key);
    }
    return TOLL_EXIT_OK;
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
    toll_error err = { TOLL_OK, "" };
    if (!b->baseline)
        return TOLL_EXIT_OK;
    b->job.origin = &b->origins.before;
    int status = toll_job_load(&b->job, b->baseline, NULL, &b->last);
    b->job.origin = NULL;
    if (!status && toll_profile_group_by(b->last, b->by, &b->before, &err))
        status = fail(b, &err);
    toll_progress_end();
    return status;
}

/* Compare by rows. A test may run more often than it did: that is a part of what it costs. */
static int compare(bench *b)
{
    toll_error err = { TOLL_OK, "" };
    if (!b->before)
        return TOLL_EXIT_OK;
    int unlike = toll_comparison_check(&b->job, &b->origins, TOLL_ORIGIN_MAKERS);
    if (unlike)
        return unlike;
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

/* Name tests of the last run that did not run now, whatever the rows are: at most some of them.
 * Their number is *count. Returns an exit status. */
static int find_gone(bench *b, size_t *count, toll_buffer *names)
{
    enum { NAMED = 3 };
    toll_profile *before = NULL, *after = NULL;
    toll_cases tests = { 0 };
    toll_error err = { TOLL_OK, "" };
    *count = 0;
    if (!b->last)
        return TOLL_EXIT_OK;
    bool failed =
        toll_profile_group_by(b->last, "test", &before, &err) ||
        toll_profile_group_by(b->sum, "test", &after, &err) ||
        toll_cases_create(&tests, before, after, &(toll_cases_options){ .by = "test" }, &err);
    for (size_t i = 0; !failed && i < tests.count; i++) {
        if (!tests.items[i].is_gone || !tests.items[i].names[0])
            continue;
        if (++*count <= NAMED)
            toll_buffer_append_format(names, "%s%s", *count > 1 ? ", " : "",
                                      tests.items[i].names[0]);
    }
    if (*count > NAMED)
        toll_buffer_append_format(names, ", and %zu more", *count - NAMED);
    toll_cases_free(&tests);
    toll_profile_free(before);
    toll_profile_free(after);
    return failed ? fail(b, &err) : TOLL_EXIT_OK;
}

/* Keep the profile, unless that would hide something from the next run. */
static int keep(bench *b, bool is_over)
{
    const toll_settings *s = b->job.settings;
    size_t gone;
    toll_buffer names;
    toll_buffer_init(&names, &b->job.allocator);
    int status = find_gone(b, &gone, &names);
    const char *text = (const char *)toll_buffer_cstr(&names);
    bool stays = !status && exists(s->output) && !s->replace && (is_over || gone);
    if (stays && is_over)
        toll_job_warn(&b->job,
                      "%s stays as it was, since a limit is exceeded; --replace replaces it",
                      s->output);
    else if (stays)
        toll_job_warn(&b->job,
                      "%s stays as it was, since tests did not run: %s; --replace replaces it",
                      s->output, text ? text : "");
    toll_buffer_free(&names);
    if (status || stays)
        return status;
    bool is_first = !exists(s->output);
    status = toll_program_sizes_keep(&b->job, &b->more.sizes, b->sum);
    if (!status)
        status = toll_job_save(&b->job, b->sum, NULL);
    if (!status && is_first && !s->quiet)
        toll_complain(0, "%s: kept, for the next run to be compared with", s->output);
    return status;
}

/* Hold each row to the limits, and keep the profile. */
static int finish(bench *b)
{
    int over = TOLL_EXIT_OK;
    if (b->job.settings->fail_over.count)
        over = toll_gate_growth(&b->job, b->before, b->after, b->difference, &b->cases,
                                b->job.settings->output);
    if (over && over != TOLL_EXIT_OVER)
        return over;
    int status = keep(b, over != TOLL_EXIT_OK);
    return over ? over : status;
}

static int print(bench *b, int argc, char **argv)
{
    toll_buffer title;
    toll_buffer_init(&title, &b->job.allocator);
    toll_recorded_command_title(&title, argc, argv);
    const char *text = toll_buffer_cstr(&title);
    int status = toll_case_table_print(&b->job, &b->cases, &b->more, NULL, text ? text : argv[0]);
    toll_buffer_free(&title);
    return status;
}

/* Run the tests, compare, print and keep. Returns an exit status. */
static int run_bench(bench *b, toll_settings *s, int argc, char **argv)
{
    int status = load_baseline(b);
    if (!status)
        status = run(b, argc, argv);
    if (!status)
        status = check_labels(b);
    if (!status)
        status = add_up(b);
    if (!status)
        status = compare(b);
    s->by = b->by;
    if (!status)
        status = toll_case_table_make(&b->job, b->before, b->after, TOLL_CASES_BY_NAME, &b->cases);
    if (!status)
        status = look_at_transactions(b);
    if (!status)
        status = print(b, argc, argv);
    if (!status)
        status = finish(b);
    return status;
}

int toll_cmd_bench(toll_settings *s, int argc, char **argv)
{
    bench b = { 0 };
    s->output = s->output ? s->output : TOLL_BENCH_FILE;
    toll_job_begin(&b.job, s);
    b.job.keeps_labels = true;
    int status = begin(&b, s, argc, argv);
    if (status < 0) {
        status = run_bench(&b, s, argc, argv);
        end(&b);
    }
    return toll_ci_end(&b.job, s->fail_over.count ? s->output : NULL, status);
}

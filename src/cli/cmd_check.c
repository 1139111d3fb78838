/* cmd_check.c - toll check: checks the invariants of profiles. */
#include "command.h"
#include "ci_files.h"
#include "gate.h"
#include "job.h"
#include "repeat.h"
#include "summary.h"

#include <string.h>

static void put_count(toll_output *out, const char *before, uint32_t count, const char *what)
{
    char text[TOLL_VALUE_TEXT_SIZE];
    toll_output_printf(out, "%s%s %s%s", before, toll_value_text(count, "count", text), what,
                       count == 1 ? "" : "s");
}

/* The sum of all self values. The check has shown that it does not overflow. */
static int64_t total(const toll_profile *p, uint32_t column)
{
    int64_t sum = 0;
    for (toll_node_id n = 0; n < toll_profile_node_count(p); n++)
        sum += toll_profile_self(p, n, column);
    return sum;
}

static int print_size(toll_job *job, const char *path, const toll_profile *p)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    int status = toll_job_stdout(job, &out);
    if (status)
        return status;
    toll_output_put_printable(out, path);
    toll_output_printf(out, ": ok");
    put_count(out, ": ", toll_profile_node_count(p) - toll_profile_thread_count(p), "stack");
    put_count(out, ", ", toll_profile_frame_count(p), "function");
    put_count(out, ", ", toll_profile_thread_count(p), "thread");
    for (uint32_t c = 0; c < toll_profile_column_count(p); c++) {
        toll_value_type v = toll_profile_column(p, c);
        char text[TOLL_VALUE_TEXT_SIZE];
        toll_output_printf(out, c ? ", " : "\n  in all: ");
        toll_output_put_printable(out, v.type);
        toll_output_printf(out, " %s", toll_value_text(total(p, c), v.unit, text));
    }
    toll_output_printf(out, "\n");
    return toll_job_finish(job, out, TOLL_OK, &err);
}

static int check(toll_job *job, const char *path)
{
    toll_profile *p;
    toll_error err = { TOLL_OK, "" };
    int status = toll_job_load(job, path, NULL, &p);
    if (status)
        return status;
    if (toll_profile_check(p, job->settings->difference, &err))
        status = toll_complain(TOLL_EXIT_BAD_INPUT, "%s: %s", path, err.text);
    else
        status = print_size(job, path, p);
    if (!status && job->settings->limits)
        status = toll_gate_limits(job, path, p);
    toll_profile_free(p);
    return status;
}

/* Check a profile against a budget, or by repeated runs, or both. */
static int hold(toll_job *job, int argc, char **argv)
{
    const toll_settings *s = job->settings;
    toll_profile *p = NULL;
    toll_rules rules = { 0 };
    toll_origin origin = { .runs = NULL };
    toll_error err = { TOLL_OK, "" };
    toll_allowance tight;
    int status = s->budget || s->write_budget ? toll_gate_read_budget(job, &rules) : TOLL_EXIT_OK;
    if (s->tight && !toll_allowance_parse(s->tight, strlen(s->tight), &tight))
        rules.tight = &tight;
    rules.is_partial = s->partial;
    job->origin = s->repeat.is_set ? NULL : &origin;
    if (!status)
        status = s->repeat.is_set ? toll_check_repeat(job, argc, argv, &p)
                                  : toll_gate_load(job, argc, argv, &p);
    job->origin = NULL;
    if (!status && s->repeat.is_set && p && toll_origin_take(&origin, &job->allocator, p, &err))
        status = toll_job_fail(job, &err); /* of the first run alone */
    if (!status && s->budget)
        status = toll_gate_hold(job, &rules, p, &origin);
    if (!status && s->write_budget)
        status = toll_gate_write(job, &rules, p);
    toll_profile_free(p);
    toll_origin_free(&origin);
    toll_rules_free(&rules);
    return status;
}

/* Check which options exclude each other: an exit status after a message, or -1. */
static int check_options(toll_settings *s, int argc, char **argv)
{
    if (s->repeat.is_set && (argc == 0 || s->repeat.value == 0))
        return toll_complain(TOLL_EXIT_USAGE, "check: --repeat runs a command once or more: toll "
                                              "check --repeat 3 -- script.lua");
    if (s->repeat.is_set && s->repeat.value == 1 && !s->budget && !s->write_budget)
        return toll_complain(TOLL_EXIT_USAGE, "check: --repeat 1 compares nothing; run it twice or "
                                              "more, or hold it to a --budget");
    if (argc == 0)
        return toll_complain(TOLL_EXIT_USAGE, "check: which file?");
    if ((s->ticks || s->heap) && !s->repeat.is_set)
        return toll_complain(TOLL_EXIT_USAGE, "check: --ticks and --heap are recorded by --repeat");
    if (argc > 1 && s->solana.logs)
        return toll_complain(TOLL_EXIT_USAGE, "check: --logs are those of one folder");
    if (s->before && !s->budget)
        return toll_complain(TOLL_EXIT_USAGE, "check: --before is compared with by --budget");
    if (s->budget && s->write_budget)
        return toll_complain(TOLL_EXIT_USAGE, "check: one of --budget and --write-budget");
    if (s->filter.where && !s->budget && !s->write_budget)
        return toll_complain(TOLL_EXIT_USAGE, "check: --where chooses what a --budget is held to");
    if (s->by && !s->budget)
        return toll_complain(TOLL_EXIT_USAGE, "check: --by holds each test to a --budget");
    if (s->tight && !s->budget)
        return toll_complain(TOLL_EXIT_USAGE, "check: --tight is for --budget");
    toll_allowance tight;
    const char *wrong = s->tight ? toll_allowance_parse(s->tight, strlen(s->tight), &tight) : NULL;
    if (wrong)
        return toll_complain(TOLL_EXIT_USAGE, "check: --tight: '%s' is no slack such as 5%%: %s",
                             s->tight, wrong);
    if (s->lower_only && !s->write_budget)
        return toll_complain(TOLL_EXIT_USAGE, "check: --lower-only is for --write-budget");
    if (s->partial && !s->budget && !s->write_budget)
        return toll_complain(TOLL_EXIT_USAGE,
                             "check: --partial is for --budget and --write-budget");
    if (s->limits && (s->budget || s->write_budget || s->repeat.is_set))
        return toll_complain(TOLL_EXIT_USAGE,
                             "check: --limits is for profiles alone, without a budget or --repeat");
    if (toll_gate_check_server(s))
        return TOLL_EXIT_USAGE;
    if ((s->markdown || s->summary || s->json || s->ctest) && !s->budget)
        return toll_complain(TOLL_EXIT_USAGE,
                             "check: --markdown, --summary, --json and --ctest are for --budget");
    if (s->json + s->markdown + s->ctest > 1)
        return toll_complain(TOLL_EXIT_USAGE, "check: one of --json, --markdown and --ctest");
    int status = toll_ci_check(s, "check", "--budget", s->budget != NULL, argc, argv);
    return status >= 0 ? status : toll_summary_check(s);
}

static int check_all(toll_job *job, int argc, char **argv)
{
    int worst = TOLL_EXIT_OK;
    job->keeps_labels = true; /* the file is checked unchanged */
    for (int i = 0; i < argc; i++) {
        int status = check(job, argv[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}

int toll_cmd_check(toll_settings *s, int argc, char **argv)
{
    toll_job job;
    bool has_rules = s->budget || s->write_budget || s->repeat.is_set;
    toll_job_begin(&job, s);
    int status = check_options(s, argc, argv);
    if (status < 0)
        status = has_rules ? hold(&job, argc, argv) : check_all(&job, argc, argv);
    return toll_ci_end(&job, s->budget, status);
}

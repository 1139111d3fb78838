/* run_repeat.c - runs a command several times and compares the profiles. See repeat.h.
 *
 * The command is a program for toll run; or any command, with {} in place of the file to which it
 * writes a profile. Each run has no input, and its output goes to standard error, since the
 * comparison is printed on standard output. */
#include "repeat.h"

#include "gate.h"
#include "gates/equal.h"
#include "progress.h"
#include "recorded_command.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct repeat {
    toll_job *job;
    toll_recorded_command command;
    toll_equal equal;
} repeat;

/* --- a run -------------------------------------------------------------------------------------*/

/* The command as given, or with toll run before it. */
static int begin(repeat *r, int argc, char **argv)
{
    const toll_settings *s = r->job->settings;
    const char *own[9] = { "/proc/self/exe", "run", "-q", "-o", "{}" };
    int n = 5;
    if (s->ticks)
        own[n++] = "--ticks";
    if (s->heap)
        own[n++] = "--heap";
    own[n] = "--";
    return toll_recorded_command_begin(&r->command, r->job,
                                       toll_has_profile_place(argc, argv) ? NULL : own, argc, argv);
}

/* Read the run's profile, without places, and compare it. */
static int add_run(repeat *r)
{
    toll_profile *p, *folded;
    toll_error err = { TOLL_OK, "" };
    int status = toll_job_load(r->job, r->command.profile, NULL, &p);
    if (status)
        return status;
    toll_status failed = toll_profile_check(p, 0, &err);
    if (!failed && toll_profile_has_places(p)) {
        failed = toll_profile_fold_places(p, &folded, &err);
        if (!failed) {
            toll_profile_free(p);
            p = folded;
        }
    }
    if (!failed)
        failed = toll_equal_add(&r->equal, p, &err);
    if (p != r->equal.first)
        toll_profile_free(p);
    return failed ? toll_job_fail(r->job, &err) : TOLL_EXIT_OK;
}

static int run_all(repeat *r)
{
    uint32_t times = r->job->settings->repeat.value;
    int status = TOLL_EXIT_OK;
    toll_progress_end();
    for (uint32_t i = 1; !status && i <= times; i++) {
        char who[24];
        snprintf(who, sizeof who, "run %" PRIu32, i);
        status = toll_recorded_command_run(&r->command, who);
        if (!status)
            status = add_run(r);
    }
    return status;
}

/* --- the whole ---------------------------------------------------------------------------------*/

static int say(repeat *r)
{
    toll_output *out;
    toll_findings findings;
    toll_error err = { TOLL_OK, "" };
    const toll_settings *s = r->job->settings;
    bool is_shown = !s->quiet && !s->json && s->repeat.value > 1; /* one run equals itself */
    int status = is_shown ? toll_job_stdout(r->job, &out) : TOLL_EXIT_OK;
    if (status)
        return status;
    if (is_shown) {
        toll_equal_put(&r->equal, out);
        status = toll_job_finish(r->job, out, TOLL_OK, &err);
    }
    toll_findings_init(&findings, &r->job->allocator);
    if (!status && toll_equal_check(&r->equal, s->format.value, &findings, &err))
        status = toll_job_fail(r->job, &err);
    if (!status)
        status = toll_gate_finish(r->job, &findings);
    toll_findings_free(&findings);
    return status;
}

int toll_check_repeat(toll_job *job, int argc, char **argv, toll_profile **out)
{
    repeat r = { .job = job };
    *out = NULL;
    toll_equal_init(&r.equal, &job->allocator);
    int status = begin(&r, argc, argv);
    if (!status)
        status = run_all(&r);
    if (!status)
        status = say(&r);
    if (!status) {
        *out = r.equal.first;
        r.equal.first = NULL;
    }
    toll_recorded_command_end(&r.command);
    toll_equal_free(&r.equal);
    return status;
}

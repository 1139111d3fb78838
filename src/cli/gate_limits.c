/* gate_limits.c - toll check --limits. See gate.h. */
#include "gate.h"

#include "gates/server_limits.h"

#include <time.h>

/* Seconds since the profile began; 0 if that is not known, or in the future. */
static uint64_t age_of(const toll_profile *p)
{
    int64_t start = toll_profile_start_ns(p) / 1000000000, now = (int64_t)time(NULL);
    return start > 0 && start < now ? (uint64_t)(now - start) : 0;
}

static int put_table(toll_job *job, const toll_limits *limits)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    if (job->settings->quiet)
        return TOLL_EXIT_OK;
    int status = toll_job_stdout(job, &out);
    if (status)
        return status;
    toll_limits_put(limits, out);
    return toll_job_finish(job, out, TOLL_OK, &err);
}

static int finish(toll_job *job, const toll_limits *limits, const toll_profile *p, const char *path)
{
    toll_findings findings;
    int status = put_table(job, limits);
    if (status)
        return status;
    toll_findings_init(&findings, &job->allocator);
    toll_limits_find(limits, p, path, &findings);
    status = toll_gate_finish(job, &findings);
    toll_findings_free(&findings);
    return status;
}

int toll_gate_check_server(const toll_settings *s)
{
    size_t count;
    toll_error err = { TOLL_OK, "" };
    if (s->limits && !toll_server_limits(s->limits, &count, &err))
        return toll_complain(TOLL_EXIT_USAGE, "check: --limits: %s", err.text);
    return TOLL_EXIT_OK;
}

int toll_gate_limits(toll_job *job, const char *path, const toll_profile *p)
{
    toll_limits limits = { .mem = job->allocator };
    toll_output *pprof = NULL;
    toll_error err = { TOLL_OK, "" };
    size_t count, size;
    const toll_server_limit *rows = toll_server_limits(job->settings->limits, &count, &err);
    toll_status status =
        rows ? toll_output_to_memory(&job->allocator, 0, &pprof, &err) : err.status;
    if (!status)
        status = toll_profile_write(p, NULL, "pprof", &job->format_options, pprof, &err);
    if (!status)
        status = toll_output_commit(pprof, &err);
    if (!status) {
        const void *data = toll_output_data(pprof, &size);
        status =
            toll_limits_measure(&limits, &job->allocator, rows, count, data, size, age_of(p), &err);
    }
    int exit_status = status ? toll_job_fail(job, &err) : finish(job, &limits, p, path);
    toll_limits_free(&limits);
    toll_output_free(pprof);
    return exit_status;
}

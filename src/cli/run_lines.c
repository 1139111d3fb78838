/* run_lines.c - after a run with --lines: the lines of what a module recorded as addresses. Debug
 * information is read here, since the process that ran the module cannot. See run.h. */
#include "debug_files.h"
#include "run.h"

/* Replace the file by one with lines; the file stays as it is if that fails. */
static void rewrite(toll_job *job, const toll_run *run)
{
    toll_profile *p;
    toll_error err = { TOLL_OK, "" };
    toll_status status = toll_profile_load(&job->allocator, run->output, run->format->name,
                                           &job->format_options, NULL, &p, &err);
    if (!status && toll_debug_files_apply(job, &p) == TOLL_EXIT_OK)
        status =
            toll_profile_save(p, NULL, run->output, run->format->name, &job->format_options, &err);
    if (status)
        toll_job_fail(job, &err);
    toll_profile_free(p);
}

void toll_run_find_lines(const toll_run *run, toll_settings *s)
{
    toll_job job;
    bool holds_places = run->format->reads && (run->format->keeps & TOLL_KEEPS_PLACES);
    const char *module = run->argv[0];
    if (!s->lines || !holds_places || !toll_run_is_file(run->output))
        return;
    s->debugs = (toll_texts){ .items = &module, .count = 1 };
    toll_job_begin(&job, s);
    rewrite(&job, run);
    s->debugs = (toll_texts){ 0 };
}

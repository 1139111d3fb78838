/* run_lines.c - a run with --lines: what a module recorded as addresses gets its lines after it.
 * Debug information is read here, since the process that ran the module cannot. See run.h. */
#define _POSIX_C_SOURCE 200809L /* st_mtim */
#include "debug_files.h"
#include "run.h"

#include <sys/stat.h>

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

/* A profile is written under another name and then renamed, so a new one is another file. */
static bool is_other_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev != b->st_dev || a->st_ino != b->st_ino ||
           a->st_mtim.tv_sec != b->st_mtim.tv_sec || a->st_mtim.tv_nsec != b->st_mtim.tv_nsec;
}

int toll_run_wasm_lines(const toll_run *run, toll_settings *s)
{
    toll_job job;
    struct stat before = { 0 }, after;
    const char *module = run->argv[0];
    bool holds_places = run->format->reads && (run->format->keeps & TOLL_KEEPS_PLACES);
    stat(run->output, &before);
    int status = toll_run_wasm(run);
    if (!holds_places || stat(run->output, &after) != 0 || !S_ISREG(after.st_mode) ||
        !is_other_file(&before, &after))
        return status;
    s->debugs = (toll_texts){ .items = &module, .count = 1 };
    toll_job_begin(&job, s);
    rewrite(&job, run);
    s->debugs = (toll_texts){ 0 };
    return status;
}

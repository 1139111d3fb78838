/* run_lines.c - runs a module with --lines: adds lines to what was recorded as addresses. Also
 * makes a page from what was recorded, since the process cannot write one. Debug information is
 * read here, since the process that ran the module cannot. See run.h. */
#define _POSIX_C_SOURCE 200809L
#include "debug_files.h"
#include "run.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* What to do with the file that the module's process writes. */
typedef struct lines {
    toll_job job;
    const toll_run *run; /* the run that the user asked for */
    bool is_apart;       /* the process writes another file than the user asked for */
} lines;

/* Keep the recorded file, since there is no file with lines. */
static int keep(const lines *l, const toll_run *recorded, const toll_error *err)
{
    toll_job_fail(&l->job, err);
    if (!l->is_apart)
        return TOLL_EXIT_OK;
    return toll_complain(TOLL_EXIT_BAD_INPUT,
                         "%s: has what the run recorded; toll convert "
                         "--debug makes other files of it",
                         recorded->output);
}

/* Load the timeline, which a page contains as well; NULL: there is none. */
static void load_timeline(const lines *l, toll_timeline **timeline)
{
    toll_profile *unwanted;
    toll_error err = { TOLL_OK, "" };
    const char *path = toll_run_writes_page(l->run) ? toll_run_page_timeline(l->run) : NULL;
    *timeline = NULL;
    if (!path)
        return;
    if (toll_profile_load(&l->job.allocator, path, NULL, &l->job.format_options, timeline,
                          &unwanted, &err))
        toll_job_fail(&l->job, &err);
    else
        toll_profile_free(unwanted);
}

/* Did a recorded function of the module run? Otherwise there is nothing to find lines for. */
static bool has_functions(const toll_profile *p)
{
    for (toll_frame_id i = 0; i < toll_profile_frame_count(p); i++)
        if (*toll_profile_frame(p, i).build_id)
            return true;
    return false;
}

/* Write the file with lines. If no lines are found, the recorded profile is used without; a file
 * that is already in the right format is not changed. */
static int find_lines(const toll_run *recorded, void *user)
{
    lines *l = user;
    toll_profile *p;
    toll_timeline *timeline;
    toll_error err = { TOLL_OK, "" };
    if (toll_profile_load(&l->job.allocator, recorded->output, recorded->format->name,
                          &l->job.format_options, NULL, &p, &err))
        return keep(l, recorded, &err);
    toll_debug_files mapped = { .job = NULL };
    int failed = has_functions(p) ? toll_debug_files_apply(&l->job, NULL, &p, &mapped) : 0;
    l->job.settings->debugs.count = mapped.count; /* run_view.c has their texts in its page */
    toll_debug_files_free(&mapped);
    toll_status status = TOLL_OK;
    if (l->job.keeps_blocks && !failed && !toll_run_is_component(l->run->argv[0]))
        status = toll_debug_files_remember(p, l->run->argv[0], &err);
    load_timeline(l, &timeline);
    if (!status && (!failed || l->is_apart))
        status = toll_profile_save_as(p, timeline, l->run->output, l->run->format->name,
                                      &l->job.format_options, &err);
    toll_timeline_free(timeline);
    toll_profile_free(p);
    if (status)
        return keep(l, recorded, &err);
    if (l->is_apart)
        unlink(recorded->output);
    return l->run->written ? l->run->written(l->run, l->run->written_user) : TOLL_EXIT_OK;
}

/* Can the output get lines? A pipe or a device gets what the process writes, unchanged; so do the
 * files of a kernel's levels, which are named after the output. */
static bool can_have_lines(const toll_run *run)
{
    struct stat st;
    bool is_special = stat(run->output, &st) == 0 && !S_ISREG(st.st_mode);
    const toll_settings *s = run->settings;
    return run->format->keeps & TOLL_KEEPS_PLACES && !is_special && !s->format.flamechart &&
           (run->format->reads || !s->kernel);
}

/* Let the process write a file in the native format beside the output. Returns an exit status, or
 * -1: continue. */
static int record_apart(toll_run *recorded)
{
    const toll_run *run = recorded;
    int status = toll_run_check_outputs(run);
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s.%ld.pb.gz", run->output, (long)getpid());
    if (status >= 0)
        return status;
    if (n < 0 || n >= PATH_MAX)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: the name is too long; choose a shorter one",
                             run->output);
    snprintf(recorded->output, sizeof recorded->output, "%s", path);
    recorded->format = toll_format_named("pprof");
    return -1;
}

int toll_run_wasm_lines(const toll_run *run, toll_settings *s)
{
    const char *module = run->argv[0];
    toll_run recorded = *run;
    lines l = { .run = run, .is_apart = !run->format->reads };
    if (!can_have_lines(run))
        return toll_run_wasm(run);
    int status = l.is_apart ? record_apart(&recorded) : -1;
    if (status >= 0)
        return status;
    if (s->lines && !toll_run_is_component(module)) /* which run.cjs has resolved itself */
        s->debugs = (toll_texts){ .items = &module, .count = 1 };
    toll_job_begin(&l.job, s);
    l.job.selects_later = false; /* the run has already selected stacks */
    l.job.format_options.title = toll_job_title(module);
    l.job.keeps_blocks = !l.is_apart;
    recorded.shown = run->output;
    recorded.written = find_lines;
    recorded.written_user = &l;
    status = toll_run_wasm(&recorded);
    s->debugs = (toll_texts){ 0 };
    return status;
}

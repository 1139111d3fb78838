/* cmd_view.c - toll view: a profile, or two beside one another, as a page for the browser. */
#include "command.h"
#include "debug_files.h"
#include "job.h"
#include "progress.h"

#include "base/os.h"

static int load(toll_job *job, const char *path, toll_profile **out)
{
    int failed = toll_job_load(job, path, NULL, out);
    return failed ? failed : toll_debug_files_apply(job, out);
}

static int write_page(toll_job *job, const toll_profile *p, const toll_profile *before,
                      const toll_page_options *o, const char *path)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    toll_progress_begin(!job->settings->quiet, "writing", path);
    if (toll_output_open(&job->allocator, path, 0, &out, &err))
        return toll_job_fail(job, &err);
    toll_status status = toll_report_page(p, before, o, out, &err);
    return toll_job_finish(job, out, status, &err);
}

int toll_cmd_view(toll_settings *s, int argc, char **argv)
{
    toll_job job;
    toll_profile *p = NULL, *before = NULL;
    if (argc < 1 || argc > 2)
        return toll_complain(TOLL_EXIT_USAGE, "view: IN, or IN BEFORE to compare");
    if (!s->output)
        return toll_complain(TOLL_EXIT_USAGE, "view: name a file with -o");
    s->lines = 1;
    toll_job_begin(&job, s);
    int failed = load(&job, argv[0], &p);
    if (!failed && argc == 2)
        failed = load(&job, argv[1], &before);
    if (!failed) {
        toll_page_options o = {
            .size = sizeof o,
            .title = toll_os_file_name(argv[0]),
            .before = argc == 2 ? toll_os_file_name(argv[1]) : NULL,
            .value = s->format.value,
        };
        failed = write_page(&job, p, before, &o, s->output);
    }
    toll_profile_free(p);
    toll_profile_free(before);
    return failed;
}

/* cmd_convert.c - toll convert: reads any known format and writes any other. */
#include "command.h"
#include "debug_files.h"
#include "job.h"

int toll_cmd_convert(toll_settings *s, int argc, char **argv)
{
    toll_job job;
    toll_profile *p = NULL;
    toll_timeline *timeline = NULL;
    if (argc == 0)
        return toll_complain(TOLL_EXIT_USAGE, "convert: which file? - is standard input");
    if (argc > 1 && s->solana.logs)
        return toll_complain(TOLL_EXIT_USAGE, "convert: --logs are those of one folder; convert "
                                              "each, then toll merge");
    toll_job_begin(&job, s);
    job.keeps_labels = true;
    int status = toll_job_check_output(&job);
    if (!status)
        status = toll_job_load_all(&job, argc, argv, &timeline, &p);
    if (status)
        return status;
    job.format_options.title = argc == 1 ? toll_job_title(argv[0]) : NULL;
    const toll_format *format = s->to ? toll_format_named(s->to) : toll_format_for_path(s->output);
    job.keeps_blocks = format->reads && format->keeps & TOLL_KEEPS_PLACES;
    status = toll_debug_files_apply(&job, &timeline, &p, NULL);
    if (!status)
        status = toll_job_save(&job, p, timeline);
    toll_profile_free(p);
    toll_timeline_free(timeline);
    return status;
}

/* cmd_merge.c - toll merge: adds profiles up. */
#include "command.h"
#include "merge_files.h"

int toll_cmd_merge(toll_settings *s, int argc, char **argv)
{
    toll_job job;
    toll_shared_budget memory;
    toll_profile *p = NULL;
    if (argc == 0 && !s->files_from)
        return toll_complain(TOLL_EXIT_USAGE, "merge: which files?");
    toll_job_begin(&job, s);
    job.keeps_labels = true;
    job.is_part = true;
    toll_job_share_memory(&job, &memory);
    int status = toll_job_check_output(&job);
    if (!status)
        status = toll_merge_files(&job, argc, argv, &p);
    if (!status)
        status = toll_job_end_sum(&job, &p);
    if (!status)
        status = toll_job_save(&job, p, NULL);
    toll_profile_free(p);
    return status;
}

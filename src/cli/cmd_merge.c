/* cmd_merge.c - toll merge: adds profiles up. */
#include "command.h"
#include "job.h"

int toll_cmd_merge(toll_settings *s, int argc, char **argv)
{
    toll_job job;
    toll_profile *p = NULL;
    if (argc == 0)
        return toll_complain(TOLL_EXIT_USAGE, "merge: which files?");
    toll_job_begin(&job, s);
    int status = toll_job_check_output(&job);
    if (!status)
        status = toll_job_load_all(&job, argc, argv, NULL, &p);
    if (status)
        return status;
    status = toll_job_save(&job, p, NULL);
    toll_profile_free(p);
    return status;
}

/* cmd_check.c - toll check: profiles held to their invariants. */
#include "command.h"

#include <stdio.h>

static int check(toll_job *job, const char *path)
{
    toll_profile *p;
    toll_error err = { TOLL_OK, "" };
    int status = toll_job_load(job, path, NULL, &p);
    if (status)
        return status;
    if (toll_profile_check(p, 0, &err))
        status = toll_complain(TOLL_EXIT_BAD_INPUT, "%s: %s", path, err.text);
    else
        printf("%s: ok: %u stacks, %u functions, %u threads, %u value types\n", path,
               toll_profile_node_count(p) - toll_profile_thread_count(p),
               toll_profile_frame_count(p), toll_profile_thread_count(p),
               toll_profile_column_count(p));
    toll_profile_free(p);
    return status;
}

int toll_cmd_check(toll_settings *s, int argc, char **argv)
{
    toll_job job;
    int worst = TOLL_EXIT_OK;
    if (argc == 0)
        return toll_complain(TOLL_EXIT_USAGE, "check: which file?");
    toll_job_begin(&job, s);
    for (int i = 0; i < argc; i++) {
        int status = check(&job, argv[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}

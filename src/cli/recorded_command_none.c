/* recorded_command_none.c - for systems where toll does not start programs. See recorded_command.h.
 */
#include "recorded_command.h"

#if defined(_WIN32) || defined(__wasi__)

bool toll_has_profile_place(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return false;
}

int toll_recorded_command_begin(toll_recorded_command *c, toll_job *job, const char *const *own,
                                int argc, char **argv)
{
    (void)own;
    (void)argc;
    (void)argv;
    *c = (toll_recorded_command){ .job = job };
    return toll_complain(
        TOLL_EXIT_BAD_INPUT,
        "programs are run on Linux and macOS only: run the tests with TOLL_OUT and "
        "TOLL_BY=test there, and compare their profiles by toll diff --each");
}

void toll_recorded_command_end(toll_recorded_command *c)
{
    (void)c;
}

int toll_recorded_command_run(toll_recorded_command *c, const char *who)
{
    (void)c;
    (void)who;
    return TOLL_EXIT_BAD_INPUT;
}

bool toll_recorded_command_interrupted(void)
{
    return false;
}

#endif

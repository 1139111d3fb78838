/* repeat.h - toll check --repeat: runs a program several times, and compares the profiles. */
#ifndef TOLL_CLI_REPEAT_H
#define TOLL_CLI_REPEAT_H

#include "job.h"

/* Run the command settings->repeat times and print which values were equal; *out is then the first
 * run's profile, without places, the caller's to free. Returns an exit status; TOLL_EXIT_OVER if a
 * value differs that was asked for, *out is NULL then. */
int toll_check_repeat(toll_job *job, int argc, char **argv, toll_profile **out);

#endif

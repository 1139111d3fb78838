/* repeat.h - toll check --repeat: runs a program several times, and compares the profiles. */
#ifndef TOLL_CLI_REPEAT_H
#define TOLL_CLI_REPEAT_H

#include "job.h"

/* Run the command settings->repeat times and print which values were equal. *out is then the first
 * run's profile, without places, which the caller frees. Returns an exit status; TOLL_EXIT_OVER,
 * and *out is NULL, if a wanted value differs. */
int toll_check_repeat(toll_job *job, int argc, char **argv, toll_profile **out);

#endif

/* comparison.h - prepares the two profiles of a comparison, and refuses what would be no
 * comparison: runs of unlike interpreters, tables of costs, or numbers of runs. */
#ifndef TOLL_CLI_COMPARISON_H
#define TOLL_CLI_COMPARISON_H

#include "job.h"

/* Of what the two profiles of a comparison are. */
typedef struct toll_comparison {
    toll_origin before, after;
    bool may_divide; /* the command has --per-run */
} toll_comparison;

void toll_comparison_free(toll_comparison *comparison);

/* Read the two files of toll diff, or two selections of one file, each as toll_job_load does; match
 * functions that have moved; and with --per-run divide by the numbers of runs: values are then
 * those of *runs. Returns an exit status, after a message if it failed. */
int toll_comparison_load(toll_job *job, int count, char **paths, toll_profile **before,
                         toll_profile **after, int64_t *runs);

/* What two profiles must have in common to be compared by the settings: the makers if another value
 * than time is shown or limited, and the numbers of runs, unless they are divided. */
unsigned toll_comparison_checks(const toll_settings *settings, const toll_profile *after);

/* Refuse to compare unlike runs, unless --across was given: an exit status, after a message. */
int toll_comparison_check(const toll_job *job, const toll_comparison *comparison, unsigned checks);

#endif

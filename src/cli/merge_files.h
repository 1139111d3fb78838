/* merge_files.h - adds up any number of profiles, by several threads. */
#ifndef TOLL_CLI_MERGE_FILES_H
#define TOLL_CLI_MERGE_FILES_H

#include "job.h"

/* Add up the operands and what the settings' list names, by settings->jobs threads. *out is a new
 * profile, which does not depend on their number or on which was faster; nor does what is said: of
 * files that cannot be read the first in the order of the inputs is named. The job's allocator is
 * one that threads may share (shared_budget.h). Returns an exit status, after a message if it
 * failed. */
int toll_merge_files(toll_job *job, int count, char **operands, toll_profile **out);

#endif

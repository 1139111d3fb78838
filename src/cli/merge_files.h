/* merge_files.h - adds up any number of profiles, by several threads. */
#ifndef TOLL_CLI_MERGE_FILES_H
#define TOLL_CLI_MERGE_FILES_H

#include "job.h"

/* Add up the operands and the files of the settings' list, by settings->jobs threads. *out is a new
 * profile. It does not depend on the number or speed of threads, and neither do the messages: of
 * files that cannot be read, the first in the order of the inputs is named. Threads must be able to
 * share the job's allocator (shared_budget.h). Returns an exit status, after a message if it
 * failed. */
int toll_merge_files(toll_job *job, int count, char **operands, toll_profile **out);

#endif

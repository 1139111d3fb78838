/* selection.h - what is said where options choose stacks of a profile, or its labels, and nothing
 * is there: names are often misspelt. */
#ifndef TOLL_CLI_SELECTION_H
#define TOLL_CLI_SELECTION_H

#include "job.h"

/* Do options choose stacks? */
bool toll_job_chooses(const toll_settings *s);

/* Warn if no stack was chosen, or no thread has a label that --by names.
 *   path  of the file; "": it has no name, or is a sum
 *   keys  of the file's labels (label_keys.h); NULL: not known */
void toll_job_warn_selection(const toll_job *job, const char *path, const toll_profile *selected,
                             const char *keys);

/* What --fail-over cannot hold, since options chose no stack: a line for the findings in
 * text[size]. False: there are stacks. A label must be in both profiles, as neither a wrong name
 * nor a commit without a profile may pass; a function may be new, or gone. */
bool toll_job_chose_nothing(const toll_job *job, const toll_profile *before,
                            const toll_profile *after, char *text, size_t size);

#endif

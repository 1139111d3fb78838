/* selection.h - warns if options selected no stacks of a profile, or labels that it does not
 * have: names are often misspelt. */
#ifndef TOLL_CLI_SELECTION_H
#define TOLL_CLI_SELECTION_H

#include "job.h"

/* Do the options select stacks? */
bool toll_job_chooses(const toll_settings *s);

/* Write the labels of a setting, which has one a line, as one line: "commit=a host=b". */
void toll_labels_line(const char *where, char *text, size_t size);

/* Warn if no stack was selected, or no thread has a label that --by names.
 *   path  of the file; "": it has no name, or is a sum
 *   keys  of the file's labels (label_keys.h); NULL: not known */
void toll_job_warn_selection(const toll_job *job, const char *path, const toll_profile *selected,
                             const char *keys);

/* Did the options select no stack, so that --fail-over has nothing to check? Then text[size] is a
 * line for the findings. A label must be in both profiles, since neither a wrong name nor a commit
 * without a profile may pass; a function may be new, or gone. */
bool toll_job_chose_nothing(const toll_job *job, const toll_profile *before,
                            const toll_profile *after, char *text, size_t size);

#endif

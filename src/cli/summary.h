/* summary.h - writes --summary, which a step of GitHub's Actions shows after it has ended, and
 * --markdown. */
#ifndef TOLL_CLI_SUMMARY_H
#define TOLL_CLI_SUMMARY_H

#include "job.h"

/* Check, before work begins, that there is a summary to append to. Returns an exit status after a
 * message, or -1: continue. */
int toll_summary_check(const toll_settings *settings);

/* The file to append to, or NULL. */
const char *toll_summary_path(void);

/* Write a part of Markdown, which `put` prints: append it to the summary with --summary, print it
 * on standard output with --markdown; otherwise nothing. Returns an exit status, after a message if
 * it failed. */
typedef toll_status (*toll_summary_fn)(const void *user, toll_output *out, toll_error *err);
int toll_summary_put(toll_job *job, toll_summary_fn put, const void *user);

/* Write a heading with the name of a file; and of a second one that it was compared with, or
 * NULL. */
void toll_summary_put_title(toll_output *out, const char *name, const char *after);

#endif

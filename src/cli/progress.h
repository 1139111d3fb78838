/* progress.h - shows a line on a terminal while work takes long: "DOING NAME", and how much of it
 * is done. If other work begins meanwhile, the line changes. */
#ifndef TOLL_CLI_PROGRESS_H
#define TOLL_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Begin showing progress, unless it is not wanted or standard error is not a terminal. */
void toll_progress_begin(bool is_wanted, const char *doing, const char *name);

/* A toll_progress_fn; `user` is not used. */
void toll_progress_at(void *user, uint64_t done, uint64_t whole);

/* Remove the line: until the timer shows it again, or for good. */
void toll_progress_clear(void);
void toll_progress_end(void);

#endif

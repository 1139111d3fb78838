/* progress.h - a line on a terminal while work takes long: "DOING NAME", and how much of it is
 * done. If other work begins meanwhile, the line changes to that. */
#ifndef TOLL_CLI_PROGRESS_H
#define TOLL_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Nothing is shown if it is not wanted, or if standard error is not a terminal. */
void toll_progress_begin(bool is_wanted, const char *doing, const char *name);

/* A toll_progress_fn; `user` is not used. */
void toll_progress_at(void *user, uint64_t done, uint64_t whole);

/* Remove the line: until the timer shows it again, or for good. */
void toll_progress_clear(void);
void toll_progress_end(void);

#endif

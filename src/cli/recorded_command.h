/* recorded_command.h - runs a command that writes a profile to a file, in a folder of its own that
 * is removed afterwards: for toll check --repeat and toll bench. */
#ifndef TOLL_CLI_RECORDED_COMMAND_H
#define TOLL_CLI_RECORDED_COMMAND_H

#include "job.h"

#include "base/buffer.h"

#include <limits.h>

typedef struct toll_recorded_command {
    toll_job *job;
    char folder[PATH_MAX / 2], profile[PATH_MAX];
    const char *by;    /* if not NULL: the command has TOLL_OUT, this as TOLL_BY, and as TOLL_RUN
                        * what no other run has: what is written to TOLL_OUT is added up */
    char **line;       /* NULL-terminated */
    toll_buffer *made; /* the arguments in `line` that had {} in them */
    size_t count;      /* arguments of the command */
} toll_recorded_command;

/* Make the folder, and the command's line: `own` (NULL-terminated; NULL: none) and then argv, in
 * which each {} stands for the profile; "{}" in `own`, too. Call toll_recorded_command_end in any
 * case. Returns an exit status, after a message if it failed. */
int toll_recorded_command_begin(toll_recorded_command *command, toll_job *job,
                                const char *const *own, int argc, char **argv);
void toll_recorded_command_end(toll_recorded_command *command);

/* Has an argument a place for the profile? */
bool toll_has_profile_place(int argc, char **argv);

/* Run it, without input and with its output on standard error (with --quiet nowhere). Returns an
 * exit status, after a message about `who` ("run 2") if it failed, or has written no profile. */
int toll_recorded_command_run(const toll_recorded_command *command, const char *who);

#endif

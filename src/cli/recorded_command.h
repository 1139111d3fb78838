/* recorded_command.h - runs a command that writes a profile to a file, in a folder of its own that
 * is removed afterwards: for toll check --repeat, toll bench and toll compare. */
#ifndef TOLL_CLI_RECORDED_COMMAND_H
#define TOLL_CLI_RECORDED_COMMAND_H

#include "job.h"

#include "base/buffer.h"

#include <limits.h>

/* What the command has as TOLL_OUT. */
typedef enum toll_recorded_out {
    TOLL_OUT_AS_IT_IS, /* what toll has */
    TOLL_OUT_NAMED,    /* the profile, and as TOLL_RUN what no other run has: what is written there
                        * is added up */
    TOLL_OUT_NONE      /* nothing: it records nothing */
} toll_recorded_out;

typedef struct toll_recorded_command {
    toll_job *job;
    char folder[PATH_MAX / 2], profile[PATH_MAX];
    toll_recorded_out out;
    const char *by;    /* TOLL_BY, with TOLL_OUT_NAMED; NULL: as it is */
    const char *input; /* the file that is its standard input; NULL: it has none */
    bool may_lack_profile;
    char **line;       /* NULL-terminated */
    toll_buffer *made; /* the arguments in `line` that had {} in them */
    size_t count;      /* arguments of the command */
    /* Of the last run: */
    bool has_profile;
    uint64_t wall_ns, cpu_ns; /* CPU time of user and system, also of its children that it waited
                               * for */
} toll_recorded_command;

/* Make the folder, and the command's line: `own` (NULL-terminated; NULL: none) and then argv, in
 * which each {} stands for the profile; "{}" in `own`, too. Call toll_recorded_command_end in any
 * case. Between the two SIGINT and SIGTERM end the run, and not this process, which has files to
 * remove. Returns an exit status, after a message if it failed. */
int toll_recorded_command_begin(toll_recorded_command *command, toll_job *job,
                                const char *const *own, int argc, char **argv);
void toll_recorded_command_end(toll_recorded_command *command);

/* Append the command's words, as a title. */
static inline void toll_recorded_command_title(toll_buffer *title, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        toll_buffer_append_text(title, i ? " " : "");
        toll_buffer_append_text(title, argv[i]);
    }
}

/* Has an argument a place for the profile? */
bool toll_has_profile_place(int argc, char **argv);

/* Run it, with its output on standard error (with --quiet nowhere). Returns an exit status, after a
 * message about `who` ("run 2") if it failed, or has written no profile. */
int toll_recorded_command_run(toll_recorded_command *command, const char *who);

/* Has there been such a signal since the first toll_recorded_command_begin? */
bool toll_recorded_command_interrupted(void);

#endif

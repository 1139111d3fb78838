/* ci_files.h - the files that --junit, --openmetrics and --code-quality name, for systems of
 * continuous integration. */
#ifndef TOLL_CLI_CI_FILES_H
#define TOLL_CLI_CI_FILES_H

#include "job.h"

#include "gates/verdicts.h"

/* Does the command line name such a file? */
bool toll_ci_is_asked(const toll_settings *settings);

/* Check the options of `command` before work begins: such files need the option `gate`, which
 * `is_gated` says was given. One that would replace another file of the command line, such as the
 * budget or an operand, is refused, and none is written then. Returns an exit status after a
 * message, or -1: continue. */
int toll_ci_check(toll_settings *settings, const char *command, const char *gate, bool is_gated,
                  int argc, char **argv);

/* The folder of the repository, to which paths are relative: GITHUB_WORKSPACE, CI_PROJECT_DIR
 * (GitLab) or WORKSPACE (Jenkins); NULL: none is set. */
const char *toll_ci_workspace(void);

/* Write the files, each whole or not at all. Returns an exit status, after a message if it failed.
 */
int toll_ci_write(toll_job *job, const toll_verdicts *verdicts);

/* At the end of a command that returns `status`: if it has written no verdicts since nothing was
 * compared, write files, and with --json of toll check an object, that say so: the last message is
 * the error. `suite` is the budget or profile; NULL: nothing is
 * held to limits, so there is nothing to write. Returns the exit status of the command. */
int toll_ci_end(toll_job *job, const char *suite, int status);

#endif

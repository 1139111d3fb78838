/* gate.h - what commands that hold profiles to limits share: printing what was found. */
#ifndef TOLL_CLI_GATE_H
#define TOLL_CLI_GATE_H

#include "job.h"

#include "gates/findings.h"

/* Print the findings on standard error, and as annotations where these are wanted. Returns
 * TOLL_EXIT_OVER if there are any, or another exit status after a message. */
int toll_gate_finish(toll_job *job, const toll_findings *findings);

/* toll diff --fail-over: an exit status, TOLL_EXIT_OVER if something grew too much. */
int toll_gate_growth(toll_job *job, const toll_profile *before, const toll_profile *after,
                     const toll_profile *difference);

/* The profiles added up, without places, of which the invariants hold. Returns an exit status; on
 * failure *out is NULL. */
int toll_gate_load(toll_job *job, int count, char **paths, toll_profile **out);

/* toll check --budget and --write-budget of a profile without places: an exit status,
 * TOLL_EXIT_OVER if a rule fails. */
int toll_gate_hold(toll_job *job, const toll_profile *profile);
int toll_gate_write(toll_job *job, const toll_profile *profile);

/* Is the server of --limits known? TOLL_EXIT_OK, or another exit status after a message. */
int toll_gate_check_server(const toll_settings *settings);

/* toll check --limits of a profile that was read from `path`: an exit status, TOLL_EXIT_OVER if the
 * server would lose something of it. */
int toll_gate_limits(toll_job *job, const char *path, const toll_profile *profile);

#endif

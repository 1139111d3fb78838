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

/* toll check --budget and --write-budget, of the profiles added up. */
int toll_gate_budget(toll_job *job, int count, char **paths);
int toll_gate_write_budget(toll_job *job, int count, char **paths);

#endif

/* gate.h - loads profiles, checks them against limits and prints findings, for all commands that
 * have limits. */
#ifndef TOLL_CLI_GATE_H
#define TOLL_CLI_GATE_H

#include "job.h"

#include "gates/cases.h"
#include "gates/findings.h"
#include "gates/rules.h"

/* Print the findings on standard error, and as annotations if the settings ask for them. Returns
 * TOLL_EXIT_OVER if there are any, or another exit status after a message. */
int toll_gate_finish(toll_job *job, const toll_findings *findings);

/* Are the limits of --fail-over such? To be called before files are read, or programs run.
 * TOLL_EXIT_OK, or another exit status after a message. */
int toll_gate_check_limits(const toll_settings *settings);

/* --fail-over: returns an exit status, TOLL_EXIT_OVER if something grew too much.
 *   cases  hold each of these to the limits; NULL: the whole, or with --by-function each function
 *   name   of AFTER, in the files for CI systems
 */
int toll_gate_growth(toll_job *job, const toll_profile *before, const toll_profile *after,
                     const toll_profile *difference, const toll_cases *cases, const char *name);

/* Read the budget of --budget, or of --write-budget if it exists, before the profiles: its rules,
 * and --by, say which labels these keep. Free it by toll_rules_free, also after a failure. Returns
 * an exit status, after a message if it failed. */
int toll_gate_read_budget(toll_job *job, toll_rules *rules);

/* Load and add up the profiles, check their invariants, and remove places. Returns an exit status;
 * on failure *out is NULL. */
int toll_gate_load(toll_job *job, int count, char **paths, toll_profile **out);

/* toll check --budget and --write-budget for a profile without places: returns an exit status,
 * TOLL_EXIT_OVER if a rule fails. `origin`: the profile's runs, for --before. */
int toll_gate_hold(toll_job *job, toll_rules *rules, const toll_profile *profile,
                   const toll_origin *origin);
int toll_gate_write(toll_job *job, toll_rules *rules, const toll_profile *profile);

/* Is the server of --limits known? TOLL_EXIT_OK, or another exit status after a message. */
int toll_gate_check_server(const toll_settings *settings);

/* toll check --limits for a profile that was read from `path`: returns an exit status,
 * TOLL_EXIT_OVER if the server would lose a part of it. */
int toll_gate_limits(toll_job *job, const char *path, const toll_profile *profile);

#endif

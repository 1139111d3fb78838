/* control_outcome.h - what came of a state's last request, for the answer to a command. The state's
 * thread writes it, and another one reads it: never in a signal's handler. */
#ifndef TOLL_LUA_CONTROL_OUTCOME_H
#define TOLL_LUA_CONTROL_OUTCOME_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <toll/error.h>

typedef struct host_outcome {
    uint64_t begun_ns;             /* of CLOCK_MONOTONIC: when the recording began; 0: unknown */
    char file[PATH_MAX];           /* was written since then; "": none was */
    char failure[TOLL_ERROR_SIZE]; /* since then; "": there was none */
} host_outcome;

/* Nothing has come so far: of a recording that begins, of another state, or in a forked process. */
void host_outcome_begin(host_outcome *o, bool records);

/* The recording's file was written; something failed. */
void host_outcome_wrote(host_outcome *o, const char *path);
void host_outcome_fail(host_outcome *o, const char *message);

/* A copy of it. */
void host_outcome_read(const host_outcome *o, host_outcome *copy);

/* To be called in a forked process, first of all. */
void host_outcome_after_fork(void);

#endif

/* sbf_logs.h - the invocations in the logs of transactions, and what each consumed.
 *
 * Owns: the list of invocations and their program IDs. Callers come before those they invoke. */
#ifndef TOLL_SOLANA_SBF_LOGS_H
#define TOLL_SOLANA_SBF_LOGS_H

#include "base/input.h"
#include "base/strtab.h"
#include "solana/solana_charge.h"

enum { TOLL_SBF_MAX_INVOKE_DEPTH = 64 }; /* the runtime allows 5, or 9 */

#define TOLL_SBF_NONE UINT32_MAX

typedef struct toll_sbf_invocation {
    uint32_t program;                       /* id of a string */
    uint32_t parent;                        /* TOLL_SBF_NONE: an instruction of a transaction */
    uint32_t first_child, last_child, next; /* in order of time; TOLL_SBF_NONE: none */
    uint32_t children;
    uint32_t log_lines; /* `Program log: ...` of its own */
    uint64_t line;      /* of the log, where it begins */
    bool is_told;       /* it has a line `consumed N`, which built-in programs do not have */
    bool is_priced;     /* it is a built-in program, whose price is part of `own` */
    bool has_failed, has_ended;
    bool rest_is_assumed; /* it follows from the error alone, which may also be a system call's */
    toll_solana_end end;  /* if it failed */
    uint64_t available;   /* units that remained when it began, if is_told */
    uint64_t consumed;    /* including all that it invoked; unless is_told the sum of those */
    uint64_t own;         /* without them */
    int64_t nested;       /* what the invocations in it were charged */
    uint64_t rest;        /* charged in addition: what remained of its budget */
} toll_sbf_invocation;

typedef struct toll_sbf_logs {
    toll_mem mem;
    toll_strtab strings;
    toll_sbf_invocation *list;
    size_t count, capacity;
    uint32_t open[TOLL_SBF_MAX_INVOKE_DEPTH];
    uint32_t depth;
    size_t first;     /* of the current transaction */
    int64_t unlogged; /* units that were charged and belong to no invocation */
    uint64_t strays;  /* lines of programs that are not running, which were skipped */
    uint64_t unsummed, priced, unpriced, within_callers, less; /* see solana_charge.h */
    const toll_input *in;                                      /* while it is read */
} toll_sbf_logs;

void toll_sbf_logs_init(toll_sbf_logs *logs, const toll_mem *mem);
void toll_sbf_logs_free(toll_sbf_logs *logs);

/* Read logs to their end: lines, with anything before their `Program`, or JSON in which arrays of
 * strings "logMessages" or "logs" hold the lines (or which is such an array). Errors: TOLL_E_NOMEM,
 * TOLL_E_IO, TOLL_E_SYNTAX (lines that contradict each other, no invocation), TOLL_E_TRUNCATED
 * (`Log truncated`), TOLL_E_LIMIT. */
toll_status toll_sbf_logs_read(toll_sbf_logs *logs, toll_input *in, toll_error *err);

/* The program ID of an invocation. */
const char *toll_sbf_logs_program(const toll_sbf_logs *logs, uint32_t invocation);

#endif

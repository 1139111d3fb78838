/* sbf_logs.h - the invocations that the logs of transactions tell of, and what each consumed.
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
    uint64_t line;      /* where it begins */
    bool is_told;       /* `consumed N` was there: not so for built-in programs */
    bool is_priced;     /* a built-in's price is in its own units */
    bool has_failed, has_ended;
    bool rest_is_assumed; /* it follows from the error alone, which a system call may have had */
    toll_solana_end end;  /* if it failed */
    uint64_t available;   /* units when it began, if told */
    uint64_t consumed;    /* with all that it invoked; not told: the sum of those */
    uint64_t own;         /* without them */
    int64_t nested;       /* what those were charged */
    uint64_t rest;        /* charged in addition: what was left of its budget */
} toll_sbf_invocation;

typedef struct toll_sbf_logs {
    toll_mem mem;
    toll_strtab strings;
    toll_sbf_invocation *list;
    size_t count, capacity;
    uint32_t open[TOLL_SBF_MAX_INVOKE_DEPTH];
    uint32_t depth;
    size_t first;     /* of the transaction at hand */
    int64_t unlogged; /* units charged that are no invocation's */
    uint64_t strays;  /* lines of programs that do not run, passed over */
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

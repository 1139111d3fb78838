/* sbf_logs.h - reads the logs of transactions into a tree of invocations, with the units that each
 * consumed.
 *
 * Owns: the list of invocations and their program IDs. Callers come before those they invoke. */
#ifndef TOLL_SBF_SBF_LOGS_H
#define TOLL_SBF_SBF_LOGS_H

#include "base/fail.h"
#include "base/input.h"
#include "base/strtab.h"
#include "sbf/sbf_programs.h"
#include "solana/solana.h"
#include "solana/solana_charge.h"

enum { TOLL_SBF_MAX_INVOKE_DEPTH = 64 }; /* the runtime allows 5, or 9 */

typedef struct toll_sbf_invocation {
    uint32_t program;                       /* id in the strings */
    uint32_t parent;                        /* TOLL_SBF_NONE: an instruction of a transaction */
    uint32_t first_child, last_child, next; /* in order of time; TOLL_SBF_NONE: no such
                                             * invocation */
    uint32_t children;
    uint32_t log_lines;               /* number of its own lines `Program log: ...` */
    uint32_t first_units, last_units; /* its own lines `Program consumption: ...`; TOLL_SBF_NONE */
    uint32_t units;                   /* how many those are */
    uint32_t instruction;             /* id in the strings; 0: not known */
    uint32_t height;                  /* stack height: 1 for an instruction of a transaction */
    uint32_t outer;          /* index of its instruction in the message; TOLL_SBF_NONE: not known */
    uint64_t line;           /* line of the log where it begins; */
    bool is_unlogged;        /* or where the log is cut off, if only the message has it */
    toll_solana_spent spent; /* built-in programs are not included */
} toll_sbf_invocation;

/* A line `Program consumption: NUMBER units remaining`. */
typedef struct toll_sbf_units {
    int64_t remaining;
    uint32_t next; /* the next one of the same invocation; TOLL_SBF_NONE: the last */
} toll_sbf_units;

typedef struct toll_sbf_transaction {
    uint32_t first, end; /* invocations [first, end) */
    uint32_t name;       /* id in the strings; 0: no name */
    int64_t unlogged;    /* units charged to the transaction that belong to no invocation */
    bool is_cut;         /* some of its lines are missing */
    bool is_summed;      /* what it was charged is known */
    int64_t failed;      /* see toll_solana_transaction */
} toll_sbf_transaction;

typedef struct toll_sbf_logs {
    toll_mem mem;
    const toll_solana_names *names;     /* for instructions; NULL: only their logs name them */
    const toll_format_options *options; /* for warnings; never NULL while it is read */
    uint64_t heap_cost;                 /* units for a page */
    toll_strtab strings;
    toll_sbf_invocation *list;
    size_t count, capacity;
    toll_sbf_units *units;
    size_t unit_count, unit_capacity;
    uint32_t open[TOLL_SBF_MAX_INVOKE_DEPTH];
    uint32_t depth;
    bool has_ended; /* the invocation open[depth] has ended, and no other has begun */
    toll_sbf_transaction *transactions;
    size_t transaction_count, transaction_capacity;
    toll_solana_log_counts counts;
    uint64_t unfit;           /* invocations that match no instruction of their transaction */
    size_t first;             /* first invocation of the current transaction */
    bool is_cut;              /* lines of the current transaction are missing from here on */
    uint64_t cuts;            /* transactions with missing lines */
    uint64_t first_cut;       /* line where the first one was cut off, */
    uint64_t last_cut;        /* and the last one */
    uint64_t unfinished;      /* invocations of other transactions without an end */
    uint32_t last_unfinished; /* the last of these */
    uint64_t strays;          /* skipped lines of programs that are not running */
    /* Invocations that are not in the log, by toll_solana_pricing. */
    uint64_t pricings[SOLANA_UNPRICED + 1];
    uint64_t unsummed, less; /* see solana_charge.h */
    const toll_input *in;    /* while it is read */
    toll_failure *failure;   /* the reader's */
} toll_sbf_logs;

void toll_sbf_logs_init(toll_sbf_logs *logs, const toll_mem *mem);
void toll_sbf_logs_free(toll_sbf_logs *logs);

/* Read logs to their end. Set `names`, `options` and `heap_cost` before.
 *
 * A log is text lines, with anything before their `Program`; or JSON in which arrays of strings
 * "logMessages" or "logs" contain the lines (or which is such an array). If lines of a transaction
 * are missing (`Log truncated`, an invocation without its caller, an end of another program), the
 * rest of it is skipped, and counted. A file that is cut off is read up to there. Errors:
 * TOLL_E_NOMEM, TOLL_E_IO, TOLL_E_SYNTAX (a callee consumed more than its caller; no invocation),
 * TOLL_E_TRUNCATED, TOLL_E_LIMIT. */
bool toll_sbf_logs_read(toll_sbf_logs *logs, toll_input *in, toll_failure *failure);

/* Keep a text while the logs are read. *out is set only if there was memory. */
static inline bool toll_sbf_logs_keep(toll_sbf_logs *l, const char *text, size_t size,
                                      uint32_t *out)
{
    uint32_t id = toll_strtab_add(&l->strings, text, size);
    if (id == UINT32_MAX)
        return toll_no_memory(l->failure);
    *out = id;
    return true;
}

/* Whether an invocation lacks its figures, or a transaction its last lines. */
static inline bool toll_sbf_logs_lack(const toll_sbf_logs *logs)
{
    return logs->cuts || logs->unfinished;
}

/* Begin an invocation: from a line, or for an instruction that the log lacks (then `number` of the
 * line is its height) (sbf_logs_begin.c). */
bool toll_sbf_logs_begin(toll_sbf_logs *logs, const toll_solana_line *line);

/* End a transaction, after all its invocations: distribute its charge among them
 * (sbf_logs_transaction.c). */
bool toll_sbf_logs_end_transaction(toll_sbf_logs *logs, const toll_solana_transaction *transaction);

/* What an invocation was charged in all. */
static inline int64_t toll_sbf_spent(const toll_solana_spent *spent)
{
    return toll_solana_add(spent->total, toll_solana_add(spent->heap, spent->rest));
}

/* What an invocation spent itself, without the invocations that it made. */
static inline uint64_t toll_sbf_own(const toll_sbf_invocation *invocation)
{
    return (uint64_t)invocation->spent.self;
}

/* The name of an invocation's instruction, or "". */
static inline const char *toll_sbf_logs_instruction(const toll_sbf_logs *logs, uint32_t invocation)
{
    return toll_strtab_text(&logs->strings, logs->list[invocation].instruction);
}

/* The program ID of an invocation. */
const char *toll_sbf_logs_program(const toll_sbf_logs *logs, uint32_t invocation);

#endif

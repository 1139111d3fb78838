/* sbf_job.h - the state while one folder of register traces is read, shared by the files below.
 *
 * sbf_read.c (the whole), sbf_calls.c (what each trace contains), sbf_match.c (the logs),
 * sbf_pairs.c (which trace belongs to which invocation), sbf_solve.c (what its system calls cost),
 * sbf_play.c (events), sbf_alike.c (traces that fit equally well), sbf_cut.c (logs that are cut
 * off), and what they use: sbf_folder.c (the files), and the programs (sbf_programs.h). */
#ifndef TOLL_SBF_SBF_JOB_H
#define TOLL_SBF_SBF_JOB_H

#include "base/strtab.h"
#include "format/format_row.h"
#include "sbf/sbf_costs.h"
#include "sbf/sbf_logs.h"
#include "sbf/sbf_programs.h"
#include "sbf/sbf_scan.h"
#include "solana/solana.h"

#include <toll/recorder.h>

/* Mix two values into one; different inputs give different results, as far as 64 bits allow. */
static inline uint64_t toll_sbf_mix(uint64_t so_far, uint64_t next)
{
    return (so_far ^ next) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

/* The frame for units that system calls certainly cost, when it is not known which. */
#define TOLL_SBF_FRAME_UNKNOWN "[unknown syscall cost]"

/* A system call of a trace. */
typedef struct toll_sbf_call {
    uint64_t done;      /* instructions so far, this one included */
    uint64_t units;     /* its price, */
    bool is_open;       /* or, if open, the part of it that is certain */
    bool has_failed;    /* it did not return; it may not have been charged in full */
    uint32_t hash;      /* hash of its name */
    uint64_t remaining; /* the budget that remains after it, as the call returned it; UINT64_MAX:
                         * not returned */
    uint64_t stack;     /* equal for calls from the same stack of functions */
} toll_sbf_call;

typedef struct toll_sbf_trace {
    const char *name; /* HASH; in the job's strings */
    uint32_t program;
    toll_sbf_end end;
    /* Counts that are compared with the logs. */
    uint64_t instructions;
    uint64_t least;    /* the least that its system calls cost */
    size_t first_call; /* index in the job's calls; `syscalls` of them */
    uint32_t syscalls, invokes, logs, unit_lines;
    uint32_t used;  /* number of invocations that have this trace */
    uint64_t shape; /* equal for traces that ran the same code at the same prices */
    int64_t time;   /* time of its file: nanoseconds since 1970; 0: not known */
} toll_sbf_trace;

/* The traces that fit an invocation equally well, including the one it has. */
typedef struct toll_sbf_fit {
    uint32_t traces;
    bool differ; /* they differ in shape: it matters which one it has */
} toll_sbf_fit;

/* The invocation of such a trace failed. An invocation whose trace returned 0 may have failed, too:
 * the runtime can refuse what the program has done to its accounts. */
static inline bool toll_sbf_has_failed(const toll_sbf_trace *trace)
{
    return trace->end != TOLL_SBF_RETURNED;
}

/* Does the trace end at a call of a syscall that the runtime lacks, by the error of its invocation?
 * Then that instruction is not charged. */
static inline bool toll_sbf_is_missing(const toll_sbf_trace *trace, const toll_solana_spent *spent)
{
    return spent->end == SOLANA_END_UNSUPPORTED && trace->end == TOLL_SBF_STOPPED_IN_SYSCALL;
}

typedef struct toll_sbf_job {
    toll_mem mem;
    toll_failure failure;
    const char *folder;
    toll_solana_options own;
    const toll_format_options *options; /* never NULL */
    toll_strtab strings;
    toll_sbf_programs programs;
    toll_sbf_trace *traces; /* sorted by name */
    size_t trace_count, trace_capacity;
    toll_sbf_costs costs;
    toll_sbf_call *calls; /* calls of all traces */
    size_t call_count, call_capacity;
    toll_sbf_memory *memory; /* used while traces are counted */
    toll_sbf_logs logs;
    toll_solana_names names;
    uint32_t *matches;  /* by invocation: its trace, or TOLL_SBF_NONE; logs.count of them */
    toll_sbf_fit *fits; /* by invocation */
    uint32_t *traced;   /* by invocation: its program, or TOLL_SBF_NONE if the program has no
                         * trace */
    uint64_t looks;     /* traces and invocations examined while pairing: a measure of work */
    toll_recorder *recorder;
    uint64_t clock; /* compute units so far */
    toll_buffer path, name;
    toll_sbf_counts counts;
    uint64_t untraced; /* invocations that no trace fits */
    uint64_t by_trace; /* invocations without an end in their log, charged what their traces cost */
    uint64_t stopped;  /* programs charged the rest of their budget because of the error alone */
    uint64_t alike;    /* invocations that several different traces fit equally well */
    uint64_t by_time;  /* such invocations that were matched by the times of their traces */
    uint64_t priced;   /* system calls with a price */
    uint64_t open;     /* system calls without logs whose price is not certain */
    uint64_t split;    /* groups of system calls of which only the sum is known */
    uint64_t odd;      /* system calls that cost something else than their prices */
    uint64_t unused;   /* traces that fit no invocation */
} toll_sbf_job;

/* Find all traces of the folder, and their programs (sbf_folder.c). */
bool toll_sbf_find_traces(toll_sbf_job *job);

/* Scan a trace from its two files; `code` may be NULL (sbf_folder.c). */
bool toll_sbf_scan_trace(toll_sbf_job *job, const toll_sbf_trace *trace,
                         const toll_sbf_symbols *code, const toll_sbf_events *events,
                         toll_sbf_counts *counts);

/* Mix the bytes of a trace's instructions into *shape (sbf_folder.c). */
bool toll_sbf_mix_code(toll_sbf_job *job, const toll_sbf_trace *trace, uint64_t *shape);

/* When the trace's file was written: nanoseconds since 1970; 0: not known (sbf_folder.c). */
int64_t toll_sbf_time_of(toll_sbf_job *job, const toll_sbf_trace *trace);

/* Is every instruction of the program's traces in this code, from where each trace begins? `user`
 * is the job (sbf_folder.c). */
bool toll_sbf_has_run(void *user, const toll_sbf_program *program, const toll_sbf_symbols *code,
                      bool *out);

/* Count what each trace contains, find the prices of its system calls, and how it ends
 * (sbf_calls.c). */
bool toll_sbf_count_traces(toll_sbf_job *job);

/* Compute what each system call of a trace cost in an invocation: costs[0..syscalls) of the trace.
 * A call of a built-in program includes the callee's cost. *unknown: units that these calls cost,
 * when it is not known which. Returns how many instructions were charged (sbf_solve.c). */
uint64_t toll_sbf_solve(toll_sbf_job *job, const toll_sbf_trace *trace,
                        const toll_sbf_invocation *invocation, uint64_t *costs, uint64_t *unknown);

/* The price of an invocation of a built-in program, with the invocations that it made, all of which
 * the caller's figures include; 0: no price, or not known. */
uint64_t toll_sbf_builtin_price(const toll_sbf_job *job, uint32_t invocation);

/* The sum of these prices over everything that an invocation has invoked. */
uint64_t toll_sbf_builtins_price(const toll_sbf_job *job, uint32_t invocation);

/* Read the logs, and find a trace for each invocation that has one (sbf_match.c). */
bool toll_sbf_match(toll_sbf_job *job);

/* Set `matches`, `fits` and `traced`, which have room for all invocations of the logs, and the
 * number of times each trace is used (sbf_pairs.c). */
bool toll_sbf_pair(toll_sbf_job *job);

/* Then: assign traces to alike invocations in the order of the traces' times, where that decides.
 * Afterwards `fits` has only the invocations that remain undecided (sbf_alike.c). */
bool toll_sbf_pair_alike(toll_sbf_job *job);

/* Then: find traces for the invocations without figures, whose end is missing because a log is cut
 * off, and charge them (sbf_cut.c). */
bool toll_sbf_pair_cut(toll_sbf_job *job);

/* Play every trace as a root of its own, or every invocation of the logs (sbf_play.c). */
bool toll_sbf_play_traces(toll_sbf_job *job);
bool toll_sbf_play_logs(toll_sbf_job *job);

#endif

/* sbf_cut.c - finds traces for the invocations whose end is missing because a log is cut off. See
 * sbf_job.h.
 *
 * The log does not contain what these invocations consumed, so weaker conditions are used. A trace
 * fits if it is of the same program, invokes at least the programs and has at least the log lines
 * that the log contains before it is cut off, and costs at most what the transaction was charged
 * beyond the invocations that ended. Traces that no other invocation has come first; of these the
 * one with the most log lines, then the one that costs most: programs that log much fill logs.
 *
 * An invocation that fails ends the transaction. So a trace that ends with an error belongs to no
 * instruction before the one that the transaction's `err` names, and to none at all if `err` is
 * null. After an invocation that failed, only the invocations that it had made can have run.
 *
 * An invocation is charged what its trace costs: its instructions, and the least price of its
 * system calls. The rest of the transaction's charge belongs to the trace whose prices are open, if
 * there is exactly one; else it stays in (not in the log).
 *
 * With n traces and c such invocations: O(n log n) for the order, and at most MOST_LOOKED traces
 * are examined for each invocation. */
#include "sbf/sbf_job.h"

#include <stdlib.h>

/* MOST_UNCHARGED: instructions that a program without units executes before the virtual machine
 * stops it. */
enum { MOST_LOOKED = 256, MOST_UNCHARGED = 10000 };

#define NO_LIMIT (UINT64_C(1) << 62) /* what the transaction was charged is not known */

typedef struct cut_key {
    uint32_t program, trace, logs;
    uint64_t costs;
} cut_key;

typedef struct cutter {
    toll_sbf_job *job;
    cut_key *keys;     /* all traces, by program, the best first */
    uint32_t *first;   /* by program: the index of its first trace */
    uint64_t room;     /* units of the transaction's charge that remain for invocations without
                        * figures */
    int64_t failed;    /* see toll_solana_transaction */
    uint32_t open;     /* the only one whose trace has open prices, or that was stopped */
    uint32_t are_open; /* how many such invocations there are */
} cutter;

/* --- the order ---------------------------------------------------------------------------------*/

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_keys(const void *left, const void *right)
{
    const cut_key *a = left, *b = right;
    int order = compare(a->program, b->program);
    order = order ? order : compare(b->logs, a->logs);
    order = order ? order : compare(b->costs, a->costs);
    return order ? order : compare(a->trace, b->trace);
}

static bool make_order(cutter *c)
{
    toll_sbf_job *job = c->job;
    c->keys = toll_mem_new(&job->mem, job->trace_count, sizeof *c->keys);
    c->first = toll_mem_new(&job->mem, job->programs.count, sizeof *c->first);
    if (!c->keys || !c->first)
        return toll_no_memory(&job->failure);
    for (uint32_t i = 0; i < job->trace_count; i++) {
        const toll_sbf_trace *t = &job->traces[i];
        c->keys[i] = (cut_key){ t->program, i, t->logs, t->instructions + t->least };
    }
    if (job->trace_count)
        qsort(c->keys, job->trace_count, sizeof *c->keys, compare_keys);
    for (uint32_t i = (uint32_t)job->trace_count; i-- > 0;)
        c->first[c->keys[i].program] = i;
    return true;
}

static void free_order(cutter *c)
{
    toll_mem_free(&c->job->mem, c->keys, c->job->trace_count, sizeof *c->keys);
    toll_mem_free(&c->job->mem, c->first, c->job->programs.count, sizeof *c->first);
}

/* --- a trace for an invocation -----------------------------------------------------------------*/

static bool fits(const cutter *c, const cut_key *key, const toll_sbf_invocation *at, uint64_t more,
                 bool fails)
{
    const toll_sbf_trace *t = &c->job->traces[key->trace];
    bool has_succeeded = (int64_t)at->outer < c->failed;
    uint64_t uncharged = t->end == TOLL_SBF_STOPPED ? MOST_UNCHARGED : 0;
    return t->invokes >= at->children && t->logs >= at->log_lines &&
           !(toll_sbf_has_failed(t) ? has_succeeded : fails) &&
           key->costs + more <= c->room + uncharged;
}

/* Find the best trace for an invocation; TOLL_SBF_NONE if none fits. `fails`: only traces that end
 * with an error. */
static uint32_t find_trace(cutter *c, uint32_t invocation, uint64_t more, bool fails)
{
    toll_sbf_job *job = c->job;
    const toll_sbf_invocation *at = &job->logs.list[invocation];
    uint32_t program = job->traced[invocation], best = TOLL_SBF_NONE, looked = 0;
    if (program == TOLL_SBF_NONE)
        return TOLL_SBF_NONE;
    for (size_t i = c->first[program];
         i < job->trace_count && c->keys[i].program == program && looked < MOST_LOOKED; i++) {
        const cut_key *key = &c->keys[i];
        looked++;
        job->looks++;
        if (!fits(c, key, at, more, fails))
            continue;
        if (best == TOLL_SBF_NONE || job->traces[key->trace].used < job->traces[best].used)
            best = key->trace;
        if (job->traces[best].used == 0)
            break;
    }
    return best;
}

/* For the instruction that failed, prefer a trace that ends with an error. Without one, the runtime
 * has refused what the program did. */
static uint32_t find_best(cutter *c, uint32_t invocation, uint64_t more)
{
    const toll_sbf_invocation *at = &c->job->logs.list[invocation];
    uint32_t trace = TOLL_SBF_NONE;
    if (at->height == 1 && (int64_t)at->outer == c->failed)
        trace = find_trace(c, invocation, more, true);
    return trace != TOLL_SBF_NONE ? trace : find_trace(c, invocation, more, false);
}

/* Charge units to an invocation without figures, and to its callers. */
static void charge(toll_sbf_job *job, uint32_t invocation, uint64_t units)
{
    toll_solana_spent *spent = &job->logs.list[invocation].spent;
    spent->self += (int64_t)units;
    spent->total += (int64_t)units;
    for (uint32_t i = job->logs.list[invocation].parent; i != TOLL_SBF_NONE;
         i = job->logs.list[i].parent) {
        job->logs.list[i].spent.nested += (int64_t)units;
        job->logs.list[i].spent.total += (int64_t)units;
    }
}

static bool has_open_prices(const toll_sbf_job *job, const toll_sbf_trace *t)
{
    for (size_t i = t->first_call; i < t->first_call + t->syscalls; i++)
        if (job->calls[i].is_open || job->calls[i].has_failed)
            return true;
    return t->end == TOLL_SBF_STOPPED;
}

static void take(cutter *c, uint32_t invocation, uint32_t trace, uint64_t more)
{
    toll_sbf_job *job = c->job;
    toll_sbf_invocation *at = &job->logs.list[invocation];
    toll_sbf_trace *t = &job->traces[trace];
    uint64_t units = t->instructions + t->least + more;
    bool is_exhausted = units > c->room;
    units = is_exhausted ? c->room : units;
    job->matches[invocation] = trace;
    t->used++;
    at->spent.failed = toll_sbf_has_failed(t);
    charge(job, invocation, units);
    if (is_exhausted)
        at->spent.budget = at->spent.total;
    c->room -= units;
    job->by_trace++;
    if (!at->is_unlogged)
        job->logs.pricings[at->parent == TOLL_SBF_NONE ? SOLANA_UNPRICED : SOLANA_WITHIN_CALLER]--;
    if (has_open_prices(job, t)) {
        c->open = invocation;
        c->are_open++;
    }
}

/* --- a transaction -----------------------------------------------------------------------------*/

static bool lacks_figures(const toll_sbf_job *job, uint32_t invocation)
{
    const toll_solana_spent *spent = &job->logs.list[invocation].spent;
    return !spent->is_logged && !spent->finished && job->matches[invocation] == TOLL_SBF_NONE;
}

/* Charge the remaining units to the one trace whose prices are open. If the machine stopped the
 * program, they are the rest of its budget. */
static void charge_room(cutter *c)
{
    toll_sbf_job *job = c->job;
    if (c->are_open != 1 || c->room == 0)
        return;
    toll_solana_spent *spent = &job->logs.list[c->open].spent;
    if (job->traces[job->matches[c->open]].end == TOLL_SBF_STOPPED)
        spent->rest += (int64_t)c->room;
    else
        charge(job, c->open, c->room);
    c->room = 0;
}

static void cut_transaction(cutter *c, toll_sbf_transaction *t)
{
    bool lacks = false;
    uint32_t failed = 0; /* stack height of the last failed invocation: none ran at that height
                          * after it */
    c->failed = t->failed;
    c->room = t->is_summed ? (uint64_t)t->unlogged : NO_LIMIT;
    c->are_open = 0;
    for (uint32_t i = t->first; i < t->end; i++) {
        const toll_sbf_invocation *at = &c->job->logs.list[i];
        if (at->height <= failed)
            break;
        if (!lacks_figures(c->job, i)) {
            failed = at->spent.failed ? at->height : failed;
            continue;
        }
        uint64_t more = toll_sbf_builtins_price(c->job, i);
        uint32_t trace = find_best(c, i, more);
        if (trace != TOLL_SBF_NONE)
            take(c, i, trace, more);
        failed = at->spent.failed ? at->height : failed;
        lacks |= trace == TOLL_SBF_NONE;
    }
    if (!t->is_summed)
        return;
    if (!lacks)
        charge_room(c);
    t->unlogged = (int64_t)c->room;
}

bool toll_sbf_pair_cut(toll_sbf_job *job)
{
    cutter c = { .job = job };
    bool good = make_order(&c);
    for (size_t i = 0; good && i < job->logs.transaction_count; i++)
        if (job->logs.transactions[i].is_cut)
            cut_transaction(&c, &job->logs.transactions[i]);
    free_order(&c);
    return good;
}

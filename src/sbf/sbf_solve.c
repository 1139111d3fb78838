/* sbf_solve.c - computes what the system calls of a trace cost in an invocation. See sbf_job.h.
 *
 * The log has figures: how much an invocation consumed, and how much of its budget remained when it
 * invoked another program, logged its compute units or asked for them. Between two figures the
 * instructions are counted; the rest was spent on the system calls between them. Each has a least
 * price (sbf_price.c); what remains belongs to the calls whose price is open. If that is one call,
 * or several calls from the same stack, it is charged to them; else it is not known which call
 * spent it.
 *
 * For example: a budget of 10000, `Program consumption: 8315 units remaining` and 20 instructions
 * before it: 10000 - 8315 - 20 = 1665 units were spent on sol_log_compute_units_ (100), on sol_log_
 * (100), and so 1465 on sol_sha256, whose slices the trace does not show. */
#include "solana/known_programs.h"
#include "sbf/sbf_job.h"
#include "sbf/sbf_syscalls.h"

#include <string.h>

typedef struct solver {
    toll_sbf_job *job;
    const toll_sbf_invocation *at;
    const toll_sbf_call *calls;
    size_t call_count;
    uint64_t *costs;
    uint64_t unknown;
    uint32_t next_child, next_units;
    uint64_t nested;    /* consumed by the callees so far */
    uint64_t accounted; /* units spent on system calls up to the last figure */
    uint64_t most;      /* units spent on all system calls */
    uint64_t tail;      /* instructions after the last system call that may not have been charged */
    uint64_t unpaid;    /* how many of these were not */
    bool is_missing;    /* the last call is of a syscall that the runtime lacks: it cost nothing */
} solver;

/* Recursive, at most TOLL_SBF_MAX_INVOKE_DEPTH deep. */
uint64_t toll_sbf_builtin_price(const toll_sbf_job *job, uint32_t invocation)
{
    const toll_sbf_invocation *at = &job->logs.list[invocation];
    const char *id = toll_sbf_logs_program(&job->logs, invocation);
    if (at->spent.is_logged || at->spent.priced || !at->spent.finished ||
        at->spent.end == SOLANA_END_EXHAUSTED)
        return 0;
    uint64_t price = toll_program_price(id, strlen(id));
    return price ? price + toll_sbf_builtins_price(job, invocation) : 0;
}

uint64_t toll_sbf_builtins_price(const toll_sbf_job *job, uint32_t invocation)
{
    uint64_t price = 0;
    uint32_t child = job->logs.list[invocation].first_child;
    for (; child != TOLL_SBF_NONE; child = job->logs.list[child].next)
        price += toll_sbf_builtin_price(job, child);
    return price;
}

/* --- calls between two figures -----------------------------------------------------------------*/

typedef struct group {
    size_t from, to;    /* calls */
    uint64_t units;     /* spent on them */
    uint64_t priced;    /* sum of their costs */
    size_t open;        /* number of open calls */
    size_t first_open;  /* index of the first open call */
    bool are_same;      /* all calls are of the same system call, from the same stack */
    bool are_same_open; /* all open calls are */
} group;

static bool is_open(const solver *s, size_t i)
{
    const toll_sbf_call *call = &s->calls[i];
    return call->has_failed ? !s->is_missing : call->is_open;
}

/* Are the calls from one place, so that it does not matter which of them cost what? */
static bool are_same(const toll_sbf_call *a, const toll_sbf_call *b)
{
    return a->hash == b->hash && a->stack == b->stack;
}

static void count_open(const solver *s, group *g)
{
    g->are_same = g->from < g->to;
    g->are_same_open = true;
    for (size_t i = g->from; i < g->to; i++) {
        const toll_sbf_call *call = &s->calls[i];
        g->priced = toll_sbf_add(g->priced, s->costs[i]);
        g->are_same &= are_same(call, &s->calls[g->from]);
        if (!is_open(s, i))
            continue;
        if (g->open++ == 0)
            g->first_open = i;
        g->are_same_open &= are_same(call, &s->calls[g->first_open]);
    }
}

/* Lower the price of a call that failed, if prices exceed what was spent: it failed before it was
 * charged. */
static bool lower_failed(solver *s, group *g)
{
    if (g->from == g->to || !s->calls[g->to - 1].has_failed)
        return false;
    g->priced -= s->costs[g->to - 1];
    s->costs[g->to - 1] = 0;
    return g->priced <= g->units;
}

/* The prices contradict the units. A single call gets the units, whatever its price is. */
static void give_up(solver *s, const group *g)
{
    s->job->odd++;
    for (size_t i = g->from; i < g->to; i++)
        s->costs[i] = 0;
    if (g->are_same)
        s->costs[g->from] = g->units;
    else
        s->unknown += g->units;
}

/* Leave instructions uncharged: the machine checks the budget only at jumps, so a program that runs
 * out of units has executed a few instructions more than it was charged. */
static bool leave_unpaid(solver *s, group *g)
{
    uint64_t more = g->priced - g->units;
    if (g->to < s->call_count || more > s->tail)
        return false;
    s->unpaid = more;
    g->units += more;
    return true;
}

static void settle(solver *s, group *g)
{
    count_open(s, g);
    if (g->priced > g->units && !lower_failed(s, g) && !leave_unpaid(s, g)) {
        give_up(s, g);
        return;
    }
    uint64_t rest = g->units - g->priced;
    if (rest == 0)
        return;
    if (g->open && g->are_same_open) {
        s->costs[g->first_open] += rest;
    } else if (g->open) {
        s->unknown += rest;
        s->job->split++;
    } else {
        give_up(s, g);
    }
}

/* --- figures -----------------------------------------------------------------------------------*/

/* What remained of the budget after the call, by the call itself, a line of the log, or the
 * callee's line; negative: not known. Advances to the next line, and to the next callee. */
static int64_t figure_of(solver *s, const toll_sbf_call *call, const toll_sbf_syscall *known,
                         uint32_t child)
{
    const toll_sbf_logs *logs = &s->job->logs;
    int64_t remaining = -1;
    if (call->remaining <= INT64_MAX)
        return (int64_t)call->remaining;
    if (child != TOLL_SBF_NONE && logs->list[child].spent.is_logged)
        return logs->list[child].spent.budget;
    if (known && known->kind == TOLL_SBF_UNITS && !call->has_failed &&
        s->next_units != TOLL_SBF_NONE) {
        remaining = logs->units[s->next_units].remaining;
        s->next_units = logs->units[s->next_units].next;
    }
    return remaining;
}

/* The invocation of the current call: callees in the logs are in the order of the trace's calls. */
static uint32_t next_child(solver *s, const toll_sbf_syscall *known)
{
    uint32_t child = s->next_child;
    if (!known || known->kind != TOLL_SBF_INVOKE || child == TOLL_SBF_NONE)
        return TOLL_SBF_NONE;
    s->next_child = s->job->logs.list[child].next;
    return child;
}

/* The units spent on all calls so far, by a figure after `call`. False: it contradicts other
 * figures. */
static bool spent_by(const solver *s, const toll_sbf_call *call, int64_t remaining, uint64_t *spent)
{
    int64_t since = toll_solana_at_start(&s->at->spent) - remaining;
    uint64_t others = s->nested + call->done;
    if (remaining < 0 || since < 0 || (uint64_t)since < others)
        return false;
    *spent = (uint64_t)since - others;
    return *spent >= s->accounted && *spent <= s->most;
}

/* The number of instructions after the last system call, of a program that had run out of units. */
static uint64_t tail_of(const toll_sbf_job *job, const toll_sbf_trace *t,
                        const toll_solana_spent *spent)
{
    if (!spent->failed || spent->total != toll_solana_at_start(spent) || t->syscalls == 0)
        return 0;
    return t->instructions - job->calls[t->first_call + t->syscalls - 1].done;
}

uint64_t toll_sbf_solve(toll_sbf_job *job, const toll_sbf_trace *trace,
                        const toll_sbf_invocation *invocation, uint64_t *costs, uint64_t *unknown)
{
    bool is_missing = toll_sbf_is_missing(trace, &invocation->spent);
    uint64_t own = toll_sbf_own(invocation), most = trace->instructions - is_missing;
    uint64_t charged = most < own ? most : own;
    solver s = { .job = job,
                 .at = invocation,
                 .calls = job->calls + trace->first_call,
                 .costs = costs,
                 .next_child = invocation->first_child,
                 .next_units = trace->unit_lines == invocation->units ? invocation->first_units
                                                                      : TOLL_SBF_NONE,
                 .call_count = trace->syscalls,
                 .most = own - charged,
                 .is_missing = is_missing,
                 .tail = tail_of(job, trace, &invocation->spent) };
    group g = { 0 };
    for (size_t i = 0; i < trace->syscalls; i++) {
        const toll_sbf_call *call = &s.calls[i];
        const toll_sbf_syscall *known = toll_sbf_syscall_find(call->hash);
        uint32_t child = next_child(&s, known);
        uint64_t spent;
        costs[i] = toll_sbf_add(is_missing && call->has_failed ? 0 : call->units,
                                child != TOLL_SBF_NONE ? toll_sbf_builtin_price(job, child) : 0);
        if (spent_by(&s, call, figure_of(&s, call, known, child), &spent)) {
            g = (group){ .from = g.to, .to = i + 1, .units = spent - s.accounted };
            settle(&s, &g);
            s.accounted = spent;
        }
        if (child != TOLL_SBF_NONE)
            s.nested += (uint64_t)toll_sbf_spent(&job->logs.list[child].spent);
    }
    g = (group){ .from = g.to, .to = trace->syscalls, .units = s.most - s.accounted };
    settle(&s, &g);
    *unknown = s.unknown;
    return charged - s.unpaid;
}

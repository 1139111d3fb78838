/* sbf_alike.c - decides between traces that fit an invocation equally well, by the order in which
 * the traces were written. See sbf_job.h.
 *
 * Invocations are alike if the logs say the same about them. Then each of their traces fits each of
 * them equally well. If these traces do not all have one shape, it matters which invocation has
 * which. The runtime writes a trace when its invocation has ended, so the times of the files are in
 * the order of the invocations' ends. That decides if
 * - each of the alike invocations has a trace that no other invocation has, and no further trace
 * fits;
 * - no two of these traces have the same time (file systems count in milliseconds);
 * - and the times of all traces whose invocation is certain are in the order of these invocations:
 * a folder that was copied, or written by several threads, has other times. A trace that several
 * invocations share was written by the last of them, and decides nothing. */
#include "sbf/sbf_spares.h"

#include <stdlib.h>

/* The properties by which invocations are compared, and when the invocation ended. */
typedef struct claim {
    uint64_t own, uncharged, children_price;
    uint32_t program, children, logs;
    bool is_missing; /* it ended at a call of a syscall that the runtime lacks */
    uint32_t last;   /* the last invocation inside it, or itself */
    uint32_t invocation;
    uint32_t trace;
} claim;

typedef struct stamp {
    int64_t time;
    uint32_t trace;
} stamp;

typedef struct claims {
    toll_sbf_job *job;
    claim *list;
    size_t count;
    uint32_t *last; /* by invocation: see claim.last */
    stamp *stamps;  /* of the traces of the current group */
} claims;

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_evidence(const claim *a, const claim *b)
{
    int order = compare(a->program, b->program);
    order = order ? order : compare(a->own, b->own);
    order = order ? order : compare(a->children, b->children);
    order = order ? order : compare(a->logs, b->logs);
    order = order ? order : compare(a->uncharged, b->uncharged);
    order = order ? order : compare(a->children_price, b->children_price);
    return order ? order : compare(a->is_missing, b->is_missing);
}

/* Order of ends: callees end before their callers. */
static int compare_ends(const void *left, const void *right)
{
    const claim *a = left, *b = right;
    int order = compare(a->last, b->last);
    return order ? order : compare(b->invocation, a->invocation);
}

static int compare_claims(const void *left, const void *right)
{
    int order = compare_evidence(left, right);
    return order ? order : compare_ends(left, right);
}

static void find_last(claims *c)
{
    const toll_sbf_logs *logs = &c->job->logs;
    for (size_t i = 0; i < logs->count; i++)
        c->last[i] = (uint32_t)i;
    for (size_t i = logs->count; i-- > 0;) {
        uint32_t parent = logs->list[i].parent;
        if (parent != TOLL_SBF_NONE && c->last[parent] < c->last[i])
            c->last[parent] = c->last[i];
    }
}

static void add_claims(claims *c)
{
    const toll_sbf_job *job = c->job;
    for (uint32_t i = 0; i < job->logs.count; i++) {
        const toll_sbf_invocation *at = &job->logs.list[i];
        if (at->spent.is_logged && job->matches[i] != TOLL_SBF_NONE)
            c->list[c->count++] = (claim){ .own = toll_sbf_own(at),
                                           .uncharged = toll_sbf_uncharged(&at->spent),
                                           .children_price = toll_sbf_builtins_price(job, i),
                                           .program = job->traced[i],
                                           .children = at->children,
                                           .logs = at->log_lines,
                                           .is_missing = at->spent.end == SOLANA_END_UNSUPPORTED,
                                           .last = c->last[i],
                                           .invocation = i,
                                           .trace = job->matches[i] };
    }
}

/* --- times -------------------------------------------------------------------------------------*/

static void read_times(toll_sbf_job *job)
{
    for (size_t i = 0; i < job->trace_count; i++)
        job->traces[i].time = job->traces[i].used == 1 ? toll_sbf_time_of(job, &job->traces[i]) : 0;
}

/* Only this trace fits the invocation, and no other invocation has it. */
static bool is_certain(const toll_sbf_job *job, const claim *at)
{
    return job->fits[at->invocation].traces == 1 && job->traces[at->trace].used == 1;
}

/* Do the times of certain traces agree with the order of ends? The claims are in that order. */
static bool times_agree(const claims *c)
{
    int64_t before = 0;
    for (size_t i = 0; i < c->count; i++) {
        int64_t time = c->job->traces[c->list[i].trace].time;
        if (!is_certain(c->job, &c->list[i]))
            continue;
        if (time == 0 || time < before)
            return false;
        before = time;
    }
    return true;
}

/* --- alike invocations -------------------------------------------------------------------------*/

/* The alike invocations [from, to) of the list. */
typedef struct group {
    size_t from, to;
    uint32_t traces; /* how many traces fit */
    bool differ;     /* the traces differ in shape */
    bool are_single; /* each invocation has a trace that no other has, and no other trace fits */
} group;

static int compare_stamps(const void *left, const void *right)
{
    const stamp *a = left, *b = right;
    int order = a->time < b->time ? -1 : a->time > b->time;
    return order ? order : compare(a->trace, b->trace);
}

/* Collect the group's traces, sorted by time. */
static void sort_stamps(claims *c, const group *g)
{
    for (size_t i = g->from; i < g->to; i++)
        c->stamps[i - g->from] = (stamp){ c->job->traces[c->list[i].trace].time, c->list[i].trace };
    qsort(c->stamps, g->to - g->from, sizeof *c->stamps, compare_stamps);
}

static group group_at(claims *c, size_t from)
{
    const toll_sbf_job *job = c->job;
    const claim *first = &c->list[from];
    group g = { .from = from, .are_single = true };
    uint32_t most = 0;
    for (g.to = from; g.to < c->count && compare_evidence(&c->list[g.to], first) == 0; g.to++) {
        const claim *at = &c->list[g.to];
        const toll_sbf_fit *fit = &job->fits[at->invocation];
        g.differ |= fit->differ || job->traces[at->trace].shape != job->traces[first->trace].shape;
        g.are_single &= job->traces[at->trace].used == 1;
        most = most > fit->traces ? most : fit->traces;
    }
    sort_stamps(c, &g);
    for (size_t i = 0; i < g.to - g.from; i++)
        g.traces += i == 0 || c->stamps[i].trace != c->stamps[i - 1].trace;
    g.are_single &= most <= g.traces;
    g.traces = most > g.traces ? most : g.traces;
    return g;
}

/* Do all traces have a time, and no two the same? */
static bool are_apart(const claims *c, const group *g)
{
    for (size_t i = 0; i < g->to - g->from; i++)
        if (c->stamps[i].time == 0 || (i > 0 && c->stamps[i].time == c->stamps[i - 1].time))
            return false;
    return true;
}

static void settle(claims *c, const group *g, bool times_agree)
{
    toll_sbf_job *job = c->job;
    bool is_by_time = g->differ && g->are_single && times_agree && are_apart(c, g);
    for (size_t i = g->from; i < g->to; i++) {
        uint32_t invocation = c->list[i].invocation;
        job->fits[invocation] = (toll_sbf_fit){ g->traces, g->differ && !is_by_time };
        if (is_by_time)
            job->matches[invocation] = c->stamps[i - g->from].trace;
    }
    *(is_by_time ? &job->by_time : &job->alike) += g->differ ? g->to - g->from : 0;
}

static void assign_by_time(claims *c)
{
    find_last(c);
    add_claims(c);
    read_times(c->job);
    c->job->alike = 0;
    if (c->count == 0)
        return;
    qsort(c->list, c->count, sizeof *c->list, compare_ends);
    bool agree = times_agree(c);
    qsort(c->list, c->count, sizeof *c->list, compare_claims);
    for (group g = { .to = 0 }; g.to < c->count;) {
        g = group_at(c, g.to);
        settle(c, &g, agree);
    }
}

bool toll_sbf_pair_alike(toll_sbf_job *job)
{
    claims c = { .job = job };
    size_t count = job->logs.count;
    c.list = toll_mem_new(&job->mem, count, sizeof *c.list);
    c.last = toll_mem_new(&job->mem, count, sizeof *c.last);
    c.stamps = toll_mem_new(&job->mem, count, sizeof *c.stamps);
    bool good = c.list && c.last && c.stamps;
    if (good)
        assign_by_time(&c);
    toll_mem_free(&job->mem, c.list, count, sizeof *c.list);
    toll_mem_free(&job->mem, c.last, count, sizeof *c.last);
    toll_mem_free(&job->mem, c.stamps, count, sizeof *c.stamps);
    return good || toll_no_memory(&job->failure);
}

/* sbf_pairs.c - finds which trace belongs to which invocation of the logs. See sbf_job.h.
 *
 * A trace is named by the hash of its contents and does not show when it ran; two invocations that
 * did the same share one trace. So a trace fits an invocation of the same program if the
 * invocation's own compute units are at least the trace's instructions (exactly these without a
 * system call), and if it invoked as many programs as the trace has calls for that. A trace that
 * ends with an error fits only an invocation that failed. Such an invocation may have one callee
 * less than the trace has calls, and the instruction that failed may not have been charged.
 *
 * Of the traces that fit, those come first whose instructions and least prices of system calls are
 * not more than what the invocation spent; then those with as many log lines; then the one that
 * leaves the fewest units unexplained. If several fit equally well, each is used in turn.
 *
 * With n traces and invocations this is O(n log n): traces are sorted by what must be equal, and by
 * cost (sbf_trace_order.c). */
#include "sbf/sbf_spares.h"
#include "sbf/sbf_trace_order.h"

#include <string.h>

typedef struct pairs {
    toll_sbf_job *job;
    toll_sbf_trace_order by_logs, any_logs;
    toll_sbf_spares spares;
} pairs;

/* --- the programs ------------------------------------------------------------------------------*/

/* Set program_of[string]: the program of each string of the logs that is a program's ID. */
static void set_programs(toll_sbf_job *job, uint32_t *program_of)
{
    const toll_strtab *strings = &job->logs.strings;
    for (size_t i = 0; i < strings->count; i++)
        program_of[i] = TOLL_SBF_NONE;
    for (uint32_t i = 0; i < job->programs.count; i++) {
        const char *id = job->programs.list[i].id;
        uint32_t name = toll_strtab_find(strings, id, strlen(id));
        if (name != UINT32_MAX)
            program_of[name] = i;
    }
    for (size_t i = 0; i < job->logs.count; i++)
        job->traced[i] = program_of[job->logs.list[i].program];
}

static bool find_programs(toll_sbf_job *job)
{
    size_t count = job->logs.strings.count;
    uint32_t *program_of = toll_mem_new(&job->mem, count, sizeof *program_of);
    if (!program_of)
        return toll_no_memory(&job->failure);
    set_programs(job, program_of);
    toll_mem_free(&job->mem, program_of, count, sizeof *program_of);
    return true;
}

/* --- the best trace ----------------------------------------------------------------------------*/

enum { MOST_RANGES = 6 };

/* The best traces so far, which fit equally well, as ranges of the order. */
typedef struct best {
    bool pays; /* their cost is not more than what the invocation spent */
    size_t count;
    toll_sbf_trace_range ranges[MOST_RANGES];
} best;

static void add_range(best *b, const toll_sbf_trace_range *range)
{
    uint64_t least = b->ranges[0].least;
    if (b->count && least != range->least && (range->least > least) != b->pays)
        return;
    if (b->count && least != range->least)
        b->count = 0;
    b->ranges[b->count++] = *range;
}

/* The conditions that an invocation sets for its trace. */
typedef struct wanted {
    toll_sbf_kin kin;
    uint64_t own, children; /* own units; the least that its built-in callees cost of them */
    uint64_t instructions;  /* at most so many instructions */
    uint64_t unpaid; /* for a trace that failed: instructions that were certainly not charged */
    bool failed;
} wanted;

static void add_paying(toll_sbf_trace_order *order, const wanted *w, toll_sbf_kin kin, best *b)
{
    toll_sbf_trace_range range;
    /* Without a system call, a trace costs exactly what its invocation spent, unless that
     * failed. */
    uint64_t unpaid = kin.has_failed ? w->unpaid : 0;
    if (w->children <= w->own &&
        toll_sbf_trace_order_within(order, kin, w->own - w->children + unpaid, &range) &&
        (kin.has_syscalls || w->failed || range.least == w->own))
        add_range(b, &range);
}

static void add_too_expensive(toll_sbf_trace_order *order, const wanted *w, toll_sbf_kin kin,
                              best *b)
{
    toll_sbf_trace_range range;
    if ((kin.has_syscalls || w->failed) &&
        toll_sbf_trace_order_above(order, kin, w->instructions, &range))
        add_range(b, &range);
}

/* Find the best traces: those within the cost or, if there are none, above it; with as many log
 * lines, or any number. */
static void find_best(toll_sbf_trace_order *order, const wanted *w, best *b)
{
    void (*add)(toll_sbf_trace_order *, const wanted *, toll_sbf_kin, best *) =
        b->pays ? add_paying : add_too_expensive;
    toll_sbf_kin kin = w->kin;
    kin.logs = order->by_logs ? kin.logs : 0;
    for (int failed = 0; failed <= w->failed; failed++) {
        kin.has_failed = failed > 0;
        kin.invokes = w->kin.invokes;
        kin.has_syscalls = false;
        add(order, w, kin, b);
        kin.has_syscalls = true;
        add(order, w, kin, b);
        kin.invokes++;
        if (w->failed)
            add(order, w, kin, b);
    }
}

static uint32_t use_freshest(pairs *p, toll_sbf_trace_order *order, const best *b,
                             toll_sbf_fit *fit)
{
    toll_sbf_trace *traces = p->job->traces;
    uint32_t found = TOLL_SBF_NONE;
    uint64_t shape = traces[order->keys[b->ranges[0].from].trace].shape;
    *fit = (toll_sbf_fit){ 0 };
    for (size_t i = 0; i < b->count; i++) {
        const toll_sbf_trace_range *range = &b->ranges[i];
        uint32_t trace = toll_sbf_trace_order_freshest(order, range);
        found = toll_sbf_fresher(traces, found, trace);
        fit->traces += (uint32_t)(range->end - range->from);
        fit->differ |= traces[order->keys[range->from].trace].shape != shape ||
                       !toll_sbf_trace_order_is_same(order, range);
    }
    p->job->alike += fit->differ;
    traces[found].used++;
    toll_sbf_trace_order_update(&p->by_logs, found);
    toll_sbf_trace_order_update(&p->any_logs, found);
    return found;
}

/* The best trace for an invocation; TOLL_SBF_NONE if none fits. */
static uint32_t best_trace(pairs *p, uint32_t invocation)
{
    const toll_sbf_job *job = p->job;
    const toll_sbf_invocation *at = &job->logs.list[invocation];
    job->fits[invocation] = (toll_sbf_fit){ 0 };
    if (!at->spent.is_logged || job->traced[invocation] == TOLL_SBF_NONE)
        return TOLL_SBF_NONE;
    const wanted w = { .kin = { .program = job->traced[invocation],
                                .invokes = at->children,
                                .logs = at->log_lines },
                       .own = toll_sbf_own(at),
                       .children = toll_sbf_builtins_price(job, invocation),
                       .instructions = toll_sbf_own(at) + toll_sbf_uncharged(&at->spent),
                       .unpaid = at->spent.end == SOLANA_END_UNSUPPORTED,
                       .failed = at->spent.failed };
    for (int step = 0; step < 4; step++) {
        best b = { .pays = step < 2 };
        toll_sbf_trace_order *order = step % 2 ? &p->any_logs : &p->by_logs;
        find_best(order, &w, &b);
        if (b.count)
            return use_freshest(p, order, &b, &job->fits[invocation]);
    }
    return TOLL_SBF_NONE;
}

/* --- all ---------------------------------------------------------------------------------------*/

static bool match_each(pairs *p)
{
    toll_sbf_job *job = p->job;
    job->alike = 0;
    for (size_t i = 0; i < job->trace_count; i++)
        job->traces[i].used = 0;
    bool good =
        toll_sbf_trace_order_make(&p->by_logs, &job->mem, job->traces, job->trace_count, true) &&
        toll_sbf_trace_order_make(&p->any_logs, &job->mem, job->traces, job->trace_count, false);
    for (uint32_t i = 0; good && i < job->logs.count; i++)
        job->matches[i] = best_trace(p, i);
    job->looks += p->by_logs.looks + p->any_logs.looks;
    toll_sbf_trace_order_free(&p->by_logs);
    toll_sbf_trace_order_free(&p->any_logs);
    return good || toll_no_memory(&job->failure);
}

/* If the logs are of the whole run, every trace belongs to an invocation. So find an invocation for
 * each trace that was not the best for any. If that fails for one of them, the logs are of a part
 * of the run, and each invocation keeps its best trace. Where a log is cut off, unused traces may
 * belong to what it lacks. */
static bool use_all(pairs *p)
{
    toll_sbf_job *job = p->job;
    bool used = true;
    if (!toll_sbf_spares_make(&p->spares, job))
        return toll_no_memory(&job->failure);
    for (uint32_t i = 0; used && i < job->trace_count; i++)
        used = job->traces[i].used > 0 || toll_sbf_spares_use(&p->spares, i) ||
               toll_sbf_logs_lack(&job->logs);
    return used || match_each(p);
}

bool toll_sbf_pair(toll_sbf_job *job)
{
    pairs p = { .job = job };
    bool good = find_programs(job) && match_each(&p) &&
                (!toll_sbf_logs_lack(&job->logs) || toll_sbf_pair_cut(job)) && use_all(&p);
    job->looks += p.spares.looks;
    toll_sbf_spares_free(&p.spares);
    return good;
}

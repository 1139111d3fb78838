/* sbf_match.c - finds out which trace belongs to which invocation of the logs.
 *
 * A trace is named by the hash of its contents and does not show when it ran; two invocations that
 * did the same share one trace. So a trace fits an invocation of the same program whose own compute
 * units are at least its instructions (exactly these, if it has no system call) and which invoked
 * as many programs as the trace has calls for that. For an invocation that failed it may be one
 * less than these calls, and the instruction that failed may not have been charged. Of the traces
 * that fit, the best is one whose instructions and system calls, at the least that these cost, are
 * not more than what the invocation spent; then one with as many log lines; then the one that
 * leaves the fewest units unexplained. */
#include "solana/sbf_job.h"

#include <inttypes.h>
#include <string.h>

/* --- matching ----------------------------------------------------------------------------------*/

static bool is_program_of(const toll_sbf_job *job, const toll_sbf_trace *t, uint32_t invocation)
{
    return strcmp(job->programs[t->program].id, toll_sbf_logs_program(&job->logs, invocation)) == 0;
}

/* How many instructions of a trace may not have been charged: of a program that failed the last
 * one; of one that had no units left those up to where the machine looks at that, at most every
 * 10,000 instructions. */
static uint64_t uncharged_of(const toll_solana_spent *spent)
{
    enum { CHECKED_EVERY = 10000 };
    if (!spent->failed)
        return 0;
    return spent->total == spent->budget ? CHECKED_EVERY : 1;
}

static bool fits(const toll_sbf_job *job, const toll_sbf_trace *t, uint32_t invocation)
{
    const toll_sbf_invocation *at = &job->logs.list[invocation];
    if (!at->spent.told || t->instructions > toll_sbf_own(at) + uncharged_of(&at->spent) ||
        !is_program_of(job, t, invocation))
        return false;
    if (t->syscalls == 0 && !at->spent.failed)
        return t->instructions == toll_sbf_own(at) && at->children == 0;
    return t->invokes == at->children || (at->spent.failed && t->invokes == at->children + 1);
}

/* The least that an invocation spent on built-in programs, which is part of its own units. */
static uint64_t least_of_children(const toll_sbf_job *job, uint32_t invocation)
{
    uint64_t least = 0;
    uint32_t child = job->logs.list[invocation].first_child;
    for (; child != TOLL_SBF_NONE; child = job->logs.list[child].next)
        least += toll_sbf_builtin_price(job, child);
    return least;
}

/* Negative: a fits the invocation better; 0: they fit equally well. */
static int compare_fit(const toll_sbf_trace *a, const toll_sbf_trace *b,
                       const toll_sbf_invocation *at, uint64_t least)
{
    uint64_t a_least = a->instructions + a->least + least;
    uint64_t b_least = b->instructions + b->least + least;
    bool a_pays = a_least <= toll_sbf_own(at), b_pays = b_least <= toll_sbf_own(at);
    bool a_logs = a->logs == at->log_lines, b_logs = b->logs == at->log_lines;
    if (a_pays != b_pays)
        return a_pays ? -1 : 1;
    if (a_logs != b_logs)
        return a_logs ? -1 : 1;
    if (a_least != b_least)
        return (a_least > b_least) == a_pays ? -1 : 1;
    return 0;
}

/* TOLL_SBF_NONE if no trace fits. */
static uint32_t best_trace(toll_sbf_job *job, uint32_t invocation)
{
    const toll_sbf_invocation *at = &job->logs.list[invocation];
    uint64_t least = least_of_children(job, invocation);
    uint32_t best = TOLL_SBF_NONE;
    bool has_equal = false;
    for (uint32_t i = 0; i < job->trace_count; i++) {
        const toll_sbf_trace *t = &job->traces[i];
        if (!fits(job, t, invocation))
            continue;
        int order = best == TOLL_SBF_NONE ? -1 : compare_fit(t, &job->traces[best], at, least);
        has_equal = order == 0 || (has_equal && order > 0);
        if (order < 0 || (order == 0 && t->used < job->traces[best].used))
            best = i;
    }
    job->alike += has_equal;
    return best;
}

static void match_each(toll_sbf_job *job)
{
    job->alike = 0;
    for (size_t i = 0; i < job->trace_count; i++)
        job->traces[i].used = 0;
    for (uint32_t i = 0; i < job->logs.count; i++) {
        uint32_t found = best_trace(job, i);
        job->matches[i] = found;
        if (found != TOLL_SBF_NONE)
            job->traces[found].used++;
    }
}

/* Give an unused trace the invocation with the fewest units that it fits, of those whose trace
 * belongs to other invocations, too. */
static bool find_use(toll_sbf_job *job, uint32_t trace)
{
    uint32_t best = TOLL_SBF_NONE;
    for (uint32_t i = 0; i < job->logs.count; i++)
        if (job->matches[i] != TOLL_SBF_NONE && job->traces[job->matches[i]].used > 1 &&
            fits(job, &job->traces[trace], i) &&
            (best == TOLL_SBF_NONE ||
             toll_sbf_own(&job->logs.list[i]) < toll_sbf_own(&job->logs.list[best])))
            best = i;
    if (best == TOLL_SBF_NONE)
        return false;
    job->traces[job->matches[best]].used--;
    job->traces[trace].used++;
    job->matches[best] = trace;
    return true;
}

/* If the logs are of the whole run, every trace belongs to an invocation: find one for each trace
 * that was the best of none. If that is not possible for all of them, the logs are of a part of the
 * run, and each invocation keeps its best trace. */
static void use_all(toll_sbf_job *job)
{
    bool used = true;
    for (uint32_t i = 0; used && i < job->trace_count; i++)
        used = job->traces[i].used > 0 || find_use(job, i);
    if (!used)
        match_each(job);
}

/* The trace shows what the error alone does not: if a system call failed, the rest of the budget is
 * not charged. */
static void settle_rests(toll_sbf_job *job)
{
    for (size_t i = 0; i < job->logs.count; i++) {
        toll_sbf_invocation *at = &job->logs.list[i];
        uint32_t trace = job->matches[i];
        if (!at->spent.rest_is_assumed)
            continue;
        if (trace == TOLL_SBF_NONE)
            job->stopped++;
        else if (job->traces[trace].end == TOLL_SBF_STOPPED_IN_SYSCALL &&
                 at->spent.end == SOLANA_END_ACCESS)
            at->spent.rest = 0;
    }
}

/* --- what is left over -------------------------------------------------------------------------*/

/* Whether there is any trace of the invocation's program. */
static bool is_traced(const toll_sbf_job *job, uint32_t invocation)
{
    for (size_t i = 0; i < job->trace_count; i++)
        if (is_program_of(job, &job->traces[i], invocation))
            return true;
    return false;
}

/* The logs are of another run. */
static void tell_foreign(const toll_sbf_job *job)
{
    toll_format_warn(job->options,
                     "%s: no invocation in it has a trace in %s; are these the logs of the "
                     "transactions that were traced?",
                     job->options->logs, job->folder);
}

/* The first of those that no trace fits, although their program was traced. */
static void tell_untraced(const toll_sbf_job *job, uint32_t invocation)
{
    const toll_sbf_invocation *at = &job->logs.list[invocation];
    uint64_t closest = 0, traces = 0;
    for (size_t i = 0; i < job->trace_count; i++) {
        const toll_sbf_trace *t = &job->traces[i];
        if (!is_program_of(job, t, invocation))
            continue;
        traces++;
        if (t->instructions <= toll_sbf_own(at) && t->instructions > closest)
            closest = t->instructions;
    }
    toll_format_warn(job->options,
                     "%s:%" PRIu64 ": no trace fits this invocation of %s, which consumed %" PRIu64
                     " itself and invoked %" PRIu32 " programs; of its %" PRIu64
                     " traces the longest that is not too long has %" PRIu64 " instructions",
                     job->options->logs, at->line, toll_sbf_logs_program(&job->logs, invocation),
                     toll_sbf_own(at), at->children, traces, closest);
}

static void tell_cut(const toll_sbf_job *job)
{
    if (job->logs.cuts)
        toll_format_warn(job->options,
                         "%s:%" PRIu64 ": the log is cut off here (transactions that are: %" PRIu64
                         "); what ran later is not in it: raise the limit of logged bytes "
                         "(LiteSVM: withLogBytesLimit)",
                         job->options->logs, job->logs.first_cut, job->logs.cuts);
}

/* The last of those without an end: the innermost one that ran when a log was cut off. */
static void tell_unfinished(const toll_sbf_job *job)
{
    const toll_sbf_logs *logs = &job->logs;
    if (logs->unfinished)
        toll_format_warn(job->options,
                         "%s:%" PRIu64 ": the end of this invocation of %s is not in the log "
                         "(invocations without one: %" PRIu64
                         "), nor what ran later; is the log cut off?",
                         job->options->logs, logs->list[logs->last_unfinished].line,
                         toll_sbf_logs_program(logs, logs->last_unfinished), logs->unfinished);
}

/* The logs lack something, which has been told. */
static bool are_cut(const toll_sbf_logs *logs)
{
    return logs->cuts || logs->unfinished || logs->counts.cut_off;
}

static void tell_left_over(toll_sbf_job *job)
{
    uint32_t first = TOLL_SBF_NONE;
    bool any = false;
    for (uint32_t i = 0; i < job->logs.count; i++) {
        any |= job->matches[i] != TOLL_SBF_NONE;
        if (!job->logs.list[i].spent.told || job->matches[i] != TOLL_SBF_NONE)
            continue;
        job->untraced++;
        if (first == TOLL_SBF_NONE && is_traced(job, i))
            first = i;
    }
    for (size_t i = 0; i < job->trace_count; i++)
        job->unused += job->traces[i].used == 0;
    tell_cut(job);
    if (!job->logs.counts.cut_off)
        tell_unfinished(job);
    if (!any && first == TOLL_SBF_NONE && !are_cut(&job->logs)) {
        tell_foreign(job);
        return;
    }
    if (first != TOLL_SBF_NONE)
        tell_untraced(job, first);
    if (job->unused && !are_cut(&job->logs))
        toll_format_warn(job->options,
                         "%s: %" PRIu64
                         " of %zu traces fit no invocation of the logs, and are left "
                         "out; do the logs hold all transactions?",
                         job->folder, job->unused, job->trace_count);
}

static bool read_logs(toll_sbf_job *job)
{
    toll_input *in;
    if (!toll_ok(&job->failure,
                 toll_input_open(&job->mem, job->options->logs, &in, job->failure.err)))
        return false;
    job->logs.names = &job->names;
    job->logs.options = job->options;
    bool good = toll_sbf_logs_read(&job->logs, in, &job->failure);
    toll_input_free(in);
    return good;
}

bool toll_sbf_match(toll_sbf_job *job)
{
    if (!read_logs(job))
        return false;
    job->matches = toll_mem_new(&job->mem, job->logs.count, sizeof *job->matches);
    if (!job->matches)
        return toll_no_memory(&job->failure);
    match_each(job);
    use_all(job);
    settle_rests(job);
    tell_left_over(job);
    return true;
}

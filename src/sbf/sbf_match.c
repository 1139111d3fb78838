/* sbf_match.c - reads the logs, finds the trace of each invocation (sbf_pairs.c), and reports what
 * does not match. See sbf_job.h. */
#include "sbf/sbf_job.h"

#include <inttypes.h>

/* --- the rest of the budget --------------------------------------------------------------------*/

/* Use what only the trace shows: if a system call failed, the rest of the budget is not charged. */
static void correct_rests(toll_sbf_job *job)
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

/* --- what does not match -----------------------------------------------------------------------*/

/* Warn: the logs belong to another run. */
static void warn_foreign(const toll_sbf_job *job)
{
    toll_format_warn(job->options,
                     "%s: no invocation in it has a trace in %s; are these the logs of the "
                     "transactions that were traced?",
                     job->own.logs, job->folder);
}

/* Warn about the first invocation without a trace, although its program was traced. */
static void warn_untraced(const toll_sbf_job *job, uint32_t invocation)
{
    const toll_sbf_invocation *at = &job->logs.list[invocation];
    uint64_t closest = 0, traces = 0;
    for (size_t i = 0; i < job->trace_count; i++) {
        const toll_sbf_trace *t = &job->traces[i];
        if (t->program != job->traced[invocation])
            continue;
        traces++;
        if (t->instructions <= toll_sbf_own(at) && t->instructions > closest)
            closest = t->instructions;
    }
    toll_format_warn(job->options,
                     "%s:%" PRIu64 ": no trace fits this invocation of %s, which consumed %" PRIu64
                     " itself and invoked %" PRIu32 " programs; of its %" PRIu64
                     " traces the longest that is not too long has %" PRIu64 " instructions",
                     job->own.logs, at->line, toll_sbf_logs_program(&job->logs, invocation),
                     toll_sbf_own(at), at->children, traces, closest);
}

static const char *charged_by_traces(const toll_sbf_job *job)
{
    return job->by_trace ? ", and is charged by its traces as far as these tell" : "";
}

static void warn_cut(const toll_sbf_job *job)
{
    if (job->logs.cuts)
        toll_format_warn(job->options,
                         "%s:%" PRIu64 ": the log is cut off here (transactions that are: %" PRIu64
                         "); what ran later is not in it%s: raise the limit of logged bytes "
                         "(LiteSVM: withLogBytesLimit)",
                         job->own.logs, job->logs.first_cut, job->logs.cuts,
                         charged_by_traces(job));
}

/* Warn about the last invocation without an end: the innermost one that ran when a log was cut
 * off. */
static void warn_unfinished(const toll_sbf_job *job)
{
    const toll_sbf_logs *logs = &job->logs;
    if (logs->unfinished)
        toll_format_warn(job->options,
                         "%s:%" PRIu64 ": the end of this invocation of %s is not in the log "
                         "(invocations without one: %" PRIu64
                         "), nor what ran later%s; is the log cut off?",
                         job->own.logs, logs->list[logs->last_unfinished].line,
                         toll_sbf_logs_program(logs, logs->last_unfinished), logs->unfinished,
                         charged_by_traces(job));
}

/* Have the logs gaps that were already reported? */
static bool are_cut(const toll_sbf_logs *logs)
{
    return toll_sbf_logs_lack(logs) || logs->counts.cut_off;
}

static void warn_unmatched(toll_sbf_job *job)
{
    uint32_t first = TOLL_SBF_NONE;
    bool any = false;
    for (uint32_t i = 0; i < job->logs.count; i++) {
        any |= job->matches[i] != TOLL_SBF_NONE;
        if (!job->logs.list[i].spent.is_logged || job->matches[i] != TOLL_SBF_NONE)
            continue;
        job->untraced++;
        if (first == TOLL_SBF_NONE && job->traced[i] != TOLL_SBF_NONE)
            first = i;
    }
    for (size_t i = 0; i < job->trace_count; i++)
        job->unused += job->traces[i].used == 0;
    warn_cut(job);
    if (!job->logs.counts.cut_off)
        warn_unfinished(job);
    if (!any && first == TOLL_SBF_NONE && !are_cut(&job->logs)) {
        warn_foreign(job);
        return;
    }
    if (first != TOLL_SBF_NONE)
        warn_untraced(job, first);
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
    if (!toll_ok(&job->failure, toll_input_open(&job->mem, job->own.logs, &in, job->failure.err)))
        return false;
    job->logs.names = &job->names;
    job->logs.options = job->options;
    job->logs.heap_cost = job->costs.heap_cost;
    bool good = toll_sbf_logs_read(&job->logs, in, &job->failure);
    toll_input_free(in);
    return good;
}

bool toll_sbf_match(toll_sbf_job *job)
{
    if (!read_logs(job))
        return false;
    job->matches = toll_mem_new(&job->mem, job->logs.count, sizeof *job->matches);
    job->traced = toll_mem_new(&job->mem, job->logs.count, sizeof *job->traced);
    job->fits = toll_mem_new(&job->mem, job->logs.count, sizeof *job->fits);
    if (!job->matches || !job->traced || !job->fits)
        return toll_no_memory(&job->failure);
    if (!toll_sbf_pair(job) || !toll_sbf_pair_alike(job))
        return false;
    correct_rests(job);
    warn_unmatched(job);
    return true;
}

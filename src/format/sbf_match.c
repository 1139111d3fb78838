/* sbf_match.c - which trace shows which invocation of the logs.
 *
 * A trace is named by the hash of what it holds and says nothing of when it ran; two invocations that
 * did the same are one trace. So a trace fits an invocation
 *   of the same program
 *   whose own compute units are not less than its instructions (the same, if no system call is in it)
 *   and which invoked as many programs as the trace has calls for that (one more if it failed).
 * Of those that fit the best has as many log lines, then the fewest units that are not
 * instructions, then the fewest invocations so far. */
#include "base/fail.h"
#include "format/sbf_job.h"
#include "format/sbf_syscalls.h"

#include <inttypes.h>
#include <string.h>

/* --- what a trace has in it --------------------------------------------------------------------*/

static toll_status pass_enter(void *trace, uint64_t entry_pc, uint64_t done, toll_error *err)
{
    (void)trace, (void)entry_pc, (void)done, (void)err;
    return TOLL_OK;
}

static toll_status pass_leave(void *trace, uint64_t frames, uint64_t done, toll_error *err)
{
    (void)trace, (void)frames, (void)done, (void)err;
    return TOLL_OK;
}

static toll_status count_syscall(void *trace, uint32_t hash, uint64_t done, toll_error *err)
{
    toll_sbf_trace *t = trace;
    const toll_sbf_syscall *known = toll_sbf_syscall_find(hash);
    (void)done, (void)err;
    t->syscalls++;
    t->invokes += known && known->kind == TOLL_SBF_INVOKE;
    t->logs += known && known->kind == TOLL_SBF_LOG;
    return TOLL_OK;
}

static toll_status count_traces(toll_sbf_job *job, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < job->trace_count; i++) {
        toll_sbf_trace *t = &job->traces[i];
        toll_sbf_events events = { t, pass_enter, pass_leave, count_syscall };
        toll_sbf_counts counts = { 0 };
        status = toll_sbf_scan_trace(job, t, &events, &counts, err);
        t->instructions = counts.instructions;
    }
    return status;
}

/* --- matching ----------------------------------------------------------------------------------*/

static bool fits(const toll_sbf_trace *t, const toll_sbf_invocation *at)
{
    if (t->instructions > at->own)
        return false;
    if (t->syscalls == 0 && !at->has_failed)
        return t->instructions == at->own && at->children == 0;
    return t->invokes == at->children || (at->has_failed && t->invokes == at->children + 1);
}

/* Negative: a fits the invocation better; 0: nothing tells them apart. */
static int compare_fit(const toll_sbf_trace *a, const toll_sbf_trace *b,
                       const toll_sbf_invocation *at)
{
    bool a_logs = a->logs == at->log_lines, b_logs = b->logs == at->log_lines;
    if (a_logs != b_logs)
        return a_logs ? -1 : 1;
    if (a->instructions != b->instructions)
        return a->instructions > b->instructions ? -1 : 1;
    return 0;
}

/* TOLL_SBF_NONE if no trace fits. */
static uint32_t best_trace(toll_sbf_job *job, const toll_sbf_invocation *at, const char *program)
{
    uint32_t best = TOLL_SBF_NONE;
    bool has_equal = false;
    for (uint32_t i = 0; i < job->trace_count; i++) {
        const toll_sbf_trace *t = &job->traces[i];
        if (strcmp(job->programs[t->program].id, program) != 0 || !fits(t, at))
            continue;
        int order = best == TOLL_SBF_NONE ? -1 : compare_fit(t, &job->traces[best], at);
        has_equal = order == 0 || (has_equal && order > 0);
        if (order < 0 || (order == 0 && t->used < job->traces[best].used))
            best = i;
    }
    job->alike += has_equal;
    return best;
}

static void tell_untraced(const toll_sbf_job *job, const toll_sbf_invocation *at,
                          const char *program)
{
    uint64_t closest = 0, traces = 0;
    for (size_t i = 0; i < job->trace_count; i++) {
        const toll_sbf_trace *t = &job->traces[i];
        if (strcmp(job->programs[t->program].id, program) != 0)
            continue;
        traces++;
        if (t->instructions <= at->own && t->instructions > closest)
            closest = t->instructions;
    }
    toll_format_warn(&job->warnings,
                     "%s:%" PRIu64 ": no trace fits the invocation of %s, which consumed %" PRIu64
                     " itself and invoked %" PRIu32 " programs; of its %" PRIu64
                     " traces the longest that is not too long has %" PRIu64 " instructions",
                     job->options->logs, at->line, program, at->own, at->children, traces, closest);
}

static void match_all(toll_sbf_job *job)
{
    for (uint32_t i = 0; i < job->logs.count; i++) {
        const toll_sbf_invocation *at = &job->logs.list[i];
        const char *program = toll_sbf_logs_program(&job->logs, i);
        job->matches[i] = TOLL_SBF_NONE;
        if (!at->is_told) {
            job->silent++;
            continue;
        }
        uint32_t found = best_trace(job, at, program);
        job->matches[i] = found;
        if (found != TOLL_SBF_NONE) {
            job->traces[found].used++;
        } else {
            job->untraced++;
            tell_untraced(job, at, program);
        }
    }
    for (size_t i = 0; i < job->trace_count; i++)
        job->unused += job->traces[i].used == 0;
    if (job->unused)
        toll_format_warn(&job->warnings,
                         "%s: %" PRIu64 " of %zu traces fit no invocation of the logs, and are left "
                         "out; do the logs hold all transactions?",
                         job->folder, job->unused, job->trace_count);
}

toll_status toll_sbf_match(toll_sbf_job *job, toll_error *err)
{
    toll_input *in;
    toll_status status = toll_input_open(&job->mem, job->options->logs, &in, err);
    if (status)
        return status;
    status = toll_sbf_logs_read(&job->logs, in, err);
    toll_input_free(in);
    if (!status)
        status = count_traces(job, err);
    if (status)
        return status;
    job->matches = toll_mem_new(&job->mem, job->logs.count, sizeof *job->matches);
    if (!job->matches)
        return toll_fail_nomem(err);
    match_all(job);
    return TOLL_OK;
}

/* sbf_read.c - reads the format "sbf-trace": a folder of register traces into a profile.
 *
 * LiteSVM and Mollusk, run with SBF_TRACE_DIR=FOLDER, write every instruction that a program
 * executes into that folder: HASH.regs, HASH.insns and HASH.program_id for each invocation. Columns
 * of the profile are "calls" and "compute units": an instruction costs one. Frames are programs,
 * their callees are functions (the file is the program's ID), and the callees of these are system
 * calls (kind native). A program that failed has a frame of its own, with " (failed)" after the
 * name.
 *
 * Without logs every invocation is a root. With logs each is matched with a trace and is a child of
 * the system call that made it, and every invocation adds up to the N in its line `Program ID
 * consumed N`: system calls are charged their prices, and open prices are solved from the logs'
 * figures, or charged to a frame [unknown syscall cost]. If the logs are JSON with the charge of
 * each transaction, that charge is the sum: units that no line explains are in a frame "(not in the
 * log)". If the virtual machine stopped a program, the rest of its budget is in a frame "(rest of
 * the budget)" under the program. */
#include "base/sized_options.h"
#include "record/recorder_data.h"
#include "sbf/sbf_job.h"

#include <stdio.h>

static bool add_notes(toll_sbf_job *job, toll_profile *p)
{
    char priced[160];
    snprintf(priced, sizeof priced, "system calls with the prices of %s%s", job->costs.runtime,
             job->own.logs ? "" : " (logs would tell what they cost)");
    const uint64_t *named = job->programs.named;
    bool is_partial = named[TOLL_SBF_BY_DYNAMIC] || named[TOLL_SBF_BY_SHAPE] ||
                      named[TOLL_SBF_BY_LIBRARY] || named[TOLL_SBF_UNNAMED];
    const struct {
        const char *text;
        uint64_t count;
    } notes[] = {
        { "invocations as roots, those that did the same once (logs would tell who made them)",
          job->own.logs ? 0 : job->trace_count },
        { "invocations without a trace that fits", job->untraced },
        { "invocations whose compute units the logs do not tell (built-in: within their caller's)",
          job->logs.pricings[SOLANA_WITHIN_CALLER] },
        { SOLANA_TEXT_UNSUMMED, job->logs.unsummed },
        { SOLANA_TEXT_PRICED, job->logs.pricings[SOLANA_PRICED] },
        { SOLANA_TEXT_UNPRICED, job->logs.pricings[SOLANA_UNPRICED] },
        { SOLANA_TEXT_LESS, job->logs.less },
        { job->own.logs ? SOLANA_TEXT_STOPPED
                        : "programs that the virtual machine stopped: what was left of their "
                          "budget was charged, too (logs would tell)",
          job->stopped },
        { "transactions whose log is cut off: charged the programs that ended before, and those "
          "that have traces",
          job->logs.cuts },
        { "invocations that a log which is cut off does not end: charged what their traces cost at "
          "least",
          job->by_trace },
        { SOLANA_TEXT_UNFINISHED, job->logs.unfinished },
        { "lines of logs for programs that do not run then, passed over", job->logs.strays },
        { SOLANA_TEXT_UNFIT, job->logs.unfit },
        { SOLANA_TEXT_ERRORS, job->logs.counts.errors },
        { SOLANA_TEXT_NULLS, job->logs.counts.nulls },
        { SOLANA_TEXT_CUT_OFF, job->logs.counts.cut_off },
        { "invocations that several traces fit equally well: one of them taken, (one of N)",
          job->alike },
        { "invocations that several traces fit equally well: told apart by the times of the "
          "traces' files",
          job->by_time },
        { "traces that fit no invocation of the logs, left out", job->unused },
        { priced, job->priced },
        { "system calls charged the least that they cost: the rest depends on memory, or they "
          "failed (logs would tell)",
          job->open },
        { "groups of system calls of which only the sum is known: what it has beyond their least "
          "prices is in " TOLL_SBF_FRAME_UNKNOWN,
          job->split },
        { "groups of system calls that cost something else than their prices (is it another "
          "runtime? --costs)",
          job->odd },
        { "files of folders with programs that cannot be read, passed over", job->programs.unread },
        { TOLL_SBF_TEXT_NAMED, is_partial ? named[TOLL_SBF_BY_SYMBOL] : 0 },
        { TOLL_SBF_TEXT_DYNAMIC, named[TOLL_SBF_BY_DYNAMIC] },
        { TOLL_SBF_TEXT_SHAPE, named[TOLL_SBF_BY_SHAPE] },
        { TOLL_SBF_TEXT_LIBRARY, named[TOLL_SBF_BY_LIBRARY] },
        { TOLL_SBF_TEXT_UNNAMED, named[TOLL_SBF_UNNAMED] },
        { TOLL_SBF_TEXT_LOST, job->counts.lost_returns },
        { TOLL_SBF_TEXT_OUTER, job->counts.outer_returns },
        { "traces that end inside of a called function", job->counts.open_ends },
    };
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (!toll_ok(&job->failure,
                     toll_profile_add_note(p, notes[i].text, notes[i].count, job->failure.err)))
            return false;
    return true;
}

static bool read_costs(toll_sbf_job *job)
{
    toll_failure *f = &job->failure;
    toll_input *in;
    toll_sbf_costs_set(&job->costs);
    if (!job->own.costs)
        return true;
    if (!toll_ok(f, toll_input_open(&job->mem, job->own.costs, &in, f->err)))
        return false;
    bool good = toll_sbf_costs_read(&job->costs, in, f);
    toll_input_free(in);
    return good;
}

static void begin_programs(toll_sbf_job *job)
{
    toll_sbf_programs *p = &job->programs;
    p->failure = &job->failure;
    p->own = &job->own;
    p->options = job->options;
    p->strings = &job->strings;
    p->names = &job->names;
    p->recorder = job->recorder;
    p->has_run = toll_sbf_has_run;
    p->user = job;
}

static bool play(toll_sbf_job *job)
{
    bool has_logs = job->own.logs != NULL;
    begin_programs(job);
    if (!toll_solana_names_read(&job->names, &job->own, job->options, &job->failure) ||
        !read_costs(job) || !toll_sbf_find_traces(job) ||
        !toll_sbf_choose_builds(&job->programs, job->folder) || !toll_sbf_count_traces(job) ||
        (has_logs && !toll_sbf_match(job)))
        return false;
    toll_recorder_rebase(job->recorder, &job->clock);
    bool good = has_logs ? toll_sbf_play_logs(job) : toll_sbf_play_traces(job);
    toll_recorder_stop(job->recorder, &job->clock);
    if (good)
        toll_solana_idls_warn_unused(&job->names.idls, job->options);
    /* Without memory a recorder omits frames and continues; a reader fails instead. */
    if (good && job->recorder->counts[TOLL_COUNT_NOMEM])
        return toll_no_memory(&job->failure);
    return good;
}

static bool make_profile(toll_sbf_job *job, toll_profile **out)
{
    toll_profile *p;
    if (!toll_ok(&job->failure,
                 toll_recorder_snapshot(job->recorder, &job->mem, &p, job->failure.err)))
        return false;
    if (add_notes(job, p))
        *out = p;
    else
        toll_profile_free(p);
    return !job->failure.status;
}

/* Copy the caller's options to *o. */
static toll_status read_options(toll_solana_options *o, const void *given, toll_error *err)
{
    toll_status status = toll_options_copy(o, sizeof *o, given, "toll_solana_options", err);
    if (status)
        return status;
    if (o->elf_count && !o->elfs)
        return toll_fail_null(err, "options->elfs");
    for (size_t i = 0; i < o->elf_count; i++)
        if (!o->elfs[i].path)
            return toll_fail_null(err, "options->elfs[i].path");
    return TOLL_OK;
}

static void free_job(toll_sbf_job *job)
{
    toll_sbf_programs_free(&job->programs);
    toll_mem_free(&job->mem, job->traces, job->trace_capacity, sizeof *job->traces);
    toll_mem_free(&job->mem, job->calls, job->call_capacity, sizeof *job->calls);
    toll_mem_free(&job->mem, job->matches, job->logs.count, sizeof *job->matches);
    toll_mem_free(&job->mem, job->fits, job->logs.count, sizeof *job->fits);
    toll_mem_free(&job->mem, job->traced, job->logs.count, sizeof *job->traced);
    toll_sbf_logs_free(&job->logs);
    toll_solana_names_free(&job->names);
    toll_strtab_free(&job->strings);
    toll_buffer_free(&job->path);
    toll_buffer_free(&job->name);
    toll_recorder_free(job->recorder);
}

toll_status toll_sbf_read(toll_read_job *job, toll_error *err)
{
    static const toll_counter counter = { "compute units", "CU", 0 };
    toll_sbf_job j = {
        .mem = job->mem, .failure.err = err, .folder = job->folder, .options = job->options
    };
    toll_status status = read_options(&j.own, job->own, err);
    if (status)
        return status;
    const toll_recorder_options recorder = { .size = sizeof recorder,
                                             .allocator = &job->mem,
                                             .counters = &counter,
                                             .counter_count = 1,
                                             .lines = j.own.lines };
    toll_strtab_init(&j.strings, &j.mem);
    toll_sbf_logs_init(&j.logs, &j.mem);
    toll_solana_names_init(&j.names, &j.mem);
    toll_sbf_programs_init(&j.programs, &j.mem);
    toll_buffer_init(&j.path, &j.mem);
    toll_buffer_init(&j.name, &j.mem);
    if (toll_ok(&j.failure, toll_recorder_create(&recorder, &j.recorder, err)) && play(&j))
        make_profile(&j, &job->profile);
    free_job(&j);
    return j.failure.status;
}

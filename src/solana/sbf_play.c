/* sbf_play.c - plays traces as events of a recorder, callees inside of their callers.
 *
 * The clock is in compute units: an instruction moves it by 1. What an invocation consumed beyond
 * its instructions was spent on its system calls; a trace does not show how much on each. The logs
 * have the units that remained when an invocation began, so the cost is known for each interval
 * between two invocations. Where an interval has one system call, that is charged; the cost of the
 * others is charged to a frame of its own at the end. For example: with a budget of 1000, a
 * callee's line `consumed 30 of 780`, and 20 instructions before the call for it, 1000 - 780 - 20 =
 * 200 were spent on system calls until then; if that call was the only one, it cost 200. */
#include "base/demangle.h"
#include "base/fail.h"
#include "solana/sbf_job.h"
#include "solana/sbf_syscalls.h"

#include <inttypes.h>
#include <stdio.h>

/* The state while a trace is played. */
typedef struct player {
    toll_sbf_job *job;
    uint32_t program;
    const toll_sbf_invocation *at; /* its invocation in the logs; NULL: there are no logs */
    uint32_t next_child;           /* the invocation that the trace's next call for one makes */
    uint64_t done;                 /* instructions so far */
    uint64_t most;                 /* the number of instructions that were charged */
    uint64_t rest;                 /* units of system calls that are not charged yet */
    uint64_t told;                 /* units of system calls in the past intervals */
    uint64_t nested;               /* consumed by the callees so far */
    uint64_t syscalls;             /* number of them in this interval */
    bool has_one;                  /* system call in all */
} player;

static toll_status play_invocation(toll_sbf_job *job, uint32_t id, toll_error *err);

/* --- frames ------------------------------------------------------------------------------------*/

/* The program's ID is the file, so that fn@PC of two programs are two functions. */
static toll_status make_function(toll_sbf_job *job, toll_sbf_program *program, uint64_t pc,
                                 toll_frame_id *out, toll_error *err)
{
    char number[32];
    const char *symbol = toll_sbf_symbols_find(&program->symbols, pc);
    toll_buffer_clear(&job->name);
    if (symbol) {
        toll_append_demangled(&job->name, symbol);
    } else {
        snprintf(number, sizeof number, "fn@%" PRIu64, pc);
        toll_buffer_append_text(&job->name, number);
    }
    toll_frame frame = { toll_buffer_cstr(&job->name), program->id, 0, TOLL_KIND_FUNCTION };
    if (!frame.name)
        return toll_fail_nomem(err);
    return toll_recorder_add_frame(job->recorder, &frame, out, err);
}

static toll_status find_function(toll_sbf_job *job, toll_sbf_program *program, uint64_t pc,
                                 toll_frame_id *out, toll_error *err)
{
    *out = toll_u64map_find(&program->frames, pc);
    if (*out != TOLL_NONE)
        return TOLL_OK;
    toll_status status = make_function(job, program, pc, out, err);
    if (!status && !toll_u64map_add(&program->frames, pc, *out))
        status = toll_fail_nomem(err);
    return status;
}

static toll_status find_syscall(toll_sbf_job *job, uint32_t hash, toll_frame_id *out,
                                toll_error *err)
{
    char number[32];
    const toll_sbf_syscall *known = toll_sbf_syscall_find(hash);
    *out = toll_u64map_find(&job->syscalls, hash);
    if (*out != TOLL_NONE)
        return TOLL_OK;
    snprintf(number, sizeof number, "syscall@%08" PRIx32, hash);
    toll_frame frame = { known ? known->name : number, NULL, 0, TOLL_KIND_NATIVE };
    toll_status status = toll_recorder_add_frame(job->recorder, &frame, out, err);
    if (!status && !toll_u64map_add(&job->syscalls, hash, *out))
        status = toll_fail_nomem(err);
    return status;
}

/* --- one trace ---------------------------------------------------------------------------------*/

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void move_clock(player *p, uint64_t done)
{
    p->job->clock += least_of(done, p->most) - least_of(p->done, p->most);
    p->done = done;
}

static toll_status on_enter(void *user, uint64_t entry_pc, uint64_t done, toll_error *err)
{
    player *p = user;
    toll_frame_id frame;
    move_clock(p, done);
    toll_status status =
        find_function(p->job, &p->job->programs[p->program], entry_pc, &frame, err);
    if (!status)
        toll_recorder_call(p->job->recorder, frame, &p->job->clock);
    return status;
}

static toll_status on_leave(void *user, uint64_t frames, uint64_t done, toll_error *err)
{
    player *p = user;
    (void)err;
    move_clock(p, done);
    while (frames-- > 0)
        toll_recorder_return(p->job->recorder, &p->job->clock);
    return TOLL_OK;
}

/* The callees in the logs are those of the trace's calls, in order. */
static toll_status play_next_child(player *p, toll_error *err)
{
    uint32_t child = p->next_child;
    p->next_child = p->job->logs.list[child].next;
    p->nested += p->job->logs.list[child].consumed + p->job->logs.list[child].rest;
    return play_invocation(p->job, child, err);
}

static void charge_now(player *p, uint64_t units)
{
    p->job->clock += units;
    p->rest -= units;
}

/* A callee begins: that ends an interval, if the logs have the units that remained. */
static void end_stretch(player *p, const toll_sbf_invocation *child)
{
    uint64_t known = p->nested + p->done + p->told;
    if (!child->is_told || child->available > p->at->available ||
        p->at->available - child->available < known)
        return;
    uint64_t units = p->at->available - child->available - known;
    if (units > p->rest)
        return;
    if (p->syscalls == 1)
        charge_now(p, units);
    p->told += units;
    p->syscalls = 0;
}

static toll_status on_syscall(void *user, uint32_t hash, uint64_t done, toll_error *err)
{
    player *p = user;
    toll_frame_id frame;
    const toll_sbf_syscall *known = toll_sbf_syscall_find(hash);
    move_clock(p, done);
    toll_status status = find_syscall(p->job, hash, &frame, err);
    if (status)
        return status;
    toll_recorder_call(p->job->recorder, frame, &p->job->clock);
    p->syscalls++;
    if (p->has_one)
        charge_now(p, p->rest);
    if (known && known->kind == TOLL_SBF_INVOKE && p->next_child != TOLL_SBF_NONE) {
        end_stretch(p, &p->job->logs.list[p->next_child]);
        status = play_next_child(p, err);
    }
    toll_recorder_return(p->job->recorder, &p->job->clock);
    return status;
}

static toll_status play_trace(player *p, uint32_t trace, toll_error *err)
{
    const toll_sbf_trace *t = &p->job->traces[trace];
    toll_sbf_events events = { p, on_enter, on_leave, on_syscall };
    toll_status status = toll_sbf_scan_trace(p->job, t, NULL, &events, &p->job->counts, err);
    if (!status && p->at && p->done != t->instructions)
        status = toll_fail(err, TOLL_E_SYNTAX, "%s/%s.regs: has changed while it was read",
                           p->job->folder, t->name);
    return status;
}

/* --- invocations -------------------------------------------------------------------------------*/

/* Charge units to a frame of their own, with 0 calls. */
static toll_status charge_frame(toll_sbf_job *job, const char *name, uint64_t units,
                                toll_error *err)
{
    const toll_frame frame = { name, NULL, 0, TOLL_KIND_NATIVE };
    toll_frame_id id;
    if (units == 0)
        return TOLL_OK;
    toll_status status = toll_recorder_add_frame(job->recorder, &frame, &id, err);
    if (status)
        return status;
    toll_recorder_adopt(job->recorder, &id, 1, &job->clock);
    job->clock += units;
    toll_recorder_return(job->recorder, &job->clock);
    return TOLL_OK;
}

static toll_frame_id frame_of(const toll_sbf_job *job, uint32_t program, bool has_failed)
{
    const toll_sbf_program *p = &job->programs[program];
    return has_failed ? p->failed_frame : p->frame;
}

static toll_status play_traced(player *p, uint32_t trace, toll_error *err)
{
    const toll_sbf_trace *t = &p->job->traces[trace];
    p->most = p->at->own;
    p->rest = p->at->own - least_of(t->instructions, p->at->own);
    p->has_one = t->syscalls == 1;
    toll_status status = play_trace(p, trace, err);
    /* The system calls whose single costs are not known. */
    return status ? status : charge_frame(p->job, "[syscalls]", p->rest, err);
}

/* Recursive, at most TOLL_SBF_MAX_INVOKE_DEPTH deep. Without a trace the units are charged to the
 * program's frame. */
static toll_status play_invocation(toll_sbf_job *job, uint32_t id, toll_error *err)
{
    player p = { .job = job, .at = &job->logs.list[id] };
    toll_status status =
        toll_sbf_add_program(job, toll_sbf_logs_program(&job->logs, id), &p.program, err);
    if (status)
        return status;
    p.next_child = p.at->first_child;
    toll_recorder_call(job->recorder, frame_of(job, p.program, p.at->has_failed), &job->clock);
    if (job->matches[id] != TOLL_SBF_NONE)
        status = play_traced(&p, job->matches[id], err);
    else
        job->clock += p.at->own;
    while (!status && p.next_child != TOLL_SBF_NONE)
        status = play_next_child(&p, err);
    if (!status)
        status = charge_frame(job, SOLANA_FRAME_REST, p.at->rest, err);
    toll_recorder_return(job->recorder, &job->clock);
    return status;
}

toll_status toll_sbf_play_logs(toll_sbf_job *job, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < job->logs.count; i++)
        if (job->logs.list[i].parent == TOLL_SBF_NONE)
            status = play_invocation(job, i, err);
    return status ? status
                  : charge_frame(job, SOLANA_FRAME_UNLOGGED, (uint64_t)job->logs.unlogged, err);
}

toll_status toll_sbf_play_traces(toll_sbf_job *job, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < job->trace_count; i++) {
        player p = { .job = job,
                     .program = job->traces[i].program,
                     .next_child = TOLL_SBF_NONE,
                     .most = UINT64_MAX };
        toll_sbf_end end = job->traces[i].end;
        job->stopped += end == TOLL_SBF_STOPPED;
        toll_recorder_call(job->recorder, frame_of(job, p.program, end != TOLL_SBF_RETURNED),
                           &job->clock);
        status = play_trace(&p, i, err);
        toll_recorder_return(job->recorder, &job->clock);
    }
    return status;
}

/* sbf_play.c - traces as events of a recorder, invocations one inside of the other.
 *
 * The clock is compute units: an instruction moves it by 1. What an invocation consumed beyond its
 * instructions (system calls: the traces do not say which of them how much) is moved in a frame of
 * its own at the end. */
#include "base/fail.h"
#include "format/sbf_job.h"
#include "format/sbf_syscalls.h"

#include <inttypes.h>
#include <stdio.h>

static const char syscalls_name[] = "[syscalls]";

/* A trace while it plays. */
typedef struct player {
    toll_sbf_job *job;
    uint32_t program;
    uint32_t next_child; /* the invocation that the next call for one makes */
    uint64_t done;       /* instructions so far */
    uint64_t most;       /* so many are paid for */
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
        toll_sbf_append_name(&job->name, symbol);
    } else {
        snprintf(number, sizeof number, "fn@%" PRIu64, pc);
        toll_buffer_append_text(&job->name, number);
    }
    toll_frame frame = { toll_buffer_cstr(&job->name), program->id, 0, TOLL_KIND_FUNCTION };
    if (!frame.name)
        return toll_fail_nomem(err);
    return toll_recorder_frame(job->recorder, &frame, out, err);
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
    toll_status status = toll_recorder_frame(job->recorder, &frame, out, err);
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

/* The invocations that the logs tell of are those of the trace's calls, in order. */
static toll_status play_next_child(player *p, toll_error *err)
{
    uint32_t child = p->next_child;
    if (child == TOLL_SBF_NONE)
        return TOLL_OK;
    p->next_child = p->job->logs.list[child].next;
    return play_invocation(p->job, child, err);
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
    if (known && known->kind == TOLL_SBF_INVOKE)
        status = play_next_child(p, err);
    toll_recorder_return(p->job->recorder, &p->job->clock);
    return status;
}

static toll_status play_trace(player *p, uint32_t trace, toll_error *err)
{
    toll_sbf_events events = { p, on_enter, on_leave, on_syscall };
    return toll_sbf_scan_trace(p->job, &p->job->traces[trace], &events, &p->job->counts, err);
}

/* --- invocations -------------------------------------------------------------------------------*/

/* What is left of an invocation's own units is that of its system calls; without a trace all of it
 * is the program's. */
static toll_status charge_rest(toll_sbf_job *job, uint64_t rest, bool is_traced, toll_error *err)
{
    static const toll_frame syscalls = { syscalls_name, NULL, 0, TOLL_KIND_NATIVE };
    toll_frame_id frame;
    if (rest == 0 || !is_traced) {
        job->clock += rest;
        return TOLL_OK;
    }
    toll_status status = toll_recorder_frame(job->recorder, &syscalls, &frame, err);
    if (status)
        return status;
    toll_recorder_adopt(job->recorder, &frame, 1, &job->clock);
    job->clock += rest;
    toll_recorder_return(job->recorder, &job->clock);
    return TOLL_OK;
}

/* Recursion: as deep as invocations are, TOLL_SBF_MAX_INVOKE_DEPTH. */
static toll_status play_invocation(toll_sbf_job *job, uint32_t id, toll_error *err)
{
    const toll_sbf_invocation *at = &job->logs.list[id];
    uint32_t trace = job->matches[id];
    player p = { .job = job, .next_child = at->first_child, .most = at->own };
    toll_status status =
        toll_sbf_add_program(job, toll_sbf_logs_program(&job->logs, id), &p.program, err);
    if (status)
        return status;
    toll_recorder_call(job->recorder, job->programs[p.program].frame, &job->clock);
    if (trace != TOLL_SBF_NONE)
        status = play_trace(&p, trace, err);
    while (!status && p.next_child != TOLL_SBF_NONE)
        status = play_next_child(&p, err);
    if (!status && p.done > at->own + at->has_failed)
        status = toll_fail(err, TOLL_E_SYNTAX, "%s/%s.regs: has changed while it was read",
                           job->folder, job->traces[trace].name);
    if (!status)
        status = charge_rest(job, at->own - least_of(p.done, at->own), trace != TOLL_SBF_NONE, err);
    toll_recorder_return(job->recorder, &job->clock);
    return status;
}

toll_status toll_sbf_play_logs(toll_sbf_job *job, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < job->logs.count; i++)
        if (job->logs.list[i].parent == TOLL_SBF_NONE)
            status = play_invocation(job, i, err);
    return status;
}

toll_status toll_sbf_play_traces(toll_sbf_job *job, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < job->trace_count; i++) {
        player p = { .job = job,
                     .program = job->traces[i].program,
                     .next_child = TOLL_SBF_NONE,
                     .most = UINT64_MAX };
        toll_recorder_call(job->recorder, job->programs[p.program].frame, &job->clock);
        status = play_trace(&p, i, err);
        toll_recorder_return(job->recorder, &job->clock);
    }
    return status;
}

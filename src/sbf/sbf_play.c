/* sbf_play.c - plays traces as events of a recorder, callees inside their callers.
 *
 * The clock is in compute units: an instruction moves it by 1, and a system call by its cost. With
 * logs, costs are solved from their figures (sbf_solve.c); units that system calls certainly cost,
 * when it is not known which, are charged to a frame of their own at the end. Without logs the cost
 * is the price. */
#include "sbf/sbf_job.h"
#include "sbf/sbf_syscalls.h"

#include <inttypes.h>

/* The state while a trace is played. */
typedef struct player {
    toll_sbf_job *job;
    uint32_t program;
    const toll_sbf_invocation *at; /* its invocation in the logs; NULL: no logs */
    uint32_t next_child;           /* the invocation that the trace's next `invoke` call makes */
    uint64_t done;                 /* instructions so far */
    uint64_t most;                 /* number of instructions that were charged */
    const uint64_t *costs;         /* by system call; NULL: use their prices */
    const toll_sbf_call *calls;
    size_t call_count, next_call;
} player;

static bool play_invocation(toll_sbf_job *job, uint32_t id, uint64_t builtin);

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

static bool on_enter(void *user, uint64_t entry_pc, uint64_t done)
{
    player *p = user;
    toll_frame_id frame;
    move_clock(p, done);
    if (!toll_sbf_function(&p->job->programs, &p->job->programs.list[p->program], entry_pc, &frame))
        return false;
    toll_recorder_call(p->job->recorder, frame, &p->job->clock);
    return true;
}

/* Called before each instruction, with lines. Without an ELF file no line can be found. */
static bool on_instruction(void *user, uint64_t entry_pc, uint64_t pc, uint64_t done)
{
    player *p = user;
    toll_sbf_program *program = &p->job->programs.list[p->program];
    toll_frame_id frame;
    move_clock(p, done);
    if (program->build == TOLL_SBF_NONE)
        return true;
    if (!toll_sbf_place(&p->job->programs, program, entry_pc, pc, &frame))
        return false;
    toll_recorder_line(p->job->recorder, frame, &p->job->clock);
    return true;
}

static bool on_leave(void *user, uint64_t frames, uint64_t done)
{
    player *p = user;
    move_clock(p, done);
    while (frames-- > 0)
        toll_recorder_return(p->job->recorder, &p->job->clock);
    return true;
}

/* Play the callee of the current call: callees in the logs are in the order of the trace's calls.
 * `builtin`: units of a built-in program. */
static bool play_next_child(player *p, uint64_t builtin)
{
    uint32_t id = p->next_child;
    p->next_child = p->job->logs.list[id].next;
    return play_invocation(p->job, id, builtin);
}

/* The cost of the trace's next system call. */
static uint64_t next_cost(player *p)
{
    size_t i = p->next_call++;
    if (i >= p->call_count)
        return 0;
    p->job->priced++;
    if (p->costs)
        return p->costs[i];
    p->job->open += p->calls[i].is_open || p->calls[i].has_failed;
    return p->calls[i].has_failed ? 0 : p->calls[i].units;
}

static bool on_syscall(void *user, const toll_sbf_syscall_event *event, uint64_t done)
{
    player *p = user;
    toll_frame_id frame;
    const toll_sbf_syscall *known = toll_sbf_syscall_find(event->hash);
    bool good = true;
    move_clock(p, done);
    if (!toll_sbf_syscall_frame(&p->job->programs, event->hash, &frame))
        return false;
    uint64_t cost = next_cost(p), builtin = 0;
    bool invokes = known && known->kind == TOLL_SBF_INVOKE && p->next_child != TOLL_SBF_NONE;
    if (invokes)
        builtin = least_of(toll_sbf_builtin_price(p->job, p->next_child), cost);
    toll_recorder_call(p->job->recorder, frame, &p->job->clock);
    p->job->clock += cost - builtin;
    if (invokes)
        good = play_next_child(p, builtin);
    toll_recorder_return(p->job->recorder, &p->job->clock);
    return good;
}

static bool play_trace(player *p, uint32_t trace)
{
    toll_sbf_job *job = p->job;
    const toll_sbf_trace *t = &job->traces[trace];
    const toll_sbf_events events = {
        p, on_enter, on_leave, on_syscall, job->own.lines ? on_instruction : NULL, NULL
    };
    p->calls = job->calls + t->first_call;
    p->call_count = t->syscalls;
    bool good = toll_sbf_scan_trace(job, t, NULL, &events, &job->counts);
    return good && (!p->at || p->done == t->instructions ||
                    toll_ok(&job->failure, toll_fail(job->failure.err, TOLL_E_SYNTAX,
                                                     "%s/%s.regs: has changed while it was read",
                                                     job->folder, t->name)));
}

/* --- invocations -------------------------------------------------------------------------------*/

/* Charge units to a frame of their own, without a call. */
static bool charge_frame(toll_sbf_job *job, const char *name, uint64_t units)
{
    const toll_frame frame = { .name = name, .kind = TOLL_KIND_NATIVE };
    toll_frame_id id;
    if (units == 0)
        return true;
    if (!toll_ok(&job->failure,
                 toll_recorder_add_frame(job->recorder, &frame, &id, job->failure.err)))
        return false;
    toll_recorder_adopt(job->recorder, &id, 1, &job->clock);
    job->clock += units;
    toll_recorder_return(job->recorder, &job->clock);
    return true;
}

static bool play_traced(player *p, uint32_t trace)
{
    toll_sbf_job *job = p->job;
    const toll_sbf_trace *t = &job->traces[trace];
    uint64_t unknown;
    size_t count = t->syscalls ? t->syscalls : 1;
    uint64_t *costs = toll_mem_new(&job->mem, count, sizeof *costs);
    if (!costs)
        return toll_no_memory(&job->failure);
    p->most = toll_sbf_solve(job, t, p->at, costs, &unknown);
    p->costs = costs;
    bool good = play_trace(p, trace) && charge_frame(job, TOLL_SBF_FRAME_UNKNOWN, unknown);
    toll_mem_free(&job->mem, costs, count, sizeof *costs);
    return good;
}

/* Play an invocation. Recursive, at most TOLL_SBF_MAX_INVOKE_DEPTH deep. Without a trace the units
 * are charged to the program's frame. */
static bool play_invocation(toll_sbf_job *job, uint32_t id, uint64_t builtin)
{
    player p = { .job = job, .at = &job->logs.list[id] };
    uint32_t one_of = job->fits[id].differ ? job->fits[id].traces : 0;
    bool good = true;
    toll_frame_id frame;
    if (p.at->is_unlogged && job->matches[id] == TOLL_SBF_NONE)
        return true; /* it is not known whether it ran at all */
    if (!toll_sbf_add_program(&job->programs, toll_sbf_logs_program(&job->logs, id), &p.program) ||
        !toll_sbf_invocation_frame(&job->programs, p.program,
                                   toll_sbf_logs_instruction(&job->logs, id), p.at->spent.failed,
                                   one_of, &frame))
        return false;
    p.next_child = p.at->first_child;
    toll_recorder_call(job->recorder, frame, &job->clock);
    good = charge_frame(job, SOLANA_FRAME_HEAP, (uint64_t)p.at->spent.heap);
    bool is_traced = job->matches[id] != TOLL_SBF_NONE;
    uint64_t own = toll_sbf_own(p.at) + builtin;
    uint64_t built_in = is_traced ? 0 : toll_sbf_builtins_price(job, id);
    if (is_traced)
        good = good && play_traced(&p, job->matches[id]);
    else
        job->clock += own - (built_in <= own ? built_in : 0);
    while (good && p.next_child != TOLL_SBF_NONE)
        good = play_next_child(
            &p, built_in && built_in <= own ? toll_sbf_builtin_price(job, p.next_child) : 0);
    good = good && charge_frame(job, SOLANA_FRAME_REST, (uint64_t)p.at->spent.rest);
    toll_recorder_return(job->recorder, &job->clock);
    return good;
}

/* The frame of transaction `number`, counted from 0. */
static bool transaction_frame(toll_sbf_job *job, size_t number, toll_frame_id *out)
{
    const char *name = toll_strtab_text(&job->logs.strings, job->logs.transactions[number].name);
    toll_buffer_clear(&job->name);
    if (*name)
        toll_buffer_append_text(&job->name, name);
    else
        toll_buffer_append_format(&job->name, "transaction %zu", number + 1);
    toll_frame frame = { .name = toll_buffer_cstr(&job->name) };
    if (!frame.name)
        return toll_no_memory(&job->failure);
    return toll_ok(&job->failure,
                   toll_recorder_add_frame(job->recorder, &frame, out, job->failure.err));
}

static bool play_transaction(toll_sbf_job *job, size_t number)
{
    const toll_sbf_transaction *t = &job->logs.transactions[number];
    toll_frame_id frame;
    bool good = true, is_root = job->own.by_transaction != 0;
    if (is_root && !transaction_frame(job, number, &frame))
        return false;
    if (is_root)
        toll_recorder_call(job->recorder, frame, &job->clock);
    for (uint32_t i = t->first; good && i < t->end; i++)
        good = job->logs.list[i].parent != TOLL_SBF_NONE || play_invocation(job, i, 0);
    good = good && charge_frame(job, SOLANA_FRAME_UNLOGGED, (uint64_t)t->unlogged);
    if (is_root)
        toll_recorder_return(job->recorder, &job->clock);
    return good;
}

bool toll_sbf_play_logs(toll_sbf_job *job)
{
    bool good = true;
    for (size_t i = 0; good && i < job->logs.transaction_count; i++)
        good = play_transaction(job, i);
    return good;
}

bool toll_sbf_play_traces(toll_sbf_job *job)
{
    bool good = true;
    for (uint32_t i = 0; good && i < job->trace_count; i++) {
        player p = { .job = job,
                     .program = job->traces[i].program,
                     .next_child = TOLL_SBF_NONE,
                     .most = UINT64_MAX };
        toll_sbf_end end = job->traces[i].end;
        job->stopped += end == TOLL_SBF_STOPPED;
        toll_frame_id frame;
        if (!toll_sbf_invocation_frame(&job->programs, p.program, "", end != TOLL_SBF_RETURNED, 0,
                                       &frame))
            return false;
        toll_recorder_call(job->recorder, frame, &job->clock);
        good = play_trace(&p, i);
        toll_recorder_return(job->recorder, &job->clock);
    }
    return good;
}

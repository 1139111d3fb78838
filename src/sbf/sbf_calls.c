/* sbf_calls.c - counts what each trace contains: its system calls with the price of each by its
 * arguments, and how the trace ends. See sbf_job.h. */
#include "base/array.h"
#include "sbf/sbf_job.h"
#include "sbf/sbf_syscalls.h"

#include <inttypes.h>

/* The state while a trace is counted. */
typedef struct counter {
    toll_sbf_job *job;
    toll_sbf_trace *trace;
    uint64_t *stacks; /* of the open functions: what distinguishes their stacks */
    size_t depth, capacity;
} counter;

static bool on_enter(void *user, uint64_t entry_pc, uint64_t done)
{
    counter *c = user;
    uint64_t caller = c->depth ? c->stacks[c->depth - 1] : 0;
    (void)done;
    if (!toll_array_grow(&c->job->mem, &c->stacks, &c->capacity, c->depth, 1))
        return toll_no_memory(&c->job->failure);
    c->stacks[c->depth++] = toll_sbf_mix(caller, entry_pc);
    c->trace->shape = toll_sbf_mix(c->trace->shape, entry_pc);
    return true;
}

static bool on_leave(void *user, uint64_t frames, uint64_t done)
{
    counter *c = user;
    (void)done;
    c->depth -= frames < c->depth ? (size_t)frames : c->depth;
    return true;
}

static toll_sbf_args args_of(const toll_sbf_syscall_event *event, const toll_sbf_memory *memory)
{
    toll_sbf_args args = { .has_returned = event->has_returned, .memory = memory };
    for (unsigned r = 1; r <= 5; r++)
        args.r[r] = toll_sbf_reg(event->regs, r);
    if (event->has_returned)
        args.r[0] = toll_sbf_reg(event->regs + TOLL_SBF_REGS_SIZE, 0);
    return args;
}

/* No budget is larger. A higher price comes from registers that are not arguments. */
#define MOST_UNITS UINT64_C(1000000000)

/* Make the record of a system call. If the call is not known, neither is its price. */
static toll_sbf_call call_of(const counter *c, const toll_sbf_syscall *known,
                             const toll_sbf_syscall_event *event, const toll_sbf_args *args)
{
    toll_sbf_call call = { .hash = event->hash,
                           .is_open = true,
                           .has_failed = !event->has_returned,
                           .remaining = UINT64_MAX,
                           .stack = c->depth ? c->stacks[c->depth - 1] : 0 };
    if (!known)
        return call;
    toll_sbf_price price = known->price(&c->job->costs, args, known->detail);
    call.units = price.units <= MOST_UNITS ? price.units : 0;
    call.is_open = price.is_open || price.units > MOST_UNITS;
    if (known->kind == TOLL_SBF_REMAINING && event->has_returned)
        call.remaining = args->r[0];
    return call;
}

static bool on_syscall(void *user, const toll_sbf_syscall_event *event, uint64_t done)
{
    counter *c = user;
    toll_sbf_job *job = c->job;
    toll_sbf_trace *t = c->trace;
    const toll_sbf_syscall *known = toll_sbf_syscall_find(event->hash);
    toll_sbf_args args = args_of(event, job->memory);
    toll_sbf_call call = call_of(c, known, event, &args);
    size_t id = job->call_count;
    call.done = done;
    if (!toll_array_grow(&job->mem, &job->calls, &job->call_capacity, id, 1))
        return toll_no_memory(&job->failure);
    job->calls[job->call_count++] = call;
    toll_sbf_syscall_changes(known, &args, job->memory);
    if (known && known->kind == TOLL_SBF_FIND && event->has_returned && args.r[0] == 0)
        toll_sbf_memory_watch(job->memory, args.r[5], id);
    t->syscalls++;
    t->invokes += known && known->kind == TOLL_SBF_INVOKE;
    t->logs += known && known->kind == TOLL_SBF_LOG;
    t->unit_lines += known && known->kind == TOLL_SBF_UNITS && event->has_returned;
    return true;
}

/* The program has loaded the bump that call `id` found: set the price. */
static void on_bump(void *user, size_t id, uint8_t bump)
{
    toll_sbf_job *job = user;
    job->calls[id].units = toll_sbf_price_of_bump(&job->costs, bump);
    job->calls[id].is_open = false;
}

static bool fail_foreign(toll_sbf_job *job, const toll_sbf_trace *t, const toll_sbf_counts *counts)
{
    const toll_sbf_program *program = &job->programs.list[t->program];
    const uint8_t *i = counts->foreign;
    return toll_ok(
        &job->failure,
        toll_fail(job->failure.err, TOLL_E_ARGUMENT,
                  "%s: is not the code of %s that ran: %s/%s.insns has %02x%02x%02x%02x "
                  "%02x%02x%02x%02x as instruction %" PRIu64
                  " of .text, the file does not; build the program, trace it and name the "
                  "unstripped file of that same build, or leave --elf out",
                  toll_sbf_build_of(&job->programs, program)->path, program->id, job->folder,
                  t->name, i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7], counts->foreign_pc));
}

static const toll_sbf_symbols *code_of(const toll_sbf_job *job, const toll_sbf_trace *t)
{
    const toll_sbf_build *build =
        toll_sbf_build_of(&job->programs, &job->programs.list[t->program]);
    return build && build->symbols.text.size ? &build->symbols : NULL;
}

/* The least that the trace's system calls cost. A call that failed may not have been charged. */
static uint64_t least_of(const toll_sbf_job *job, const toll_sbf_trace *t)
{
    uint64_t least = 0;
    for (size_t i = t->first_call; i < t->first_call + t->syscalls; i++)
        if (!job->calls[i].has_failed)
            least = toll_sbf_add(least, job->calls[i].units);
    return least;
}

static bool count_trace(toll_sbf_job *job, toll_sbf_trace *t, counter *c)
{
    const toll_sbf_events events = { c, on_enter, on_leave, on_syscall, NULL, job->memory };
    toll_sbf_counts counts = { 0 };
    c->trace = t;
    c->depth = 0;
    t->first_call = job->call_count;
    toll_sbf_memory_clear(job->memory);
    if (!toll_sbf_scan_trace(job, t, code_of(job, t), &events, &counts))
        return false;
    if (counts.is_foreign)
        return fail_foreign(job, t, &counts);
    t->instructions = counts.instructions;
    t->end = counts.end;
    t->least = least_of(job, t);
    if (!job->own.logs)
        return true;
    for (size_t i = t->first_call; i < t->first_call + t->syscalls; i++)
        t->shape = toll_sbf_mix(t->shape, job->calls[i].units << 1 | job->calls[i].is_open);
    return toll_sbf_mix_code(job, t, &t->shape);
}

bool toll_sbf_count_traces(toll_sbf_job *job)
{
    counter c = { .job = job };
    bool good = true;
    job->memory = toll_mem_new(&job->mem, 1, sizeof *job->memory);
    if (!job->memory)
        return toll_no_memory(&job->failure);
    job->memory->user = job;
    job->memory->loaded = on_bump;
    for (size_t i = 0; good && i < job->trace_count; i++)
        good = count_trace(job, &job->traces[i], &c);
    toll_mem_free(&job->mem, c.stacks, c.capacity, sizeof *c.stacks);
    toll_mem_free(&job->mem, job->memory, 1, sizeof *job->memory);
    job->memory = NULL;
    return good;
}

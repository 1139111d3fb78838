/* svm_recorder_events.c - turns what a Solana VM does into events of a recorder. See
 * toll/svm_recorder.h.
 *
 * Units count down. An instruction takes one, and no more than the meter lost: the VM does not
 * charge all that ran when it stops a program. What the meter lost beyond the instructions of a
 * program that failed is the rest of its budget. */
#include "sbf/svm_recorder_data.h"

#include "base/array.h"
#include "record/recorder_data.h"
#include "solana/solana_message.h"
#include "solana/svm_scope.h"

#include <stdio.h>
#include <string.h>

/* NULL: none, or one that was lost. */
static toll_svm_open *innermost(toll_svm_recorder *r)
{
    return r->depth && !r->lost ? &r->open[r->depth - 1] : NULL;
}

/* The units that remained at the last event of any kind: of a section or of an invocation inside,
 * too. */
static uint64_t left_now(const toll_svm_recorder *r, const toll_svm_open *at)
{
    const toll_counter_state *c = &r->recorder->counters[0];
    uint64_t last = toll_counter_value(c, c->last); /* counts down again */
    return last < at->left ? last : at->left;
}

/* --- functions ---------------------------------------------------------------------------------*/

/* The remaining units when `done` instructions have run. */
static uint64_t left_at(const toll_svm_open *at, uint64_t done)
{
    uint64_t ran = done - at->first_done, most = at->first_left - at->end_left;
    return at->first_left - (ran < most ? ran : most);
}

static bool on_enter(void *user, uint64_t entry_pc, uint64_t done)
{
    toll_svm_recorder *r = user;
    toll_svm_open *at = innermost(r);
    toll_frame_id frame;
    uint64_t left = left_at(at, done);
    bool good = toll_sbf_function(&r->programs, &r->programs.list[at->program], entry_pc, &frame);
    toll_recorder_call(r->recorder, good ? frame : TOLL_NONE, &left);
    return true;
}

static bool on_leave(void *user, uint64_t frames, uint64_t done)
{
    toll_svm_recorder *r = user;
    uint64_t left = left_at(innermost(r), done);
    while (frames-- > 0)
        toll_recorder_return(r->recorder, &left);
    return true;
}

/* Called before each instruction, with lines. */
static bool on_instruction(void *user, uint64_t entry_pc, uint64_t pc, uint64_t done)
{
    toll_svm_recorder *r = user;
    toll_svm_open *at = innermost(r);
    toll_sbf_program *program = &r->programs.list[at->program];
    toll_frame_id frame;
    uint64_t left = left_at(at, done);
    if (program->build != TOLL_SBF_NONE &&
        toll_sbf_place(&r->programs, program, entry_pc, pc, &frame))
        toll_recorder_line(r->recorder, frame, &left);
    return true;
}

void toll_svm_recorder_begin_events(toll_svm_recorder *r)
{
    r->events = (toll_sbf_events){
        .user = r, .enter = on_enter, .leave = on_leave, .at = r->own.lines ? on_instruction : NULL
    };
}

/* Charge `units` to a frame of their own, without a call. */
static void charge_frame(toll_svm_recorder *r, toll_frame_id frame, uint64_t *left, uint64_t units)
{
    if (units == 0)
        return;
    toll_recorder_adopt(r->recorder, &frame, 1, left);
    *left -= units;
    toll_recorder_return(r->recorder, left);
}

/* Before the first instruction: charge the heap, enter the first function. */
static void begin_to_run(toll_svm_recorder *r, toll_svm_open *at, const uint8_t *registers)
{
    uint64_t most = at->left - at->end_left;
    charge_frame(r, r->heap, &at->left, at->heap_units < most ? at->heap_units : most);
    at->has_run = true;
    at->first_left = at->left;
    uint64_t entry = toll_sbf_load_u64(registers + TOLL_SBF_PC_AT);
    r->programs.list[at->program].entry = entry;
    toll_sbf_walk_begin(&at->walk, entry);
}

/* How many of these instructions ran. One that the runtime refused is there twice. */
static size_t executed(const uint8_t *registers, size_t count)
{
    bool is_refused =
        count >= 2 && toll_sbf_is_refused(registers + (count - 2) * TOLL_SBF_REGS_SIZE);
    return count - is_refused;
}

toll_status toll_svm_recorder_run(toll_svm_recorder *r, const void *registers, size_t count,
                                  const uint64_t *now, toll_error *err)
{
    toll_svm_open *at = innermost(r);
    r->failure = (toll_failure){ .err = err };
    count = at ? executed(registers, count) : 0;
    const toll_sbf_program *program = at ? &r->programs.list[at->program] : NULL;
    if (count == 0 || !program->text)
        return TOLL_OK;
    at->left = left_now(r, at);
    const toll_sbf_rows rows = { .regs = registers,
                                 .text = program->text,
                                 .text_size = program->text_size };
    at->end_left = *now < at->left ? *now : at->left;
    at->first_done = at->walk.done;
    at->first_left = at->left;
    if (!at->has_run)
        begin_to_run(r, at, registers);
    if (toll_sbf_walk_on(&at->walk, &rows, count - 1))
        toll_sbf_walk_last(&at->walk, &rows, count - 1);
    at->walk.done = at->first_done + count;
    at->left = left_at(at, at->walk.done);
    return r->failure.status;
}

/* --- system calls ------------------------------------------------------------------------------*/

void toll_svm_recorder_syscall(toll_svm_recorder *r, toll_frame_id frame, const uint64_t *now)
{
    toll_svm_open *at = innermost(r);
    if (!at)
        return;
    uint64_t left = left_now(r, at);
    r->unexplained += left > *now ? left - *now : 0;
    toll_recorder_call(r->recorder, frame, now);
    at->syscalls++;
}

void toll_svm_recorder_syscall_end(toll_svm_recorder *r, const uint64_t *now)
{
    toll_svm_open *at = innermost(r);
    if (!at || at->syscalls == 0)
        return;
    toll_recorder_return(r->recorder, now);
    at->syscalls--;
    at->left = *now;
}

/* --- invocations -------------------------------------------------------------------------------*/

/* A frame for an invocation that has no name yet. */
static toll_frame_id unnamed_frame(toll_svm_recorder *r)
{
    char name[32];
    toll_frame_id id = TOLL_NONE;
    if (r->used < r->frame_count)
        return r->frames[r->used++];
    snprintf(name, sizeof name, "invocation %zu", r->frame_count);
    const toll_frame frame = { .name = name, .kind = TOLL_KIND_PROGRAM };
    if (!toll_array_grow(&r->mem, &r->frames, &r->frame_capacity, r->frame_count, 1))
        toll_no_memory(&r->failure);
    else if (toll_ok(&r->failure,
                     toll_recorder_add_frame(r->recorder, &frame, &id, r->failure.err)))
        r->frames[r->frame_count++] = id, r->used++;
    return id;
}

/* The name of the instruction by its data, in the strings; 0: not known. */
static uint32_t instruction_of(toll_svm_recorder *r, const toll_svm_invocation *i)
{
    toll_solana_instruction instruction = { 0 };
    const char *id = r->programs.list[i->program].id;
    toll_buffer *name = &r->programs.name;
    size_t size = i->data ? i->data_size : 0;
    size = size < sizeof instruction.data ? size : sizeof instruction.data;
    if (size)
        memcpy(instruction.data, i->data, size);
    instruction.data_size = (uint8_t)size;
    toll_buffer_clear(name);
    toll_solana_append_instruction(name, &r->names, NULL, &instruction, id, strlen(id));
    uint32_t text = name->failed
                        ? UINT32_MAX
                        : toll_strtab_add(&r->strings, (const char *)name->data, name->size);
    if (text != UINT32_MAX)
        return text;
    toll_no_memory(&r->failure);
    return 0;
}

toll_status toll_svm_recorder_push(toll_svm_recorder *r, const toll_svm_invocation *invocation,
                                   const uint64_t *now, toll_error *err)
{
    r->failure = (toll_failure){ .err = err };
    if (!invocation)
        return toll_fail_null(err, "invocation");
    if (invocation->program >= r->programs.count)
        return toll_fail(err, TOLL_E_ARGUMENT, "invocation->program: %u is no program",
                         (unsigned)invocation->program);
    if (r->lost || !toll_array_grow(&r->mem, &r->open, &r->capacity, r->depth, 1)) {
        r->lost++;
        return toll_fail_nomem(err);
    }
    if (r->depth == 0 && r->used >= TOLL_SVM_UNNAMED)
        toll_svm_recorder_keep(r);
    if (r->depth == 0)
        toll_recorder_rebase(r->recorder, now);
    toll_svm_open at = { .program = invocation->program,
                         .instruction = instruction_of(r, invocation),
                         .frame = unnamed_frame(r),
                         .depth = toll_recorder_depth(r->recorder),
                         .heap_units = invocation->heap_units,
                         .left = *now,
                         .walk = { .mem = r->mem,
                                   .failure = &r->failure,
                                   .events = &r->events,
                                   .counts = &r->counts } };
    toll_recorder_call(r->recorder, at.frame, now);
    toll_ok(&r->failure, toll_svm_push_scope(r->svm, now, r->failure.err));
    r->open[r->depth++] = at;
    return r->failure.status;
}

/* Name the frame of an invocation that has ended. */
static void name_frame(toll_svm_recorder *r, const toll_svm_open *at, bool failed,
                       const char *logged)
{
    const char *id = r->programs.list[at->program].id;
    const char *instruction =
        at->instruction || !logged ? toll_strtab_text(&r->strings, at->instruction) : logged;
    const char *name =
        toll_solana_frame_name(&r->programs.name, &r->names, id, strlen(id), instruction, failed);
    if (!name)
        toll_no_memory(&r->failure);
    else if (at->frame != TOLL_NONE)
        toll_ok(&r->failure,
                toll_recorder_rename_frame(r->recorder, at->frame, name, r->failure.err));
}

toll_status toll_svm_recorder_pop(toll_svm_recorder *r, int failed, const char *instruction,
                                  const uint64_t *now, toll_section_results *results,
                                  toll_error *err)
{
    toll_svm_open *at = innermost(r);
    r->failure = (toll_failure){ .err = err };
    if (results)
        *results = (toll_section_results){ NULL, 0, NULL, 0 };
    if (r->lost) {
        r->lost--;
        return toll_fail_nomem(err);
    }
    if (!at)
        return TOLL_OK;
    at->left = left_now(r, at);
    if (at->left < *now || !r->programs.list[at->program].text)
        at->left = *now; /* a built-in program runs no instructions */
    toll_recorder_unwind(r->recorder, at->depth + 1, &at->left);
    toll_ok(&r->failure, toll_svm_pop_scope(r->svm, &at->left, results, r->failure.err));
    if (failed)
        charge_frame(r, r->rest, &at->left, at->left - *now);
    else
        r->unexplained += at->left - *now;
    toll_recorder_return(r->recorder, now);
    name_frame(r, at, failed != 0, instruction);
    toll_sbf_walk_free(&at->walk);
    r->depth--;
    return r->failure.status;
}

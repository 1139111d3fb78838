/* sbf_walk.h - follows the instructions that a program executes, and reports which functions are
 * entered and left, and where system calls are made. */
#ifndef TOLL_SBF_SBF_WALK_H
#define TOLL_SBF_SBF_WALK_H

#include "base/fail.h"
#include "base/mem.h"
#include "sbf/sbf_memory.h"

enum { TOLL_SBF_REGS_SIZE = 96, TOLL_SBF_INSN_SIZE = 8, TOLL_SBF_PC_AT = 88 };

/* A system call. */
typedef struct toll_sbf_syscall_event {
    uint32_t hash;
    bool has_returned;   /* false: it failed, and is the last instruction */
    const uint8_t *regs; /* registers before it, TOLL_SBF_REGS_SIZE bytes; then, if it has returned,
                          * those after it */
} toll_sbf_syscall_event;

/* Callbacks for calls, returns and system calls; and, if `at` is not NULL, before each instruction.
 * False, with the failure set, ends the walk. `done` is the number of instructions executed so far,
 * the event's included (for `at`, not included). The first function is entered at 0; at the end of
 * the trace all open functions are left. If `memory` is not NULL, loads and stores update it;
 * `syscall` must apply the changes of system calls. */
typedef struct toll_sbf_events {
    void *user;
    bool (*enter)(void *user, uint64_t entry_pc, uint64_t done);
    bool (*leave)(void *user, uint64_t frames, uint64_t done);
    bool (*syscall)(void *user, const toll_sbf_syscall_event *event,
                    uint64_t done); /* NULL: none */
    bool (*at)(void *user, uint64_t entry_pc, uint64_t pc, uint64_t done);
    toll_sbf_memory *memory;
} toll_sbf_events;

/* Load a number of a trace. */
static inline uint64_t toll_sbf_load_u64(const uint8_t *at)
{
    uint64_t v = 0;
    for (int i = 7; i >= 0; i--)
        v = v << 8 | at[i];
    return v;
}

/* Register `reg` (0 to 10) of an instruction. */
static inline uint64_t toll_sbf_reg(const uint8_t *regs, unsigned reg)
{
    return toll_sbf_load_u64(regs + (size_t)8 * reg);
}

/* How a trace ends. */
typedef enum toll_sbf_end {
    TOLL_SBF_RETURNED,          /* the first function returned 0 */
    TOLL_SBF_RETURNED_ERROR,    /* the first function returned another value */
    TOLL_SBF_STOPPED,           /* by the virtual machine, at the last instruction or after it */
    TOLL_SBF_STOPPED_IN_SYSCALL /* the last instruction is the system call that failed */
} toll_sbf_end;

/* Results. A walk adds to the counts, and sets the end. */
typedef struct toll_sbf_counts {
    uint64_t instructions;
    uint64_t lost_returns;  /* returns to an address that no caller has */
    uint64_t outer_returns; /* past the caller, to a caller further out */
    uint64_t open_ends;     /* traces that end inside a called function */
    toll_sbf_end end;
    bool is_foreign;     /* an instruction that ran is not in the code; the first such one is at */
    uint64_t foreign_pc; /* this pc, */
    uint8_t foreign[8];  /* with these bytes */
} toll_sbf_counts;

/* Where the instructions of a walk are: in the order in which they ran, or (`text`) in the program,
 * where the pc of the registers finds them. */
typedef struct toll_sbf_rows {
    const uint8_t *regs;  /* TOLL_SBF_REGS_SIZE bytes for each instruction, from before it ran */
    const uint8_t *insns; /* TOLL_SBF_INSN_SIZE bytes for each; NULL: */
    const uint8_t *text;
    size_t text_size;
} toll_sbf_rows;

typedef struct toll_sbf_walk {
    toll_mem mem;
    toll_failure *failure;
    const toll_sbf_events *events;
    toll_sbf_counts *counts;
    struct toll_sbf_level {
        uint64_t entry_pc, return_pc;
    } * levels; /* open functions, outermost first; the first one has no caller to return to */
    size_t depth, capacity;
    uint64_t done;
    bool is_v2;
} toll_sbf_walk;

/* Does the runtime refuse the instruction of these registers, which has an operation that it lacks?
 * Compiled code then leaves its registers in the trace a second time. */
bool toll_sbf_is_refused(const uint8_t *regs);

/* Enter the first function. */
bool toll_sbf_walk_begin(toll_sbf_walk *walk, uint64_t entry_pc);

/* Walk `count` instructions. Where the last one led is shown by the registers after it, which must
 * follow. Cost: one byte is examined for each instruction that is not a call or return (nor, with
 * memory, a load or store). Memory: 16 bytes for each level of calls. */
bool toll_sbf_walk_on(toll_sbf_walk *walk, const toll_sbf_rows *rows, size_t count);

/* Walk instruction `i` of the rows, where the registers after it are not known: it is a system call
 * that the caller reports, or the last one. */
bool toll_sbf_walk_last(toll_sbf_walk *walk, const toll_sbf_rows *rows, size_t i);

/* Walk the last instruction, and leave all functions. */
bool toll_sbf_walk_end(toll_sbf_walk *walk, const uint8_t *regs, const uint8_t *insn);

void toll_sbf_walk_free(toll_sbf_walk *walk);

#endif

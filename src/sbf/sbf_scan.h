/* sbf_scan.h - scans one register trace and reports which functions are entered and left, and where
 * system calls are made. */
#ifndef TOLL_SBF_SBF_SCAN_H
#define TOLL_SBF_SBF_SCAN_H

#include "base/fail.h"
#include "sbf/sbf_elf.h"
#include "sbf/sbf_memory.h"

enum { TOLL_SBF_REGS_SIZE = 96, TOLL_SBF_INSN_SIZE = 8 };

/* A system call. */
typedef struct toll_sbf_syscall_event {
    uint32_t hash;
    bool has_returned;   /* false: it failed, and is the last instruction */
    const uint8_t *regs; /* registers before it, TOLL_SBF_REGS_SIZE bytes; then, if it has returned,
                          * those after it */
} toll_sbf_syscall_event;

/* Callbacks for calls, returns and system calls; and, if `at` is not NULL, before each instruction.
 * False, with the failure set, ends the scan. `done` is the number of instructions executed so far,
 * the event's included (for `at`, not included). The first function is entered at 0; at the end of
 * the trace all open functions are left. If `memory` is not NULL, loads and stores update it;
 * `syscall` must apply the changes of system calls. */
typedef struct toll_sbf_events {
    void *user;
    bool (*enter)(void *user, uint64_t entry_pc, uint64_t done);
    bool (*leave)(void *user, uint64_t frames, uint64_t done);
    bool (*syscall)(void *user, const toll_sbf_syscall_event *event, uint64_t done);
    bool (*at)(void *user, uint64_t pc, uint64_t done);
    toll_sbf_memory *memory;
} toll_sbf_events;

/* Register `reg` (0 to 10) of an instruction. */
static inline uint64_t toll_sbf_reg(const uint8_t *regs, unsigned reg)
{
    uint64_t v = 0;
    for (int i = 7; i >= 0; i--)
        v = v << 8 | regs[8 * reg + (unsigned)i];
    return v;
}

/* How a trace ends. */
typedef enum toll_sbf_end {
    TOLL_SBF_RETURNED,          /* the first function returned 0 */
    TOLL_SBF_RETURNED_ERROR,    /* the first function returned another value */
    TOLL_SBF_STOPPED,           /* by the virtual machine, at the last instruction or after it */
    TOLL_SBF_STOPPED_IN_SYSCALL /* the last instruction is the system call that failed */
} toll_sbf_end;

/* Results. A scan adds to the counts, and sets the end. */
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

/* Scan both files to their ends; they are not freed. `code` may be NULL: then instructions are not
 * compared with it. Failures: TOLL_E_NOMEM, TOLL_E_IO, TOLL_E_TRUNCATED (no instruction, or half of
 * one), TOLL_E_SYNTAX (files that disagree), and those of the events. Cost: one byte is examined
 * for each instruction that is not a call or return (nor, with memory, a load or store), with code
 * all eight. Memory: 8 bytes for each level of calls. */
bool toll_sbf_scan(toll_input *regs, toll_input *insns, const toll_sbf_symbols *code,
                   const toll_sbf_events *events, toll_sbf_counts *counts, toll_failure *failure);

/* Is every instruction that ran in the code, beginning where the code begins? Reads up to the first
 * that is not. Failures: TOLL_E_NOMEM, TOLL_E_IO. */
bool toll_sbf_compare(toll_input *regs, toll_input *insns, const toll_sbf_symbols *code, bool *out,
                      toll_failure *failure);

#endif

/* sbf_scan.h - one register trace, walked through: which functions are entered and left, where
 * system calls are made. What that means is the business of whoever listens. */
#ifndef TOLL_SOLANA_SBF_SCAN_H
#define TOLL_SOLANA_SBF_SCAN_H

#include "solana/sbf_elf.h"

enum { TOLL_SBF_REGS_SIZE = 96, TOLL_SBF_INSN_SIZE = 8 };

/* Called at calls, returns and system calls only; a status other than TOLL_OK ends the scan. `done`
 * is the number of instructions executed so far, that of the event included. The first function is
 * entered at 0; at the end of the trace all that are open are left. */
typedef struct toll_sbf_events {
    void *user;
    toll_status (*enter)(void *user, uint64_t entry_pc, uint64_t done, toll_error *err);
    toll_status (*leave)(void *user, uint64_t frames, uint64_t done, toll_error *err);
    toll_status (*syscall)(void *user, uint32_t hash, uint64_t done, toll_error *err);
} toll_sbf_events;

/* How a trace ends. */
typedef enum toll_sbf_end {
    TOLL_SBF_RETURNED,          /* the first function did, with 0 */
    TOLL_SBF_RETURNED_ERROR,    /* with something else */
    TOLL_SBF_STOPPED,           /* by the virtual machine, at the last instruction or behind it */
    TOLL_SBF_STOPPED_IN_SYSCALL /* that the last instruction is a call of */
} toll_sbf_end;

/* What was seen; what a scan finds is added, but for the end, which is the last scan's. */
typedef struct toll_sbf_counts {
    uint64_t instructions;
    uint64_t lost_returns;  /* to where no open call expects it */
    uint64_t outer_returns; /* past the caller, to a caller of its */
    uint64_t open_ends;     /* traces that end inside of a called function */
    toll_sbf_end end;
    bool is_foreign;     /* an instruction that ran is not the code's; the first is: */
    uint64_t foreign_pc; /* this one, */
    uint8_t foreign[8];  /* with these bytes */
} toll_sbf_counts;

/* Read both files to their ends; they are not freed. `code` may be NULL: what ran is not held
 * against it. Errors: TOLL_E_NOMEM, TOLL_E_IO,
 * TOLL_E_TRUNCATED (no instruction, or half of one), TOLL_E_SYNTAX (files that disagree), and what
 * the events return. Cost: one byte looked at for each instruction that is no call or return, with
 * code all eight; memory: 8 bytes a level of calls. */
toll_status toll_sbf_scan(toll_input *regs, toll_input *insns, const toll_sbf_symbols *code,
                          const toll_sbf_events *events, toll_sbf_counts *counts, toll_error *err);

#endif

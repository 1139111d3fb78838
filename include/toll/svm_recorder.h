/* svm_recorder.h - records the programs of a Solana VM while they run: what each invocation,
 * function, system call and section costs in compute units.
 *
 *     toll_svm_recorder_create(&options, &recorder, &err);
 *     toll_svm_recorder_program(recorder, "Token...", text, size, &token, &err);   once a program
 *     toll_svm_recorder_push(recorder, &invocation, &units, &err);    an invocation begins
 *     toll_svm_recorder_run(recorder, registers, count, &units, &err);    instructions have run
 *     toll_svm_recorder_syscall(recorder, frame, &units);
 *     toll_svm_recorder_syscall_end(recorder, &units);
 *     toll_svm_recorder_pop(recorder, failed, NULL, &units, NULL, &err);
 *     toll_svm_recorder_take(recorder, &profile, &err);                whenever you want to look
 *
 * In all of them the units are those that remain of the transaction's budget. What the runtime's
 * meter says is charged, whatever prices it has: an instruction costs one unit, a system call what
 * the meter lost between its two events. So invocations add up to what the meter lost between push
 * and pop. Frames are those of the format sbf-trace: programs with their instruction, " (failed)"
 * if so; functions; system calls, of kind native; `(heap frame)`; and `(rest of the budget)`, which
 * the VM takes from a program that it stops.
 *
 * Threads: one recorder, one OS thread at a time. Memory is proportional to distinct stacks, and to
 * the code of the programs.
 *
 * Experimental: see toll.h. */
#ifndef TOLL_SVM_RECORDER_H
#define TOLL_SVM_RECORDER_H

#include <toll/solana.h>
#include <toll/svm.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toll_svm_recorder toll_svm_recorder;

#define TOLL_SVM_REGISTERS_SIZE 96 /* bytes of an instruction's registers */

typedef struct toll_svm_recorder_options {
    size_t size; /* sizeof(toll_svm_recorder_options), as for all options: see toll.h */
    const toll_allocator *allocator; /* NULL: the C library's; copied */
    /* Of the two syscalls of sections; copied, but without `recorder`. Must not be NULL. */
    const toll_svm_options *syscalls;
    /* Files that have names, and whether lines are recorded; logs and costs are not used. NULL: no
     * files. Copied; its texts are borrowed as long as the recorder. */
    const toll_solana_options *programs;
    void (*warn)(void *user, const char *text); /* a line for users; may be NULL */
    void *warn_user;
} toll_svm_recorder_options;

#define TOLL_SVM_RECORDER_OPTIONS_INIT TOLL_SIZED_INIT(toll_svm_recorder_options)

/* A new recorder, the caller's to free. options must not be NULL. Errors: TOLL_E_ARGUMENT,
 * TOLL_E_NOMEM, and those of files that options->programs names. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_svm_recorder_create(
    const toll_svm_recorder_options *options, toll_svm_recorder **out, toll_error *err);

/* Free it. NULL is fine. Since 0.1. */
TOLL_API void toll_svm_recorder_free(toll_svm_recorder *recorder);

/* The syscalls of sections, for toll_svm_start and toll_svm_end alone; the recorder's, valid until
 * the next toll_svm_recorder_push. Since 0.1. */
TOLL_API toll_svm *toll_svm_recorder_sections(toll_svm_recorder *recorder);

/* Register a program, or find it. Programs of one address and different code are different
 * programs.
 *   address    in base58
 *   text       its instructions as the VM runs them, 8 bytes each; copied. NULL: a built-in program
 *   out        its number
 * Files are looked for that have the names of its functions. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM,
 * and those of files that options->programs names. Since 0.1. */
TOLL_API toll_status toll_svm_recorder_program(toll_svm_recorder *recorder, const char *address,
                                               const void *text, size_t text_size, uint32_t *out,
                                               toll_error *err);

/* Look through the constants of a program that was registered with its instructions, before it
 * first runs. Functions that have no name then get a guess by the instruction that they log,
 * "Instruction: Transfer".
 *   data     what the program may read, size bytes; nothing is kept of it
 *   address  where the program has it
 * Errors: TOLL_E_ARGUMENT (no such program), TOLL_E_NOMEM. Since 0.1. */
TOLL_API toll_status toll_svm_recorder_constants(toll_svm_recorder *recorder, uint32_t program,
                                                 const void *data, size_t size, uint64_t address,
                                                 toll_error *err);

/* Register the frame of a system call, by its name. Errors: as toll_recorder_add_frame.
 * Since 0.1. */
TOLL_API toll_status toll_svm_recorder_add_syscall(toll_svm_recorder *recorder, const char *name,
                                                   toll_frame_id *out, toll_error *err);

typedef struct toll_svm_invocation {
    uint32_t program;
    const void *data; /* of the instruction, by which its name is found; may be NULL */
    size_t data_size;
    uint64_t heap_units; /* what the runtime charges for the heap before the program runs */
} toll_svm_invocation;

/* An invocation begins; the outermost one sets the counter anew. Errors: TOLL_E_ARGUMENT (no such
 * program: none begins); TOLL_E_NOMEM: it is entered all the same. Since 0.1. */
TOLL_API toll_status toll_svm_recorder_push(toll_svm_recorder *recorder,
                                            const toll_svm_invocation *invocation,
                                            const uint64_t *now, toll_error *err);

/* The innermost invocation has run these instructions.
 *   registers  for each, TOLL_SVM_REGISTERS_SIZE bytes: registers 0 to 10 and its number in the
 *              text, from before it ran, little-endian
 * Pass them before each system call, whose call is the last one, and before the end. Errors:
 * TOLL_E_NOMEM: some functions are missing, the units are charged all the same. Since 0.1. */
TOLL_API toll_status toll_svm_recorder_run(toll_svm_recorder *recorder, const void *registers,
                                           size_t count, const uint64_t *now, toll_error *err);

/* A system call begins; what it invokes comes between this and its end. Since 0.1. */
TOLL_API void toll_svm_recorder_syscall(toll_svm_recorder *recorder, toll_frame_id frame,
                                        const uint64_t *now);

/* The system call ends, well or not: it has cost what the units are less. Since 0.1. */
TOLL_API void toll_svm_recorder_syscall_end(toll_svm_recorder *recorder, const uint64_t *now);

/* The innermost invocation ends. Without an open one nothing happens.
 *   failed       1: it failed
 *   instruction  the instruction's name by its log, for one that is not known by its data; or NULL
 *   results      of its sections, set as by toll_sections_pop; may be NULL
 * Errors: TOLL_E_NOMEM: it is left all the same. Since 0.1. */
TOLL_API toll_status toll_svm_recorder_pop(toll_svm_recorder *recorder, int failed,
                                           const char *instruction, const uint64_t *now,
                                           toll_section_results *results, toll_error *err);

/* The number of open invocations. Since 0.1. */
TOLL_API uint32_t toll_svm_recorder_depth(const toll_svm_recorder *recorder);

/* Say by which table of costs the runtime charges: the fact "costs" of the profile's runs, so that
 * profiles by different ones are not compared. `costs` is copied; if another one was set before,
 * the fact becomes "several tables". Errors: TOLL_E_ARGUMENT (costs is NULL), TOLL_E_NOMEM.
 * Since 0.1. */
TOLL_API toll_status toll_svm_recorder_costs(toll_svm_recorder *recorder, const char *costs,
                                             toll_error *err);

/* As toll_recorder_note. Since 0.1. */
TOLL_API toll_status toll_svm_recorder_note(toll_svm_recorder *recorder, const char *text,
                                            uint64_t count, toll_error *err);

/* Take what was recorded since the last time: *out is the caller's to free. Errors:
 * TOLL_E_ARGUMENT (an invocation is open), TOLL_E_NOMEM, TOLL_E_OVERFLOW: the recording stays.
 * Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_svm_recorder_take(toll_svm_recorder *recorder,
                                                            toll_profile **out, toll_error *err);

/* Add notes on functions without a name (fn@PC), and on those that are named by code that libraries
 * have (whose system_name is fn@PC). Once, before the profile is written: notes of profiles that
 * are merged add up. Errors: TOLL_E_ARGUMENT (no profile), TOLL_E_NOMEM. Since 0.1. */
TOLL_API toll_status toll_svm_note_names(toll_profile *profile, toll_error *err);

#ifdef __cplusplus
}
#endif
#endif

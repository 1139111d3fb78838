/* sbf.h - register traces of Solana programs into a profile of compute units by function.
 *
 * LiteSVM and Mollusk, run with SBF_TRACE_DIR=FOLDER, write every instruction that a program
 * executes into that folder: HASH.regs, HASH.insns and HASH.program_id for each invocation. An
 * instruction costs one compute unit; what system calls cost on top stands only in the logs of the
 * transaction, as does who invoked whom. Other formats are one stream; this one is a folder, and
 * has functions of its own. */
#ifndef TOLL_SBF_H
#define TOLL_SBF_H

#include <toll/profile.h>
#include <toll/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the functions of a program get their names from. */
typedef struct toll_sbf_elf {
    const char *program_id; /* base58 */
    const char *path;       /* of the unstripped ELF, with .symtab, of the build that was traced */
} toll_sbf_elf;

typedef struct toll_sbf_options {
    size_t size;              /* sizeof(toll_sbf_options), as for all options: see toll.h */
    const toll_sbf_elf *elfs; /* elf_count of them, nothing in them NULL; programs without one have
                                 functions named fn@PC */
    size_t elf_count;
    const char *logs;  /* file with the logs of the transactions that were traced, as lines or as
                          JSON with an array of strings "logMessages" or "logs"; NULL: none */
    const char *names; /* file with names of programs, lines `ID NAME`; NULL: the known ones */
    /* Called with a line for people on what was left out or guessed; may be NULL. */
    void (*warn)(void *user, const char *text);
    void *warn_user;
    toll_progress_fn progress; /* see toll_input_on_progress; of each file anew; may be NULL */
    void *progress_user;
} toll_sbf_options;

/* 1 if `path` is a folder with a *.regs file in it, or one that cannot be read to its end, which
 * toll_sbf_read then tells; NULL is none. Any thread. */
TOLL_API int toll_sbf_is_trace_folder(const char *path);

/* 1 if `path` is a folder of any kind; NULL is none. Any thread. */
TOLL_API int toll_sbf_is_folder(const char *path);

/* Read all traces of a folder.
 *   options  may be NULL
 *   out      a new profile, the caller's to free; NULL on failure. Columns "calls" in "count" and
 *            "compute units" in "CU"; frames `program ID` (or its name), below it functions (their
 * file is the program's ID), below them system calls (kind native, costing nothing without logs)
 * Programs that failed are frames of their own, with " (failed)" behind the name.
 * Without logs every invocation is a root of its own. With logs each is matched with a trace and
 * hangs under the system call that made it, and every invocation adds up to what its line
 * `Program ID consumed N` says: system calls are charged where one stands alone between two
 * figures of the logs, and together in a frame [syscalls] else. Where the logs are JSON that tells
 * what transactions were charged, that is the sum: what no line explains is in a frame "(not in the
 * log)", and what was left of the budget of a program that the virtual machine stopped in one
 * "(rest of the budget)" below it.
 * What did not fit is counted in the profile's notes.
 * Errors: TOLL_E_NOMEM, TOLL_E_IO, TOLL_E_NOT_FOUND (a folder without traces), TOLL_E_SYNTAX,
 * TOLL_E_TRUNCATED, TOLL_E_ARGUMENT (an ELF given twice, without ID or path, or whose code is not
 * what ran), TOLL_E_LIMIT, TOLL_E_OVERFLOW.
 * Threads: any. Cost: the files are read twice; memory by distinct stacks. */
TOLL_API toll_status toll_sbf_read(const toll_allocator *allocator, const char *folder,
                                   const toll_sbf_options *options, toll_profile **out,
                                   toll_error *err);

#ifdef __cplusplus
}
#endif
#endif

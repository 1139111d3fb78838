/* svm.h - the two syscalls by which Solana programs name stretches of themselves, for whoever runs
 * a Solana VM.
 *
 *     sol_log_compute_units_start(id_addr, id_len, heap_value, tracks_heap)
 *     sol_log_compute_units_end(id_addr, id_len, heap_value, tracks_heap)
 *
 * id_addr and id_len name a string in the program's memory, the section's id. heap_value is how
 * much heap the program uses there; 0 means that it does not tell, unless the fourth argument says
 * so. Programs may be built for three arguments: the fourth register is then whatever it was. So
 * the host says which value counts (toll_svm_options.tracks_heap). Both syscalls cost the program
 * nothing.
 *
 * The VM calls toll_svm_push when an instruction or an invocation begins, toll_svm_start and
 * toll_svm_end from the syscalls, toll_svm_pop when the invocation ends, well or not: the results
 * are then logged (see toll_sections_log for the lines). What sections mean is told in sections.h.
 *
 * In all of them `now` points to the compute units that the transaction has left; with a recorder,
 * to its counters, of which the first is these units, and counts down.
 *
 * With a recorder, invocations are frames ("program ID", or a name if it is well known) and
 * sections are frames among them, in the tree of its current track. */
#ifndef TOLL_SVM_H
#define TOLL_SVM_H

#include <toll/sections.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toll_svm toll_svm;

typedef struct toll_svm_options {
    size_t size;                     /* sizeof(toll_svm_options), as for all options: see toll.h */
    const toll_allocator *allocator; /* NULL: the C library's; copied */
    toll_recorder *recorder;         /* borrowed; NULL: no tree */
    /* Where the program's bytes [address, address + size) lie in the host's memory, readable until
     * the syscall returns; NULL if the program may not read them. `memory` is what the syscall was
     * given. Never asked for 0 bytes, nor for more than TOLL_MAX_SECTION_ID. Must not be NULL. */
    const void *(*translate)(void *memory, uint64_t address, uint64_t size);
    /* A line for the program's log, without a line end; NULL: no log. */
    void (*log)(void *user, const char *line, size_t size);
    void *log_user;
    /* The fourth argument by which programs say that heap_value counts although it is 0; any other
     * is not looked at. TOLL_SVM_TRACKS_HEAP is what toll_guest.h and the crate toll-guest pass. 0:
     * the syscalls have three arguments. */
    uint64_t tracks_heap;
} toll_svm_options;

/* "tollheap": no register holds it by accident. */
#define TOLL_SVM_TRACKS_HEAP UINT64_C(0x706165686c6c6f74)

/* What a syscall ends with. */
typedef enum toll_svm_result {
    TOLL_SVM_OK = 0,
    TOLL_SVM_ACCESS_VIOLATION, /* the id is not in memory that the program may read */
    TOLL_SVM_ID_TOO_LONG,      /* more than TOLL_MAX_SECTION_ID bytes */
    TOLL_SVM_NOT_OPEN,         /* end: no section of that id is open in this invocation */
    TOLL_SVM_NO_INVOCATION,    /* no invocation stands */
    TOLL_SVM_NO_MEMORY         /* of the host's, or too many sections */
} toll_svm_result;

/* The caller's to free. options must not be NULL. Errors: TOLL_E_ARGUMENT (no translate),
 * TOLL_E_NOMEM. */
TOLL_API toll_status toll_svm_create(const toll_svm_options *options, toll_svm **out,
                                     toll_error *err);
TOLL_API void toll_svm_free(toll_svm *svm); /* NULL is fine */

/* The arguments of a syscall as the program passed them. */
typedef struct toll_svm_call {
    void *memory; /* for translate */
    uint64_t id_address, id_size;
    uint64_t heap_value;
    uint64_t tracks_heap; /* the fourth register, whether or not it was an argument */
} toll_svm_call;

/* The syscalls. Only an access violation should end the program; the rest is told in the log, and
 * counted in the recorder's notes, but the program goes on: measuring must not break it. What the
 * program passes may be anything; `call` and `now` must not be NULL, which is not checked. */
TOLL_API toll_svm_result toll_svm_start(toll_svm *svm, const toll_svm_call *call,
                                        const uint64_t *now);
TOLL_API toll_svm_result toll_svm_end(toll_svm *svm, const toll_svm_call *call,
                                      const uint64_t *now);

/* An invocation of `program` (its address as text, not NULL: TOLL_E_ARGUMENT, and none begins)
 * begins and ends. An outermost one sets the counter anew: budgets of transactions are not one
 * another's. pop writes the log; *results, which may be NULL, is set as by toll_sections_pop. A pop
 * without a push is nothing. Errors: TOLL_E_NOMEM: the invocation is entered or left all the same,
 * without its sections. */
TOLL_API toll_status toll_svm_push(toll_svm *svm, const char *program, const uint64_t *now,
                                   toll_error *err);
TOLL_API toll_status toll_svm_pop(toll_svm *svm, int failed, const uint64_t *now,
                                  toll_section_results *results, toll_error *err);

/* The compute units that the runtime asks for an instruction of a built-in program (its address as
 * text), which no line of a log tells; 0: it is none (nor is NULL), or its price is not known. Any
 * thread. */
TOLL_API uint64_t toll_svm_price(const char *program);

/* Invocations that stand. */
TOLL_API uint32_t toll_svm_depth(const toll_svm *svm);

#ifdef __cplusplus
}
#endif
#endif

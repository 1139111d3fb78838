/* svm.h - the two syscalls with which Solana programs mark named sections, for hosts that run a
 * Solana VM.
 *
 *     sol_log_compute_units_start(id_addr, id_len, heap_value, tracks_heap)
 *     sol_log_compute_units_end(id_addr, id_len, heap_value, tracks_heap)
 *
 * id_addr and id_len are a string in the program's memory, the section's id. heap_value is how much
 * heap the program uses there; 0 means that it does not know, unless the fourth argument says that
 * 0 is the value. Programs may be built for three arguments: the fourth register then holds
 * whatever it held before. So the host chooses the value that counts
 * (toll_svm_options.tracks_heap). Both syscalls cost the program nothing.
 *
 * The VM calls toll_svm_push when an instruction or an invocation begins, toll_svm_start and
 * toll_svm_end from the syscalls, toll_svm_pop when the invocation ends, well or not: the results
 * are then logged (see toll_sections_log for the lines). That is best after the runtime's line
 * about the units that the invocation consumed, and before the line of its end. sections.h says
 * what sections mean.
 *
 * In all of them `now` points to the remaining compute units of the transaction. They are also the
 * only counter of the recorder, if there is one; it counts down.
 *
 * With a recorder, invocations are frames ("program ID", or a name if it is well known) and
 * sections are frames among them, in the tree of its current track.
 *
 * Experimental: see toll.h. */
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
     * the syscall returns; NULL if the program may not read them. `memory` is the pointer from the
     * syscall's arguments. Never called for 0 bytes, nor for more than TOLL_MAX_SECTION_ID. Must
     * not be NULL. */
    const void *(*translate)(void *memory, uint64_t address, uint64_t size);
    /* Writes a line to the program's log, without a line end; NULL: no log. */
    void (*log)(void *user, const char *line, size_t size);
    void *log_user;
    /* The fourth argument by which programs say that heap_value counts although it is 0.
     * TOLL_SVM_TRACKS_HEAP is what toll_guest.h and the crate toll-guest pass. 1, which the macro
     * `profile` of Light Protocol passes, says the same; any other is not looked at. 0: the
     * syscalls have three arguments. */
    uint64_t tracks_heap;
} toll_svm_options;

#define TOLL_SVM_OPTIONS_INIT TOLL_SIZED_INIT(toll_svm_options)

/* "tollheap": no register holds it by accident. */
#define TOLL_SVM_TRACKS_HEAP UINT64_C(0x706165686c6c6f74)

/* The result of a syscall. */
typedef enum toll_svm_result {
    TOLL_SVM_OK = 0,
    TOLL_SVM_ACCESS_VIOLATION, /* the id is not in memory that the program may read */
    TOLL_SVM_ID_TOO_LONG,      /* more than TOLL_MAX_SECTION_ID bytes */
    TOLL_SVM_NOT_OPEN,         /* end: no section of that id is open in this invocation */
    TOLL_SVM_NO_INVOCATION,    /* no program is running */
    TOLL_SVM_NO_MEMORY         /* of the host's, or too many sections */
} toll_svm_result;

/* A new one, the caller's to free. options must not be NULL. Errors: TOLL_E_ARGUMENT (no options,
 * no translate, a recorder with another number of counters than one), TOLL_E_NOMEM. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_svm_create(const toll_svm_options *options,
                                                     toll_svm **out, toll_error *err);

/* Free it, with the results of the last invocation. NULL is fine. Since 0.1. */
TOLL_API void toll_svm_free(toll_svm *svm);

/* The arguments of a syscall as the program passed them. */
typedef struct toll_svm_call {
    void *memory; /* for translate */
    uint64_t id_address, id_size;
    uint64_t heap_value;
    uint64_t tracks_heap; /* the fourth register, whether or not it was an argument */
} toll_svm_call;

/* The syscall that begins a section. Only an access violation should end the program; the other
 * results are in the log, and counted in the recorder's notes, but the program goes on: measuring
 * must not break it. What the program passes may be anything; `call` and `now` must not be NULL,
 * which is not checked. Since 0.1. */
TOLL_API toll_svm_result toll_svm_start(toll_svm *svm, const toll_svm_call *call,
                                        const uint64_t *now);

/* The syscall that ends a section; the same holds. Since 0.1. */
TOLL_API toll_svm_result toll_svm_end(toll_svm *svm, const toll_svm_call *call,
                                      const uint64_t *now);

/* An invocation begins. The outermost one sets the counter anew: each transaction has a budget of
 * its own.
 *   program  its address as text
 * Errors: TOLL_E_ARGUMENT (no program: none begins), TOLL_E_NOMEM: the invocation is entered all
 * the same, without its sections. Since 0.1. */
TOLL_API toll_status toll_svm_push(toll_svm *svm, const char *program, const uint64_t *now,
                                   toll_error *err);

/* The innermost invocation ends, which writes the log. Without an open invocation nothing happens.
 *   failed   1: the program failed, which is counted in the notes
 *   results  set as by toll_sections_pop; may be NULL
 * Errors: TOLL_E_NOMEM: the invocation is left all the same, its sections are lost. Since 0.1. */
TOLL_API toll_status toll_svm_pop(toll_svm *svm, int failed, const uint64_t *now,
                                  toll_section_results *results, toll_error *err);

/* The compute units that the runtime charges for an instruction of a built-in program, which no
 * line of a log shows; 0 if `program`, its address as text, is none (or NULL), or the price is not
 * known. Threads: any. Since 0.1. */
TOLL_API uint64_t toll_svm_price(const char *program);

/* The number of open invocations. Since 0.1. */
TOLL_API uint32_t toll_svm_depth(const toll_svm *svm);

#ifdef __cplusplus
}
#endif
#endif

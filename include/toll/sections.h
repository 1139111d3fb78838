/* sections.h - measures named parts of a run: the total of each section, and its net of the
 * sections inside.
 *
 *     toll_sections_create(&options, &sections, &err);
 *     toll_sections_push(sections, now, &err);                    an instruction begins
 *     toll_sections_begin(sections, "swap", 4, NULL, now, &err);
 *     toll_sections_end(sections, "swap", 4, NULL, now, &err);
 *     toll_sections_pop(sections, now, &results, &err);           it ends, well or not
 *     toll_sections_log(&results, write_line, user, &err);
 *
 * Sections may nest, cross and repeat. What each event means is defined, with examples, in
 * docs/semantics.md:
 *
 *     total   what the counter moved between begin and end
 *     net     total minus the union of the sections that began and ended inside
 *     heap    if begin and end both have a heap value: the value at the end minus that at the
 *             beginning; its net subtracts the heap of the outermost such sections inside
 *
 * Scopes: an instruction and what it invokes each have sections of their own, so that an end never
 * meets the begin of another instruction. What an inner scope consumes is part of the sections
 * that are open outside.
 *
 * Costs: begin and end O(1); pop O(n log n) for n sections, however they cross. Memory is
 * proportional to the sections of the open scopes, and to distinct ids. */
#ifndef TOLL_SECTIONS_H
#define TOLL_SECTIONS_H

#include <toll/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TOLL_MAX_SECTION_ID 4096                  /* bytes */
#define TOLL_MAX_SECTION_HEAP (UINT64_C(1) << 62) /* a heap value */

typedef struct toll_sections toll_sections;

typedef struct toll_sections_options {
    size_t size; /* sizeof(toll_sections_options), as for all options: see toll.h */
    const toll_allocator *allocator; /* NULL: the C library's; copied */
    int counts_down;                 /* 1: the counter is a remaining budget */
    /* Sections become frames in its tree, on its current track, and each event is one of its events
     * (borrowed; NULL: no). `now` is then its counters, of which the first is the sections'. */
    toll_recorder *recorder;
} toll_sections_options;

#define TOLL_SECTIONS_OPTIONS_INIT TOLL_SIZED_INIT(toll_sections_options)

/* One section. Units are the counter's, heap is bytes (or whatever the program passes). */
typedef struct toll_section {
    const char *id; /* id_size bytes as the program gave them, and a NUL after them */
    size_t id_size;
    uint64_t total;
    uint64_t net;
    int has_heap;
    int64_t heap_total, heap_net; /* negative: it shrank */
    uint64_t heap_remaining;      /* the value at the end */
} toll_section;

/* The results of a scope: borrowed, valid until the next call for the toll_sections. */
typedef struct toll_section_results {
    const toll_section *ended; /* in the order in which they ended */
    size_t ended_count;
    const toll_section
        *open;         /* never ended, in the order in which they began: total is what they */
    size_t open_count; /* took until the pop, net is 0 */
} toll_section_results;

/* New sections, the caller's to free. One scope is open already: programs without instructions need
 * no push. options may be NULL. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_sections_create(const toll_sections_options *options,
                                                          toll_sections **out, toll_error *err);

/* Free them, with the results of the last scope. NULL is fine. Since 0.1. */
TOLL_API void toll_sections_free(toll_sections *sections);

/* In all of the following `now` points to the current value of the counter, and with a recorder to
 * those of all its counters; it must not be NULL, which is not checked. The first event only reads
 * it. A step in the wrong direction consumes nothing and is counted. */

/* Continue from the present value of the counter, and consume nothing in this step: the VM has set
 * it (a fresh budget). Since 0.1. */
TOLL_API void toll_sections_rebase(toll_sections *sections, const uint64_t *now);

/* A scope begins, inside of the innermost one. Errors: TOLL_E_NOMEM: none begins. Since 0.1. */
TOLL_API toll_status toll_sections_push(toll_sections *sections, const uint64_t *now,
                                        toll_error *err);

/* Begin a section of the innermost scope. `id` is any bytes, at most TOLL_MAX_SECTION_ID; `heap` is
 * NULL if it is not tracked (nor is one above TOLL_MAX_SECTION_HEAP). With a recorder: on the track
 * on which it ends. `id` may be NULL if id_size is 0. Errors: TOLL_E_ARGUMENT, TOLL_E_LIMIT (id too
 * long, or 2^29 sections), TOLL_E_NOMEM. Nothing is begun then. Since 0.1. */
TOLL_API toll_status toll_sections_begin(toll_sections *sections, const void *id, size_t id_size,
                                         const uint64_t *heap, const uint64_t *now,
                                         toll_error *err);

/* End the section of that id which was begun last in the innermost scope. `id` may be NULL if
 * id_size is 0. Errors: TOLL_E_ARGUMENT; TOLL_E_NOT_FOUND: none is open; it is counted, nothing
 * else happens. Since 0.1. */
TOLL_API toll_status toll_sections_end(toll_sections *sections, const void *id, size_t id_size,
                                       const uint64_t *heap, const uint64_t *now, toll_error *err);

/* The innermost scope ends, also when its instruction failed. Its sections that are still open end
 * here in the recorder's tree, and are named in its notes. The outermost scope ends and begins
 * anew. `out` may be NULL: the results are not wanted. Errors: TOLL_E_NOMEM: the scope has ended,
 * its results are lost. Since 0.1. */
TOLL_API toll_status toll_sections_pop(toll_sections *sections, const uint64_t *now,
                                       toll_section_results *out, toll_error *err);

/* The number of ends without a begin, so far. Since 0.1. */
TOLL_API uint64_t toll_sections_orphans(const toll_sections *sections);

/* The number of counter steps in the wrong direction, so far. Since 0.1. */
TOLL_API uint64_t toll_sections_backward(const toll_sections *sections);

/* Receives a line of `size` bytes. A status other than TOLL_OK ends the log. */
typedef toll_status toll_write_line(void *user, const char *line, size_t size);

/* Write the results as log lines, without line ends, in the form of docs/formats.md:
 *
 *     CU log:  1 swap consumed   1234 CU (net   1000 CU)
 *     HEAP :  5678 heap (net  5000 heap) remaining  3456       only with heap
 *     CU log: mint was not ended, 77 CU so far                 sections that are open
 *
 * In the id, characters that would break a line (control characters, bytes that are not UTF-8, ...)
 * are replaced by '?'. `write` is called for each line, whose text is valid during the call; its
 * first status other than TOLL_OK ends the log and is returned. Errors: TOLL_E_ARGUMENT (no
 * results, no write), TOLL_E_NOMEM. Since 0.1. */
TOLL_API toll_status toll_sections_log(const toll_sections *sections,
                                       const toll_section_results *results, toll_write_line *write,
                                       void *user, toll_error *err);

#ifdef __cplusplus
}
#endif
#endif

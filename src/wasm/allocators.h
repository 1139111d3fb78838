/* allocators.h - instruments the functions that allocate or free memory, which it finds by name.
 * For wasm/ only. */
#ifndef TOLL_WASM_ALLOCATORS_H
#define TOLL_WASM_ALLOCATORS_H

#include "wasm/rewrite.h"

/* The meaning of such a function's parameters, as their indices; -1: it has no such parameter. */
typedef struct toll_wasm_allocator {
    const char *name;
    int8_t parameters, results; /* how many it has */
    int8_t old;                 /* the block that is freed */
    int8_t size, count;         /* size of the new block; with both, it is their product */
    int8_t place;               /* where the function stores the new block's address; -1: the result
                                 * is the address */
} toll_wasm_allocator;

/* The allocator that the function is, judged by its (demangled) name and its type; NULL if it is
 * none. */
const toll_wasm_allocator *toll_wasm_find_allocator(const toll_wasm_module *module,
                                                    uint32_t function, const char *name);

/* The number of additional locals of such a function: copies of all parameters, and the result. */
uint32_t toll_wasm_heap_locals(const toll_wasm_allocator *allocator);

/* Declare these locals, a group for each. */
void toll_wasm_put_heap_locals(const toll_wasm_rewrite *rewrite, uint32_t function,
                               const toll_wasm_allocator *allocator, toll_buffer *out);

/* Write the code for the function's beginning: copy the parameters to the locals from `first` on,
 * and call `allocating`. */
void toll_wasm_put_allocating(const toll_wasm_rewrite *rewrite,
                              const toll_wasm_allocator *allocator, uint32_t first,
                              toll_buffer *out);

/* Write the code for its end: report the freed and the new block. The function's result is on the
 * stack and stays there. */
void toll_wasm_put_heap_event(const toll_wasm_rewrite *rewrite, uint32_t function,
                              const toll_wasm_allocator *allocator, uint32_t first,
                              toll_buffer *out);

/* The warning about a module in which there is no allocator. */
extern const char toll_wasm_no_allocator[];

#endif

/* heap.h - functions that allocate and free, known by their names. For wasm/ only. */
#ifndef TOLL_WASM_HEAP_H
#define TOLL_WASM_HEAP_H

#include "wasm/rewrite.h"

/* What the parameters of such a function are, by their numbers; -1: there is none such. */
typedef struct toll_wasm_allocator {
    const char *name;
    int8_t parameters, results; /* how many */
    int8_t old;                 /* the block that is given back */
    int8_t size, count;         /* of the new block: the product, where there are both */
    int8_t place;               /* where the new block's address is stored; else it is the result */
} toll_wasm_allocator;

/* Is the function one, by its name (as people know it) and type? NULL: no. */
const toll_wasm_allocator *toll_wasm_find_allocator(const toll_wasm_module *module,
                                                    uint32_t function, const char *name);

/* How many locals such a function needs more: copies of all its parameters, and its result. */
uint32_t toll_wasm_heap_locals(const toll_wasm_allocator *allocator);

/* Declare them, a group each. */
void toll_wasm_put_heap_locals(const toll_wasm_rewrite *rewrite, uint32_t function,
                               const toll_wasm_allocator *allocator, toll_buffer *out);

/* At the function's beginning: keep the parameters in the locals from `first` on, and tell. */
void toll_wasm_put_allocating(const toll_wasm_rewrite *rewrite,
                              const toll_wasm_allocator *allocator, uint32_t first,
                              toll_buffer *out);

/* At its end, its result on the stack, where it stays: tell what was given back and what is new. */
void toll_wasm_put_heap_event(const toll_wasm_rewrite *rewrite, uint32_t function,
                              const toll_wasm_allocator *allocator, uint32_t first,
                              toll_buffer *out);

#endif

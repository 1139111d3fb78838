/* counters.h - writes a counter for each stretch (a reachable basic block): the code that counts,
 * the storage, and the function that returns the counters. For wasm/ only. */
#ifndef TOLL_WASM_COUNTERS_H
#define TOLL_WASM_COUNTERS_H

#include "wasm/rewrite.h"

/* The export that returns the counters, a page at a time. */
#define TOLL_WASM_EXECUTIONS "toll:executions"
enum { TOLL_WASM_COUNTERS_OF_PAGE = 64 };

/* A part of the old code that has a counter. */
typedef struct toll_wasm_stretch {
    uint32_t address, end; /* where its first instruction begins and its last one ends, counted from
                            * the beginning of the code section's body */
    uint32_t function;
    uint64_t cost;
} toll_wasm_stretch;

/* Append a stretch; it gets the next counter. False: no memory. */
bool toll_wasm_add_stretch(toll_wasm_rewrite *rewrite, toll_wasm_stretch stretch);

/* Write code that adds 1 to a counter. It has at most TOLL_WASM_MOST_EXECUTION bytes. */
enum { TOLL_WASM_MOST_EXECUTION = 2 * (1 + 1 + 2 * TOLL_WASM_MOST_U32) + 4 + 3 };
uint8_t *toll_wasm_add_execution(const toll_wasm_rewrite *rewrite, uint8_t *to, uint32_t counter);

/* Are there too many counters for globals? Then they go into a memory. */
bool toll_wasm_are_many(const toll_wasm_rewrite *rewrite);

/* The items that are added to the sections of globals and of memories: their number, and their
 * bytes. */
uint32_t toll_wasm_counter_globals(const toll_wasm_rewrite *rewrite);
void toll_wasm_put_counter_globals(const toll_wasm_rewrite *rewrite, toll_buffer *out);
void toll_wasm_put_counter_memory(const toll_wasm_rewrite *rewrite, toll_buffer *out);

/* Write the parts of the function that is exported as TOLL_WASM_EXECUTIONS, the last one of the new
 * module: its type, its index, and its body, preceded by its size. */
void toll_wasm_put_teller_type(toll_buffer *out);
uint32_t toll_wasm_teller_type(const toll_wasm_rewrite *rewrite);
uint32_t toll_wasm_teller_index(const toll_wasm_rewrite *rewrite);
void toll_wasm_put_teller(toll_wasm_rewrite *rewrite);

#endif

/* stretches.h - finds the instructions that each counter of toll_wasm_options.lines counts. So a
 * stretch's cost can be divided among its lines later, from the original module. For debug
 * information, and wasm/. */
#ifndef TOLL_WASM_STRETCHES_H
#define TOLL_WASM_STRETCHES_H

#include "wasm/wasm_module.h"

#include <toll/wasm.h>

/* An instruction. Addresses are those of toll/wasm.h. */
typedef struct toll_wasm_step {
    uint64_t cost;    /* of one execution; the function's first instruction includes the cost of
                       * entering the function */
    uint32_t address; /* of its first byte */
    uint32_t stretch; /* the address of its stretch; 0 if it is in none, because no path leads to
                       * it */
} toll_wasm_step;

/* Reads the functions of a module, one at a time. */
typedef struct toll_wasm_stretches toll_wasm_stretches;

/* Both arguments must outlive the reader. With costs NULL every instruction costs 1. The caller
 * frees the reader. Errors: TOLL_E_ARGUMENT (the costs of the PVM, which are no sums of costs of
 * instructions), TOLL_E_NOMEM. */
toll_status toll_wasm_stretches_create(const toll_wasm_module *module, const toll_wasm_costs *costs,
                                       toll_wasm_stretches **out, toll_error *err);
void toll_wasm_stretches_free(toll_wasm_stretches *stretches);

/* The function whose code contains an address; UINT32_MAX if there is none. O(log n). */
uint32_t toll_wasm_function_at(const toll_wasm_module *module, uint64_t address);

/* The instructions of a function that is not imported, in order; they are valid until the next
 * call. The instructions of a stretch are adjacent. A stretch that ran n times (`executions`) cost
 * n times the sum of their costs; each instruction cost n times its own, so the sums are equal.
 * Errors: TOLL_E_ARGUMENT (no such function), those of a bad body, TOLL_E_NOMEM. */
toll_status toll_wasm_stretches_read(toll_wasm_stretches *stretches, uint32_t function,
                                     const toll_wasm_step **steps, size_t *count, toll_error *err);

#endif

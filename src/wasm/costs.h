/* costs.h - the tables of instruction costs in ticks. For wasm/ only; see toll/wasm.h for the
 * forms. */
#ifndef TOLL_WASM_COSTS_H
#define TOLL_WASM_COSTS_H

#include "base/mem.h"
#include "wasm/opcode.h"

#include <toll/wasm.h>

enum { TOLL_WASM_COSTS_NAME = 64 };

struct toll_wasm_costs {
    toll_mem mem;
    char name[TOLL_WASM_COSTS_NAME];
    bool is_pvm;                    /* the costs depend on more than the opcode: see pvm_costs.h */
    uint32_t entry;                 /* the cost of entering a function of the module, and: */
    uint32_t local, free_locals;    /* of each local variable that it declares but the first ones */
    uint32_t of[TOLL_WASM_NUMBERS]; /* the cost by number of the opcode */
};

typedef enum toll_wasm_costs_builtin {
    TOLL_WASM_INSTRUCTIONS,
    TOLL_WASM_FUEL,
    TOLL_WASM_PVM,
    TOLL_WASM_COSMWASM,
    TOLL_WASM_COSTS_BUILTINS
} toll_wasm_costs_builtin;

/* The cost of entering a function that declares so many local variables, which are below 2^32. */
static inline uint64_t toll_wasm_entry_cost(const toll_wasm_costs *costs, uint64_t locals)
{
    uint64_t charged = locals > costs->free_locals ? locals - costs->free_locals : 0;
    return costs->entry + costs->local * charged;
}

/* Set *costs to that built-in table; costs->mem stays. */
void toll_wasm_costs_set(toll_wasm_costs *costs, toll_wasm_costs_builtin table);

#endif

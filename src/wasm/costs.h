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
    uint32_t entry;                 /* the cost of entering a function of the module */
    uint32_t of[TOLL_WASM_NUMBERS]; /* the cost by number of the opcode */
};

typedef enum toll_wasm_costs_builtin {
    TOLL_WASM_INSTRUCTIONS,
    TOLL_WASM_FUEL,
    TOLL_WASM_PVM,
    TOLL_WASM_COSMWASM,
    TOLL_WASM_COSTS_BUILTINS
} toll_wasm_costs_builtin;

/* Set *costs to that built-in table; costs->mem stays. */
void toll_wasm_costs_set(toll_wasm_costs *costs, toll_wasm_costs_builtin table);

#endif

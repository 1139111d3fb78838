/* open_labels.h - the blocks that are open where a function's body is rewritten. For wasm/ only. */
#ifndef TOLL_WASM_OPEN_LABELS_H
#define TOLL_WASM_OPEN_LABELS_H

#include "wasm/body.h"

typedef struct toll_wasm_label {
    bool is_target; /* some branch jumps to it: to its end, or to the beginning of a loop */
    bool is_loop;
    bool is_split;               /* if, and the legacy try: several parts lead to its end */
    bool handles;                /* a legacy try, behind its first catch */
    bool catches;                /* exceptions are caught at its end */
    bool lacks_else;             /* if, before its else */
    uint32_t arm;                /* for pvm_costs.c, while it writes a br_table */
    toll_wasm_operands operands; /* with the costs of the PVM alone */
} toll_wasm_label;

/* Open a label inside of the others. A failure is recorded in the cursor. */
void toll_wasm_push_label(toll_wasm_body *body, toll_wasm_label label);

/* Label `index`, counted from the innermost. NULL if there is no such label; the cursor has then
 * failed. */
toll_wasm_label *toll_wasm_find_label(toll_wasm_body *body, uint32_t index);

#endif

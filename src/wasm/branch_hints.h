/* branch_hints.h - keeps branch hints: the custom section metadata.code.branch_hint says for an
 * `if` or `br_if` whether it is likely to branch, by its offset in the function's body. For wasm/
 * only. */
#ifndef TOLL_WASM_BRANCH_HINTS_H
#define TOLL_WASM_BRANCH_HINTS_H

#include "wasm/body.h"

#define TOLL_WASM_BRANCH_HINTS "metadata.code.branch_hint" /* the section */

typedef struct toll_wasm_hint {
    uint32_t function, offset; /* in the old module; from the beginning of the body's locals */
    uint32_t moved;            /* the offset in the new module */
    bool is_placed;            /* `moved` is known: such an instruction was there */
    uint8_t value;
} toll_wasm_hint;

/* Read the module's hints into rewrite->hints, in order. A damaged section has none. False: no
 * memory. */
bool toll_wasm_read_hints(toll_wasm_rewrite *rewrite);

/* The hints of a function, which is about to be rewritten: body->next_hint to body->end_hint. */
void toll_wasm_begin_hints(toll_wasm_body *body);

/* The instruction has been written to rewrite->body as its last bytes, unchanged: if there is a
 * hint for it, that moves along. */
void toll_wasm_move_hint(toll_wasm_body *body, const toll_wasm_instruction *i);

/* The header precedes rewrite->body in the new function: add its size to the function's hints. */
void toll_wasm_end_hints(toll_wasm_body *body, size_t header_size);

/* Are there hints for no branch? They are left out. */
bool toll_wasm_loses_hints(const toll_wasm_rewrite *rewrite);

/* Append the section's new content, with its name. False: no hint is left. */
bool toll_wasm_put_hints(const toll_wasm_rewrite *rewrite, toll_buffer *out);

#endif

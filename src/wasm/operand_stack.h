/* operand_stack.h - how many operands are on the stack, in each block of a function's body. For
 * wasm/ only.
 *
 * The number is the same whenever an instruction is executed, so the code alone says it. Each block
 * counts its own operands: those of the enclosing block stay below. Code that is never reached,
 * such as behind a br, may have any number. */
#ifndef TOLL_WASM_OPERAND_STACK_H
#define TOLL_WASM_OPERAND_STACK_H

#include "wasm/instruction.h"
#include "wasm/wasm_module.h"

/* The operands of an open block. */
typedef struct toll_wasm_operands {
    uint32_t below; /* those of the enclosing block, without the parameters */
    uint32_t parameters, results;
    bool is_dead; /* the block is never reached */
} toll_wasm_operands;

typedef struct toll_wasm_operand_stack {
    uint32_t height; /* of the innermost block alone */
    bool is_dead;    /* the next instruction is never reached */
} toll_wasm_operand_stack;

/* Follow an instruction. `innermost`: the open block, before an else or end; or where the operands
 * of the block that this instruction opens are stored. Fails in the cursor if the operands are too
 * few, or not those of the block's type. */
void toll_wasm_follow_operands(toll_wasm_operand_stack *stack, const toll_wasm_module *module,
                               const toll_wasm_instruction *i, toll_wasm_operands *innermost,
                               toll_wasm_cursor *cursor);

#endif

/* pvm_costs.h - the table of costs "pvm": how many ticks Tezos' WASM PVM takes to execute each
 * instruction. For wasm/ only; docs/kernels.md has the rules, and where they are from.
 *
 * The PVM is an interpreter that counts its own small steps. What it does for an instruction
 * depends on the instruction's place (on the operands that it moves at the end of a block, on the
 * labels that a branch passes), and for some also on what happens: whether a branch is taken, how
 * many bytes are copied. The first is known when the code is rewritten. For the second, code is
 * added. */
#ifndef TOLL_WASM_PVM_COSTS_H
#define TOLL_WASM_PVM_COSTS_H

#include "wasm/body.h"

/* Find the module's entry point, and prepare rewrite->is_pvm. */
void toll_wasm_pvm_prepare(toll_wasm_rewrite *rewrite);

/* The ticks of entering the function, whose locals (with its parameters) are known. */
uint64_t toll_wasm_pvm_entry(const toll_wasm_body *body);

/* Follow the next instruction. Returns its ticks, as far as they do not depend on what happens. */
uint64_t toll_wasm_pvm_take(toll_wasm_body *body, const toll_wasm_instruction *i);

/* The ticks of returning from what the last instruction, a call, has called. */
uint64_t toll_wasm_pvm_return(const toll_wasm_body *body, const toll_wasm_instruction *i);

/* If the instruction's ticks depend on what happens: write the segment and the instruction, with
 * code that counts them. False: they do not. */
bool toll_wasm_pvm_put_branch(toll_wasm_body *body, const toll_wasm_instruction *i);
bool toll_wasm_pvm_put_bulk(toll_wasm_body *body, const toll_wasm_instruction *i);

/* Write the else of an if that has none, which the PVM executes, too. The if's end follows; its
 * segment has been written. */
void toll_wasm_pvm_put_else(toll_wasm_body *body, const struct toll_wasm_label *label);

#endif

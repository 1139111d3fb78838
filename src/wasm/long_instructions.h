/* long_instructions.h - with options.time: reports when instructions that may take long begin and
 * end. One that copies or fills memory costs a tick, and may take as long as a million others. For
 * wasm/ only. */
#ifndef TOLL_WASM_LONG_INSTRUCTIONS_H
#define TOLL_WASM_LONG_INSTRUCTIONS_H

#include "wasm/body.h"

/* Prepare rewrite->times_long. */
void toll_wasm_prepare_long(toll_wasm_rewrite *rewrite);

/* Add an instruction that copies, fills or grows memory to the segment. False: it is another
 * one, and not added. */
bool toll_wasm_keep_long(toll_wasm_body *body, const toll_wasm_instruction *instruction);

#endif

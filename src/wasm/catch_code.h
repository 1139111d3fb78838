/* catch_code.h - functions that are added to a module that catches exceptions. They contain what
 * handlers of exceptions have to do: there are many, and they run seldom, so that a call in their
 * place makes the module smaller and hardly slower. For wasm/ only. */
#ifndef TOLL_WASM_CATCH_CODE_H
#define TOLL_WASM_CATCH_CODE_H

#include "wasm/rewrite.h"

enum { TOLL_WASM_SMALL_COSTS = 8 };

/* hosts/wasm/sampled.mjs knows how many there are. */
typedef enum toll_wasm_helper {
    TOLL_WASM_CAUGHT,    /* (param $depth i32): deliver the pending event, then unwind to $depth */
    TOLL_WASM_COUNT,     /* (param $cost i64): add it to the ticks in their global */
    TOLL_WASM_COUNT_ONE, /* (no parameters): add 1, the next one 2, and so on up to 8 */
    TOLL_WASM_HELPERS = TOLL_WASM_COUNT_ONE + TOLL_WASM_SMALL_COSTS
} toll_wasm_helper;

/* How many are added: all or, if no exception is caught, none. They are the module's last functions
 * and types. */
uint32_t toll_wasm_helper_count(const toll_wasm_rewrite *rewrite);
uint32_t toll_wasm_helper_index(const toll_wasm_rewrite *rewrite, toll_wasm_helper helper);
uint32_t toll_wasm_helper_type(const toll_wasm_rewrite *rewrite, toll_wasm_helper helper);
void toll_wasm_put_helper_types(const toll_wasm_rewrite *rewrite, toll_buffer *out);

/* Write a call that adds the cost to the ticks in their global, at most
 * TOLL_WASM_MOST_HELPER_CALL bytes. Returns their end. */
enum { TOLL_WASM_MOST_HELPER_CALL = 1 + TOLL_WASM_MOST_S64 + 1 + TOLL_WASM_MOST_U32 };
uint8_t *toll_wasm_add_count_call(const toll_wasm_rewrite *rewrite, uint8_t *to, uint64_t cost);

/* Append their bodies to rewrite->code. */
void toll_wasm_put_helpers(toll_wasm_rewrite *rewrite);

#endif

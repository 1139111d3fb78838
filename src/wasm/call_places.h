/* call_places.h - writes code that says where a function was called (options.call_lines). Each
 * call, or each kind of call, has a number. The caller stores it in a global before the call, and
 * the callee's event reads it there. For wasm/ only.
 *
 * Invariant: the global is 0 except from a call by a followed function until the next event, or
 * until the call ends without an event. So the calls of a function that is not followed are at the
 * place where its own caller called it. */
#ifndef TOLL_WASM_CALL_PLACES_H
#define TOLL_WASM_CALL_PLACES_H

#include "wasm/body.h"

#define TOLL_WASM_CALL_KIND "toll:call_kind" /* the global, with kinds of calls */

/* Values of options.call_lines. */
enum { TOLL_WASM_CALL_LINES = 1, TOLL_WASM_CALL_KINDS = 2 };

/* A call. Its number is its index in rewrite->calls, plus 1. */
typedef struct toll_wasm_call {
    uint32_t address; /* of the instruction, from the beginning of the code section's body */
    uint32_t function;
} toll_wasm_call;

/* The instruction is about to be written to `out`: set the global before it. */
void toll_wasm_put_call_place(toll_wasm_body *body, const toll_wasm_instruction *call,
                              toll_buffer *out);

/* The same before a tail call, which has no number but a kind. */
void toll_wasm_put_tail_call_kind(toll_wasm_body *body, const toll_wasm_instruction *call,
                                  toll_buffer *out);

/* Write the code after a call: clear the global, if a callee that is not followed may have left a
 * number there. */
void toll_wasm_put_call_end(const toll_wasm_body *body, const toll_wasm_instruction *call,
                            toll_buffer *out);

/* Write the code after an exception was caught while no event is pending: clear the global. In a
 * function that is not followed this happens only if functions were unwound, since the number may
 * belong to one of their calls; otherwise it belongs to the caller's.
 * */
void toll_wasm_put_caught_place(const toll_wasm_body *body, toll_buffer *out);

#endif

/* call_places.h - where functions call others (options.call_lines): each call has a number, or each
 * kind of call, which the caller puts into a global before it calls, and which the callee's event
 * takes from there. For wasm/ only.
 *
 * Invariant: the global is 0 but for the time from a call by a function that is followed to the
 * first event thereafter, or to the call's end if that came without an event. So what a function
 * calls that is not followed is at the place where its own caller called it. */
#ifndef TOLL_WASM_CALL_PLACES_H
#define TOLL_WASM_CALL_PLACES_H

#include "wasm/body.h"

#define TOLL_WASM_CALL_KIND "toll:call_kind" /* the global, with kinds of calls */

/* Values of options.call_lines. */
enum { TOLL_WASM_CALL_LINES = 1, TOLL_WASM_CALL_KINDS = 2 };

/* A call; its number is its place in rewrite->calls, plus 1. */
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

/* Behind a call: clear the global, if a callee that is not followed may have left it. */
void toll_wasm_put_call_end(const toll_wasm_body *body, const toll_wasm_instruction *call,
                            toll_buffer *out);

/* An exception was caught, and no event is pending: clear the global. In a function that is not
 * followed only if functions are left, whose calls the number may be of; else it is the caller's.
 */
void toll_wasm_put_caught_place(const toll_wasm_body *body, toll_buffer *out);

#endif

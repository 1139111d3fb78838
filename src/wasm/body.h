/* body.h - the state while a function's body is rewritten: code.c does the function as a whole,
 * body.c its instructions, and segment.c those of a basic block. For wasm/ only. */
#ifndef TOLL_WASM_BODY_H
#define TOLL_WASM_BODY_H

#include "wasm/allocators.h"
#include "wasm/operand_stack.h"
#include "wasm/rewrite.h"

/* The instructions that get and set the ticks: an opcode and an index each. */
typedef struct toll_wasm_counting {
    uint8_t get_global[1 + TOLL_WASM_MOST_U32], set_global[1 + TOLL_WASM_MOST_U32],
        get_local[1 + TOLL_WASM_MOST_U32], set_local[1 + TOLL_WASM_MOST_U32],
        tee_local[1 + TOLL_WASM_MOST_U32];
    size_t global_size, local_size;
} toll_wasm_counting;

/* The function that is being rewritten. */
typedef struct toll_wasm_body {
    toll_wasm_rewrite *w;
    uint32_t function; /* in the old module */
    bool followed;
    bool has_depth;     /* it catches exceptions, so a local holds the depth */
    bool unwinds_loops; /* exceptions are caught at the beginning of one of its loops */
    bool is_wrapped;    /* its code is in a block, to whose end it jumps: other code follows it */
    bool lands;         /* exceptions are caught at its labels */
    bool returns;       /* its end is reached */
    bool is_stale;      /* the global has ticks that the local has not */
    bool is_hidden;     /* the local may have ticks that the global has not */
    bool shows;         /* the global may be read after the beginning of the segment */
    bool stops;         /* the segment ends by a trap or an exception */
    bool leaves_local;  /* nothing uses the local behind the segment: it stops, or calls */
    toll_wasm_counting counting;
    uint64_t locals; /* how many it declares, without its parameters */
    uint32_t ticks_local, scratch_local, depth_local; /* the second: has_scratch */
    toll_wasm_operand_stack operands;     /* with the costs of the PVM: see pvm_costs.h */
    toll_wasm_operands opened;            /* by the instruction that is being rewritten */
    const toll_wasm_allocator *allocator; /* or NULL */
    size_t labels;                        /* open ones, including the function's own */
    size_t handlers;                      /* how many of these are a try whose handlers began */
    uint64_t cost; /* of the segment, which is w->segment and then the old code from..kept */
    size_t from, kept;
    size_t begin, taken; /* all old code of the segment so far, also the instructions that were
                          * renumbered or rewritten, which from..kept does not contain */
    size_t first_counter, first_call;       /* the first ones of this function */
    size_t first_hint, next_hint, end_hint; /* see branch_hints.h */
    bool is_dead; /* the segment's beginning is never reached: it follows an unconditional jump */
    toll_wasm_cursor code;
} toll_wasm_body;

/* Rewrite all instructions from body->code on, with ticks, into rewrite->body. Failures are
 * recorded in the cursor and in the buffers. */
void toll_wasm_rewrite_instructions(toll_wasm_body *body);

#endif

/* segment.h - collects the instructions of a basic block, a segment, and writes them behind the
 * code that counts them.
 *
 * Ticks: the instructions of a basic block are collected in `segment`. Either all of them are
 * executed or none (except for traps), so one addition before the segment counts the sum of their
 * costs. A segment ends at branches, at targets of branches, and at calls: what follows a call is
 * not executed if the callee throws.
 *
 * The ticks are kept in a local, because locals are fast. They are stored to the global wherever it
 * may be read: in segments with a call or an instruction that may trap, once in each iteration of a
 * loop, and at the end. Callees add to the global, so the local is loaded again after a call.
 *
 * Executions (options.lines): where ticks are added, 1 is also added to a counter that belongs to
 * this segment alone. Code after an unconditional jump is counted from the next place that can be
 * reached in another way. */
#ifndef TOLL_WASM_SEGMENT_H
#define TOLL_WASM_SEGMENT_H

#include "wasm/body.h"

/* Append old code, as it is. */
void toll_wasm_put_old(const toll_wasm_cursor *code, size_t from, size_t to, toll_buffer *out);

/* Does the instruction name a function, or a global, whose index may change? */
static inline bool toll_wasm_is_renumbered(const toll_wasm_instruction *i)
{
    return i->function.end != i->function.start || i->opcode->shape == TOLL_WASM_GLOBAL;
}

/* Add such an instruction to the segment, with the new index. */
void toll_wasm_keep_changed(toll_wasm_body *body, const toll_wasm_instruction *i);

/* Add the instruction to the segment. If its bytes do not change, it only extends from..kept. */
static inline void toll_wasm_keep(toll_wasm_body *body, const toll_wasm_instruction *i)
{
    body->kept = i->span.end;
    if (toll_wasm_is_renumbered(i))
        toll_wasm_keep_changed(body, i);
}

/* Write the complete segment, in one piece: each request for room in the buffer is slow. */
void toll_wasm_flush(toll_wasm_body *body);

/* Flush the segment at a place to which several paths, or a jump, lead. */
void toll_wasm_join(toll_wasm_body *body);

/* Write the instruction; the segment has been flushed before. */
void toll_wasm_put(toll_wasm_body *body, const toll_wasm_instruction *i);

#endif

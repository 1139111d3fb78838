/* body.c - rewrites the instructions of a function's body: adds the code that counts ticks
 * (segment.h), and the code that unwinds the stack after exceptions.
 *
 * Exceptions: where one is caught, the code calls `unwind` with the number of open functions. So a
 * function that catches exceptions keeps its own depth in a local. */
#include "wasm/body.h"
#include "wasm/branch_hints.h"
#include "wasm/call_places.h"
#include "wasm/catch_code.h"
#include "wasm/long_instructions.h"
#include "wasm/open_labels.h"
#include "wasm/pvm_costs.h"
#include "wasm/segment.h"

/* --- labels ------------------------------------------------------------------------------------*/

static void mark_target(toll_wasm_body *b, uint32_t index)
{
    toll_wasm_label *label = toll_wasm_find_label(b, index);
    if (!label)
        return;
    label->is_target = true;
    if (label == &b->w->labels[0]) { /* the function's end */
        b->shows = true;
        b->is_wrapped |= b->followed;
    }
}

static void mark_targets(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    uint32_t label;
    if (i->opcode->shape != TOLL_WASM_LABELS) {
        mark_target(b, i->index[0]);
        return;
    }
    toll_wasm_cursor labels = toll_wasm_vector(&b->code, i);
    while (toll_wasm_next_label(&labels, &label))
        mark_target(b, label);
}

/* The clauses of try_table name labels outside of it. */
static void mark_catches(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    toll_wasm_catch clause;
    toll_wasm_cursor clauses = toll_wasm_vector(&b->code, i);
    while (toll_wasm_next_catch(&clauses, &clause)) {
        toll_wasm_label *label = toll_wasm_find_label(b, clause.label);
        if (!label)
            return;
        label->is_target = label->catches = true;
        b->has_depth = b->w->catches = !b->w->options->no_calls;
        b->lands = true;
        b->unwinds_loops |= label->is_loop;
        b->is_wrapped |= label == &b->w->labels[0];
    }
}

/* --- instructions ------------------------------------------------------------------------------*/

static void put_unwind(toll_wasm_body *b)
{
    toll_buffer *out = &b->w->body;
    b->is_stale = true;
    if (b->w->options->no_calls)
        return;
    if (!b->w->options->call_lines) {
        toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_GET, b->depth_local);
        toll_wasm_put_op(out, TOLL_WASM_OP_CALL, toll_wasm_helper_index(b->w, TOLL_WASM_CAUGHT));
        return;
    }
    toll_wasm_put_settle(b->w, out);
    toll_wasm_put_caught_place(b, out);
    toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_GET, b->depth_local);
    toll_wasm_put_ticks(b->w, out);
    toll_wasm_put_op(out, TOLL_WASM_OP_CALL, toll_wasm_hook_index(b->w, TOLL_WASM_UNWIND));
    toll_wasm_put_unwound(b->w, out);
}

static void rewrite_open(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    uint8_t op = i->opcode->prefix ? 0 : (uint8_t)i->opcode->code;
    toll_wasm_label label = { .is_loop = op == TOLL_WASM_OP_LOOP,
                              .is_split = op == TOLL_WASM_OP_IF || op == TOLL_WASM_OP_TRY,
                              .lacks_else = op == TOLL_WASM_OP_IF,
                              .operands = b->opened };
    if (i->opcode->shape == TOLL_WASM_TRY_TABLE)
        mark_catches(b, i);
    toll_wasm_keep(b, i);
    if (op == TOLL_WASM_OP_IF) {
        toll_wasm_flush(b);
        toll_wasm_move_hint(b, i);
    }
    if (label.is_loop) {
        toll_wasm_join(b);
        b->shows = true; /* only a signal ends a loop that never ends by itself */
    }
    if (label.is_loop && b->unwinds_loops)
        put_unwind(b);
    toll_wasm_push_label(b, label);
}

static void rewrite_else(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    toll_wasm_label *innermost = toll_wasm_find_label(b, 0);
    if (innermost)
        innermost->lacks_else = false;
    toll_wasm_join(b);
    toll_wasm_put(b, i);
    b->is_dead = false;
}

static void rewrite_catch(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    toll_wasm_flush(b);
    toll_wasm_put(b, i);
    b->is_dead = false;
    toll_wasm_label *label = toll_wasm_find_label(b, 0);
    if (label && !label->handles) {
        label->handles = true;
        b->handlers++;
    }
    b->has_depth = b->w->catches = !b->w->options->no_calls;
    put_unwind(b);
}

static void rewrite_end(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    const toll_wasm_label *innermost = toll_wasm_find_label(b, 0);
    if (!innermost)
        return;
    toll_wasm_label label = *innermost;
    b->labels--;
    b->returns = !b->is_dead || label.is_target || b->is_wrapped; /* of the last end */
    bool joins = label.is_split || (label.is_target && !label.is_loop) || b->labels == 0 ||
                 i->opcode->flow == TOLL_WASM_DELEGATE;
    if (joins) {
        b->shows |= b->labels == 0;
        toll_wasm_join(b);
        if (b->w->is_pvm && label.lacks_else)
            toll_wasm_pvm_put_else(b, &label);
        if (b->labels > 0 || b->is_wrapped)
            toll_wasm_put(b, i); /* else what has to follow comes before it */
        b->is_dead = false;
    } else {
        toll_wasm_keep(b, i);
    }
    b->handlers -= label.handles;
    if (label.catches && !label.is_loop)
        put_unwind(b);
}

/* Append a jump to the function's end, where its last event is. */
static void put_jump_to_end(toll_wasm_body *b, toll_buffer *out)
{
    b->is_wrapped = true;
    toll_wasm_put_op(out, TOLL_WASM_OP_BR, (uint32_t)b->labels - 1);
}

static void rewrite_return(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    if (!b->followed) {
        toll_wasm_keep(b, i);
    } else {
        toll_wasm_put_old(&b->code, b->from, b->kept, &b->w->segment);
        put_jump_to_end(b, &b->w->segment);
        b->from = b->kept = i->span.end;
    }
    b->shows = true;
    toll_wasm_flush(b);
    b->is_dead = true;
}

/* Write a tail call as a call: their opcodes differ by two, or by one (call_ref). */
static void put_as_call(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    toll_buffer *out = &b->w->body;
    toll_wasm_put_call_place(b, i, out);
    size_t at = out->size;
    toll_wasm_put(b, i);
    if (!out->failed)
        out->data[at] =
            (uint8_t)(out->data[at] - (out->data[at] == TOLL_WASM_OP_RETURN_CALL_REF ? 1 : 2));
}

/* Handle a call: what follows it runs only if the callee returns, and the callee may have added to
 * the global. */
static void rewrite_call(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    b->shows = true;
    if (b->w->options->call_lines) {
        toll_wasm_put_old(&b->code, b->from, i->span.start, &b->w->segment);
        toll_wasm_put_call_place(b, i, &b->w->segment);
        b->from = i->span.start;
    }
    toll_wasm_keep(b, i);
    b->leaves_local = true;
    toll_wasm_flush(b);
    toll_wasm_put_call_end(b, i, &b->w->segment);
    b->cost += b->w->is_pvm ? toll_wasm_pvm_return(b, i) : 0;
}

static void rewrite_tail_call(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    b->shows = true;
    toll_wasm_flush(b); /* the call's own cost included */
    if (b->allocator) {
        put_as_call(b, i);
        b->is_stale = true;
        toll_wasm_flush(b);
        put_jump_to_end(b, &b->w->body);
        b->is_dead = true;
        return;
    }
    b->is_dead = true;
    if (b->followed)
        toll_wasm_put_event(b->w, &b->w->body, TOLL_WASM_LEAVE, b->function, b->ticks_local);
    toll_wasm_put_tail_call_kind(b, i, &b->w->body);
    toll_wasm_put(b, i);
}

/* Does it always jump, so that the next instruction is not reached from it? */
static bool always_jumps(const toll_wasm_opcode *opcode)
{
    return opcode->flow == TOLL_WASM_STOP ||
           (opcode->prefix == 0 &&
            (opcode->code == TOLL_WASM_OP_BR || opcode->code == TOLL_WASM_OP_BR_TABLE));
}

/* Handle a branch, or an instruction that only ends the code. */
static void rewrite_jump(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    bool is_branch = i->opcode->flow == TOLL_WASM_BRANCH;
    b->stops = b->leaves_local = !is_branch;
    if (!b->w->is_pvm || !is_branch || !toll_wasm_pvm_put_branch(b, i)) {
        toll_wasm_keep(b, i);
        toll_wasm_flush(b);
        if (is_branch)
            toll_wasm_move_hint(b, i);
    }
    b->is_stale = false;
    b->is_dead |= always_jumps(i->opcode);
}

static inline void take(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    b->cost += b->w->is_pvm ? toll_wasm_pvm_take(b, i) : b->w->costs.of[i->opcode->number];
    b->taken = i->span.end;
    if (i->opcode->flow == TOLL_WASM_PLAIN) {
        b->shows |= toll_wasm_may_trap(i->opcode);
        if ((!b->w->is_pvm || !toll_wasm_pvm_put_bulk(b, i)) &&
            (!b->w->times_long || !toll_wasm_keep_long(b, i)))
            toll_wasm_keep(b, i);
        return;
    }
    switch ((toll_wasm_flow)i->opcode->flow) {
    case TOLL_WASM_OPENS: rewrite_open(b, i); return;
    case TOLL_WASM_ELSE: rewrite_else(b, i); return;
    case TOLL_WASM_CATCH: rewrite_catch(b, i); return;
    case TOLL_WASM_END:
    case TOLL_WASM_DELEGATE: rewrite_end(b, i); return;
    case TOLL_WASM_RETURN: rewrite_return(b, i); return;
    case TOLL_WASM_TAIL_CALL: rewrite_tail_call(b, i); return;
    case TOLL_WASM_CALL: rewrite_call(b, i); return;
    case TOLL_WASM_BRANCH: mark_targets(b, i); break;
    default: b->shows = true; break;
    }
    rewrite_jump(b, i);
}

/* --- stretches of plain instructions -----------------------------------------------------------*/

enum { NOT_PLAIN, BARE, ONE_NUMBER, TWO_NUMBERS, FOUR_BYTES, EIGHT_BYTES, LONGEST_PLAIN = 9 };

static uint8_t plain_form(const toll_wasm_opcode *opcode)
{
    if (!opcode || opcode->flow != TOLL_WASM_PLAIN)
        return NOT_PLAIN;
    switch ((toll_wasm_shape)opcode->shape) {
    case TOLL_WASM_NONE: return BARE;
    case TOLL_WASM_LOCAL:
    case TOLL_WASM_GLOBAL:
    case TOLL_WASM_I32:
    case TOLL_WASM_I64: return ONE_NUMBER;
    case TOLL_WASM_MEMARG: return TWO_NUMBERS;
    case TOLL_WASM_F32: return FOUR_BYTES;
    case TOLL_WASM_F64: return EIGHT_BYTES;
    default: return NOT_PLAIN;
    }
}

/* The size of a number of one or two bytes; 0 if it is longer. */
static inline size_t number_size(const uint8_t *p)
{
    return p[0] < 0x80 ? 1 : p[1] < 0x80 ? 2 : 0;
}

/* The size of the instruction at p; 0 if toll_wasm_next must decode it. LONGEST_PLAIN bytes can be
 * read from p. */
static inline size_t plain_size(uint8_t form, const uint8_t *p)
{
    size_t size;
    switch (form) {
    case BARE: return 1;
    case ONE_NUMBER: size = number_size(p + 1); return size ? 1 + size : 0;
    case TWO_NUMBERS: /* of more than 0x0f, the first one says that more numbers follow */
        size = p[1] < 0x10 ? number_size(p + 2) : 0;
        return size ? 2 + size : 0;
    case FOUR_BYTES: return 5;
    case EIGHT_BYTES: return 9;
    default: return 0;
    }
}

/* Fast path: keep instructions as long as they are short and do not affect control flow, as most do
 * not. An opcode without prefix is its own number. */
static void keep_plain(toll_wasm_body *b)
{
    const toll_wasm_rewrite *w = b->w;
    const uint8_t *data = b->code.data;
    size_t at = b->code.at, size;
    uint64_t cost = b->cost;
    bool shows = b->shows;
    if (w->is_pvm) /* which follows the operands of each instruction */
        return;
    while (b->labels > 0 && b->code.end - at >= LONGEST_PLAIN &&
           (size = plain_size(w->forms[data[at]], data + at)) > 0) {
        cost += w->costs.of[data[at]];
        shows |= w->traps[data[at]];
        at += size;
    }
    b->cost = cost;
    b->shows = shows;
    if (at > b->code.at)
        b->kept = b->taken = b->code.at = at;
}

void toll_wasm_find_forms(toll_wasm_rewrite *w)
{
    for (uint32_t op = 0; op < 256; op++) {
        const toll_wasm_opcode *opcode = toll_wasm_opcode_find(0, op);
        w->forms[op] = plain_form(opcode);
        if (opcode && opcode->shape == TOLL_WASM_GLOBAL)
            w->forms[op] = NOT_PLAIN; /* it is renumbered */
        w->traps[op] = opcode && toll_wasm_may_trap(opcode);
    }
}

void toll_wasm_rewrite_instructions(toll_wasm_body *b)
{
    toll_wasm_instruction i;
    toll_buffer_clear(&b->w->body);
    toll_buffer_clear(&b->w->segment);
    b->labels = b->handlers = 0;
    b->cost = b->w->is_pvm ? toll_wasm_pvm_entry(b) : toll_wasm_entry_cost(&b->w->costs, b->locals);
    b->operands = (toll_wasm_operand_stack){ .height = 0 };
    b->is_stale = true;
    b->is_hidden = b->shows = b->stops = b->leaves_local = b->is_dead = false;
    b->from = b->kept = b->begin = b->taken = b->code.at;
    b->w->stretch_count = b->first_counter;
    b->w->call_count = b->first_call;
    toll_wasm_begin_hints(b);
    uint32_t type = b->w->module->functions[b->function].type;
    toll_wasm_push_label(
        b, (toll_wasm_label){ .operands = { .results = b->w->module->types[type].result_count } });
    for (keep_plain(b); b->labels > 0 && toll_wasm_next(&b->code, &i); keep_plain(b))
        take(b, &i);
}

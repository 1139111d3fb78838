/* pvm_costs.c - see pvm_costs.h. */
#include "wasm/pvm_costs.h"

#include "wasm/open_labels.h"
#include "wasm/segment.h"

/* A step takes an instruction, or one of the interpreter's own, from the innermost block, and
 * executes it. An instruction of the code takes a step to be found in its block, and one to be
 * executed. */
enum { STEP = 3, INSTRUCTION = 2 * STEP };

/* Joining the operands of two blocks, or of a function and its caller: for each operand 1, and: */
enum { LEAVE_BLOCK = 4, LEAVE_FUNCTION = 2, LEAVE_IMPORT = 2 };

/* A call is split: its first ticks are the caller's, the rest is the callee's, as in Octez'
 * profiles. The entry point has no such call. */
enum { CALL = 4, ENTER = 10, ENTER_FIRST = 9, MOVE_LOCAL = 2 };

/* --- costs -------------------------------------------------------------------------------------*/

void toll_wasm_pvm_prepare(toll_wasm_rewrite *w)
{
    w->is_pvm = w->costs.is_pvm && !w->options->calls_only;
    if (!w->is_pvm ||
        !toll_wasm_find_export(w->module, TOLL_WASM_KIND_FUNCTION, "kernel_run", &w->entry_point))
        w->entry_point = UINT32_MAX;
}

uint64_t toll_wasm_pvm_entry(const toll_wasm_body *b)
{
    bool is_first = b->function == b->w->entry_point;
    return (is_first ? ENTER_FIRST : ENTER) + (uint64_t)MOVE_LOCAL * b->ticks_local;
}

static bool is_functions(const toll_wasm_body *b, const toll_wasm_label *label)
{
    return label == &b->w->labels[0];
}

/* The ticks of reaching the end of a block, or of a part of an if. */
static uint64_t cost_of_end(const toll_wasm_body *b, const toll_wasm_label *label)
{
    const toll_wasm_operands *block = &label->operands;
    if (is_functions(b, label))
        return (uint64_t)2 * STEP;
    return STEP + LEAVE_BLOCK + (uint64_t)block->below + block->results;
}

/* The ticks of a branch to label `index`, after the branch instruction itself. */
static uint64_t cost_of_branch(toll_wasm_body *b, uint32_t index)
{
    const toll_wasm_label *label = toll_wasm_find_label(b, index);
    uint64_t passed = (uint64_t)STEP * index;
    if (!label)
        return 0;
    const toll_wasm_operands *block = &label->operands;
    if (is_functions(b, label))
        return passed + STEP;
    return passed + LEAVE_BLOCK + block->below +
           (label->is_loop ? (uint64_t)STEP + block->parameters : block->results);
}

static bool is_of_pvm(const toll_wasm_opcode *opcode)
{
    switch ((toll_wasm_proposal)opcode->proposal) {
    case TOLL_WASM_MVP:
    case TOLL_WASM_SIGN_EXTENSION:
    case TOLL_WASM_SATURATING:
    case TOLL_WASM_BULK_MEMORY:
    case TOLL_WASM_REFERENCE_TYPES:
    case TOLL_WASM_SIMD: return true;
    default: return false;
    }
}

uint64_t toll_wasm_pvm_take(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    toll_wasm_label *label = toll_wasm_find_label(b, 0);
    toll_wasm_flow flow = (toll_wasm_flow)i->opcode->flow;
    bool opens = flow == TOLL_WASM_OPENS;
    if (!is_of_pvm(i->opcode))
        toll_wasm_cursor_fail(&b->code, TOLL_E_UNSUPPORTED, i->span.start,
                              "Tezos' PVM has no %s, so its ticks are not known", i->opcode->name);
    if (!label || b->code.status)
        return 0;
    toll_wasm_follow_operands(&b->operands, b->w->module, i, opens ? &b->opened : &label->operands,
                              &b->code);
    switch (flow) {
    case TOLL_WASM_ELSE:
    case TOLL_WASM_END: return cost_of_end(b, label);
    case TOLL_WASM_CALL: return CALL;
    case TOLL_WASM_RETURN: return INSTRUCTION + STEP;
    case TOLL_WASM_OPENS:
        return INSTRUCTION + (i->opcode->code == TOLL_WASM_OP_IF ? STEP : 0); /* becomes a block */
    case TOLL_WASM_BRANCH:
        if (i->opcode->code == TOLL_WASM_OP_BR)
            return INSTRUCTION + cost_of_branch(b, i->index[0]);
        return INSTRUCTION + (i->opcode->code == TOLL_WASM_OP_BR_TABLE ? STEP : 0); /* to a br */
    default: return INSTRUCTION;
    }
}

uint64_t toll_wasm_pvm_return(const toll_wasm_body *b, const toll_wasm_instruction *i)
{
    bool is_import =
        i->opcode->shape == TOLL_WASM_FUNCTION && i->index[0] < b->w->module->imported_functions;
    return is_import ? LEAVE_IMPORT : LEAVE_FUNCTION + (uint64_t)b->operands.height;
}

/* --- code --------------------------------------------------------------------------------------*/

static void put_local(toll_wasm_body *b, uint8_t op, uint32_t local)
{
    toll_wasm_put_op(&b->w->body, op, local);
}

static void put_block(toll_wasm_body *b, uint8_t op)
{
    toll_buffer_append_byte(&b->w->body, op);
    toll_buffer_append_byte(&b->w->body, TOLL_WASM_EMPTY_BLOCK);
}

static void put_end(toll_wasm_body *b)
{
    toll_buffer_append_byte(&b->w->body, TOLL_WASM_OP_END);
}

/* Write code that adds what is on the stack to the ticks in the local; `shows`: also in the global.
 */
static void put_sum(toll_wasm_body *b, bool shows)
{
    put_local(b, TOLL_WASM_OP_LOCAL_GET, b->ticks_local);
    toll_buffer_append_byte(&b->w->body, TOLL_WASM_OP_I64_ADD);
    put_local(b, shows ? TOLL_WASM_OP_LOCAL_TEE : TOLL_WASM_OP_LOCAL_SET, b->ticks_local);
    if (shows)
        toll_buffer_append(&b->w->body, b->counting.set_global, b->counting.global_size);
    b->is_hidden = true;
}

/* Write code that adds the ticks of a branch to that label. */
static void put_branch_cost(toll_wasm_body *b, uint32_t label)
{
    toll_wasm_put_i64(&b->w->body, (int64_t)cost_of_branch(b, label));
    put_sum(b, label == b->labels - 1);
}

/* br_if: if it is taken, it has become a br. */
static void put_br_if(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    toll_wasm_flush(b);
    put_local(b, TOLL_WASM_OP_LOCAL_TEE, b->scratch_local);
    put_block(b, TOLL_WASM_OP_IF);
    toll_wasm_put_i64(&b->w->body, (int64_t)(STEP + cost_of_branch(b, i->index[0])));
    put_sum(b, i->index[0] == b->labels - 1);
    put_end(b);
    put_local(b, TOLL_WASM_OP_LOCAL_GET, b->scratch_local);
    toll_wasm_put(b, i);
}

/* Number the labels of a br_table; equal ones have one number. Returns how many there are. */
static uint32_t number_labels(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    toll_wasm_cursor labels = toll_wasm_vector(&b->code, i);
    uint32_t index, count = 0;
    while (toll_wasm_next_label(&labels, &index)) {
        toll_wasm_label *label = toll_wasm_find_label(b, index);
        if (label && label->arm == 0)
            label->arm = ++count;
    }
    return count;
}

static void forget_labels(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    toll_wasm_cursor labels = toll_wasm_vector(&b->code, i);
    uint32_t index;
    while (toll_wasm_next_label(&labels, &index))
        toll_wasm_find_label(b, index)->arm = 0;
}

/* Write a br_table that jumps to the arm of its label: arm n is behind the end of block n - 1,
 * where the innermost block is 0. */
static void put_jump(toll_wasm_body *b, const toll_wasm_instruction *i, uint32_t arms)
{
    toll_wasm_cursor labels = toll_wasm_vector(&b->code, i);
    uint32_t index;
    for (uint32_t n = 0; n <= arms; n++)
        put_block(b, TOLL_WASM_OP_BLOCK);
    put_local(b, TOLL_WASM_OP_LOCAL_GET, b->scratch_local);
    toll_wasm_put_op(&b->w->body, TOLL_WASM_OP_BR_TABLE, i->count - 1);
    while (toll_wasm_next_label(&labels, &index))
        toll_wasm_put_u32(&b->w->body, toll_wasm_find_label(b, index)->arm - 1);
}

static void put_arms(toll_wasm_body *b, const toll_wasm_instruction *i, uint32_t arms)
{
    toll_wasm_cursor labels = toll_wasm_vector(&b->code, i);
    uint32_t index, done = 0;
    while (toll_wasm_next_label(&labels, &index)) {
        if (toll_wasm_find_label(b, index)->arm != done + 1)
            continue;
        done++;
        put_end(b);
        put_branch_cost(b, index);
        put_local(b, TOLL_WASM_OP_BR, arms - done);
    }
    put_end(b);
}

/* br_table: the code jumps twice, first to what counts the branch, then as the old code. */
static bool put_br_table(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    uint32_t arms = number_labels(b, i);
    if (b->code.status)
        return false;
    if (arms == 1) {
        b->cost += cost_of_branch(b, i->index[0]);
    } else {
        toll_wasm_flush(b);
        put_local(b, TOLL_WASM_OP_LOCAL_SET, b->scratch_local);
        put_jump(b, i, arms);
        put_arms(b, i, arms);
        put_local(b, TOLL_WASM_OP_LOCAL_GET, b->scratch_local);
        toll_wasm_put(b, i);
    }
    forget_labels(b, i);
    return arms > 1;
}

bool toll_wasm_pvm_put_branch(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    if (b->code.status || i->opcode->code == TOLL_WASM_OP_BR)
        return false;
    if (i->opcode->code == TOLL_WASM_OP_BR_TABLE)
        return put_br_table(b, i);
    put_br_if(b, i);
    return true;
}

/* The ticks of a bulk instruction for each byte or element: the PVM executes it as a sequence of
 * instructions for each. 0: it is not such an instruction. */
static int64_t cost_of_element(const toll_wasm_opcode *opcode)
{
    enum { INIT = 0x08, COPY = 0x0a, FILL = 0x0b, TABLE_INIT = 0x0c, TABLE_COPY = 0x0e };
    enum { TABLE_FILL = 0x11 };
    if (opcode->prefix != 0xfc)
        return 0;
    switch (opcode->code) {
    case COPY:
    case TABLE_COPY: return (int64_t)8 * INSTRUCTION;
    case INIT:
    case FILL:
    case TABLE_INIT:
    case TABLE_FILL: return (int64_t)7 * INSTRUCTION;
    default: return 0;
    }
}

bool toll_wasm_pvm_put_bulk(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    int64_t each = cost_of_element(i->opcode);
    if (each == 0)
        return false;
    toll_wasm_flush(b);
    put_local(b, TOLL_WASM_OP_LOCAL_TEE, b->scratch_local);
    toll_wasm_put(b, i); /* if it traps, nothing was copied */
    put_local(b, TOLL_WASM_OP_LOCAL_GET, b->scratch_local);
    toll_buffer_append_byte(&b->w->body, TOLL_WASM_OP_I64_EXTEND_I32_U);
    toll_wasm_put_i64(&b->w->body, each);
    toll_buffer_append_byte(&b->w->body, TOLL_WASM_OP_I64_MUL);
    put_sum(b, false);
    return true;
}

void toll_wasm_pvm_put_else(toll_wasm_body *b, const toll_wasm_label *label)
{
    toll_buffer_append_byte(&b->w->body, TOLL_WASM_OP_ELSE);
    toll_wasm_put_i64(&b->w->body, (int64_t)cost_of_end(b, label));
    put_sum(b, false);
}

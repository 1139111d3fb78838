/* operand_stack.c - see operand_stack.h. The numbers are from the specification's index of
 * instructions. */
#include "wasm/operand_stack.h"

#include <stddef.h>

/* --- plain instructions ------------------------------------------------------------------------*/

typedef struct effect {
    uint8_t first, last; /* codes */
    int8_t change;       /* results minus parameters */
} effect;

/* Those that do not change the number of operands have no row. */
static const effect unprefixed[] = {
    { 0x1a, 0x1a, -1 }, { 0x1b, 0x1c, -2 }, /* drop, select */
    { 0x20, 0x20, 1 },  { 0x21, 0x21, -1 }, /* local.get, local.set */
    { 0x23, 0x23, 1 },  { 0x24, 0x24, -1 }, /* global.get, global.set */
    { 0x26, 0x26, -2 }, { 0x36, 0x3e, -2 }, /* table.set, stores */
    { 0x3f, 0x3f, 1 },  { 0x41, 0x44, 1 },  /* memory.size, constants */
    { 0x46, 0x4f, -1 }, { 0x51, 0x66, -1 }, /* comparisons, not eqz */
    { 0x6a, 0x78, -1 }, { 0x7c, 0x8a, -1 }, /* binary i32, i64 */
    { 0x92, 0x98, -1 }, { 0xa0, 0xa6, -1 }, /* binary f32, f64 */
    { 0xd0, 0xd0, 1 },  { 0xd2, 0xd2, 1 },  /* ref.null, ref.func */
};

static const effect bulk[] = {
    { 0x08, 0x08, -3 }, { 0x0a, 0x0c, -3 }, /* memory.init, memory.copy, memory.fill, table.init */
    { 0x0e, 0x0e, -3 }, { 0x0f, 0x0f, -1 }, /* table.copy, table.grow */
    { 0x10, 0x10, 1 },  { 0x11, 0x11, -3 }, /* table.size, table.fill */
};

static const effect vectors[] = {
    { 0x0b, 0x0b, -2 }, { 0x0c, 0x0c, 1 },  { 0x0d, 0x0e, -1 }, /* store, const, shuffle, swizzle */
    { 0x17, 0x17, -1 }, { 0x1a, 0x1a, -1 }, { 0x1c, 0x1c, -1 }, /* replace_lane ... */
    { 0x1e, 0x1e, -1 }, { 0x20, 0x20, -1 }, { 0x22, 0x22, -1 }, { 0x23, 0x4c, -1 },
    { 0x4e, 0x51, -1 }, { 0x52, 0x52, -2 }, /* comparisons, and, ..., bitselect */
    { 0x54, 0x57, -1 }, { 0x58, 0x5b, -2 }, /* load_lane, store_lane */
    { 0x65, 0x66, -1 }, { 0x6b, 0x73, -1 }, { 0x76, 0x79, -1 }, /* i8x16 */
    { 0x7b, 0x7b, -1 }, { 0x82, 0x82, -1 }, { 0x85, 0x86, -1 }, /* avgr; i16x8 ... */
    { 0x8b, 0x93, -1 }, { 0x95, 0x99, -1 }, { 0x9b, 0x9f, -1 }, { 0xab, 0xb9, -1 },
    { 0xba, 0xba, -1 }, { 0xbc, 0xbf, -1 },                     /* i32x4 */
    { 0xcb, 0xdf, -1 }, { 0xe4, 0xeb, -1 }, { 0xf0, 0xf7, -1 }, /* i64x2, f32x4, f64x2 */
};

static int change_in(const effect *rows, size_t count, uint32_t code)
{
    for (size_t i = 0; i < count; i++)
        if (code >= rows[i].first && code <= rows[i].last)
            return rows[i].change;
    return 0;
}

#define CHANGE_IN(rows, code) change_in(rows, sizeof(rows) / sizeof *(rows), code)

static int change_of(const toll_wasm_opcode *opcode)
{
    switch (opcode->prefix) {
    case 0: return CHANGE_IN(unprefixed, opcode->code);
    case 0xfc: return CHANGE_IN(bulk, opcode->code);
    case 0xfd: return CHANGE_IN(vectors, opcode->code);
    default: return 0;
    }
}

/* --- the stack ---------------------------------------------------------------------------------*/

static void pop(toll_wasm_operand_stack *s, uint32_t count, toll_wasm_cursor *c)
{
    if (count > s->height && !s->is_dead)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "%u operands where %u are needed", s->height,
                              count);
    s->height -= count < s->height ? count : s->height;
}

static void stop(toll_wasm_operand_stack *s)
{
    s->is_dead = true;
    s->height = 0;
}

static const toll_wasm_signature *find_type(const toll_wasm_module *m, uint32_t index,
                                            toll_wasm_cursor *c)
{
    static const toll_wasm_signature none = { .is_function = true };
    if (index < m->type_count && m->types[index].is_function)
        return &m->types[index];
    toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "type %u is no function type", index);
    return &none;
}

static const toll_wasm_signature *find_callee(const toll_wasm_module *m,
                                              const toll_wasm_instruction *i, toll_wasm_cursor *c)
{
    if (i->opcode->shape == TOLL_WASM_FUNCTION && i->index[0] >= m->function_count)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "function %u of %zu", i->index[0],
                              m->function_count);
    if (c->status)
        return find_type(m, UINT32_MAX, c);
    return find_type(
        m, i->opcode->shape == TOLL_WASM_FUNCTION ? m->functions[i->index[0]].type : i->index[0],
        c);
}

static void call(toll_wasm_operand_stack *s, const toll_wasm_module *m,
                 const toll_wasm_instruction *i, toll_wasm_cursor *c)
{
    const toll_wasm_signature *callee = find_callee(m, i, c);
    pop(s, callee->parameter_count + (i->opcode->shape != TOLL_WASM_FUNCTION), c);
    s->height += callee->result_count;
}

static void open(toll_wasm_operand_stack *s, const toll_wasm_module *m,
                 const toll_wasm_instruction *i, toll_wasm_operands *opened, toll_wasm_cursor *c)
{
    *opened = (toll_wasm_operands){ .results = i->type[0].code != TOLL_WASM_EMPTY };
    if (i->type[0].code == TOLL_WASM_INDEX) {
        const toll_wasm_signature *type = find_type(m, i->type[0].index, c);
        opened->parameters = type->parameter_count;
        opened->results = type->result_count;
    }
    pop(s, opened->parameters + (i->opcode->code == TOLL_WASM_OP_IF), c);
    opened->below = s->height;
    opened->is_dead = s->is_dead;
    s->height = opened->parameters;
}

/* A part of a block ends: the operands are its results. */
static void close(toll_wasm_operand_stack *s, const toll_wasm_operands *block, toll_wasm_cursor *c)
{
    if (!s->is_dead && s->height != block->results)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "%u operands at the end of a block of %u",
                              s->height, block->results);
    s->is_dead = block->is_dead;
}

void toll_wasm_follow_operands(toll_wasm_operand_stack *s, const toll_wasm_module *m,
                               const toll_wasm_instruction *i, toll_wasm_operands *innermost,
                               toll_wasm_cursor *c)
{
    const toll_wasm_opcode *opcode = i->opcode;
    switch ((toll_wasm_flow)opcode->flow) {
    case TOLL_WASM_PLAIN: {
        int change = change_of(opcode);
        if (change < 0)
            pop(s, (uint32_t)-change, c);
        else
            s->height += (uint32_t)change;
        return;
    }
    case TOLL_WASM_OPENS: open(s, m, i, innermost, c); return;
    case TOLL_WASM_ELSE:
        close(s, innermost, c);
        s->height = innermost->parameters;
        return;
    case TOLL_WASM_END:
        close(s, innermost, c);
        s->height = innermost->below + innermost->results;
        return;
    case TOLL_WASM_BRANCH:
        if (opcode->code != TOLL_WASM_OP_BR)
            pop(s, 1, c);
        if (opcode->code != TOLL_WASM_OP_BR_IF)
            stop(s);
        return;
    case TOLL_WASM_CALL: call(s, m, i, c); return;
    default: stop(s); return;
    }
}

/* instruction.c - see instruction.h. */
#include "wasm/instruction.h"

#include <stdio.h>

/* --- opcodes -----------------------------------------------------------------------------------*/

static void fail_opcode(toll_wasm_cursor *c, size_t at, uint8_t prefix, uint32_t code)
{
    const char *proposal = toll_wasm_opcode_proposal(prefix, code);
    char name[32];
    if (prefix)
        snprintf(name, sizeof name, "opcode 0x%02x 0x%02lx", prefix, (unsigned long)code);
    else
        snprintf(name, sizeof name, "opcode 0x%02lx", (unsigned long)code);
    if (proposal)
        toll_wasm_cursor_lacks(c, at, name, proposal);
    else
        toll_wasm_cursor_fail(c, TOLL_E_UNSUPPORTED, at,
                              "%s is unknown; build the module without the feature that needs it",
                              name);
}

static const toll_wasm_opcode *read_opcode(toll_wasm_cursor *c)
{
    size_t start = c->at;
    uint8_t prefix = 0;
    uint32_t code = toll_wasm_take_u8(c);
    if (toll_wasm_is_prefix((uint8_t)code)) {
        prefix = (uint8_t)code;
        code = toll_wasm_take_u32(c);
    }
    if (c->status)
        return NULL;
    const toll_wasm_opcode *opcode = toll_wasm_opcode_find(prefix, code);
    if (!opcode)
        fail_opcode(c, start, prefix, code);
    return opcode;
}

/* --- immediates --------------------------------------------------------------------------------*/

/* The first field holds the alignment in bits 0 to 3; bit 6 says that a memory index follows. The
 * other bits announce what proposals add. */
static void read_memarg(toll_wasm_cursor *c, toll_wasm_instruction *out)
{
    enum { HAS_ORDER = 0x10, HAS_ARRAY = 0x20, HAS_MEMORY = 0x40 };
    size_t start = c->at;
    uint32_t flags = toll_wasm_take_u32(c);
    if (flags & HAS_ORDER && flags < 0x80)
        toll_wasm_cursor_lacks(c, start, "an order of memory accesses", "acquire-release atomics");
    else if (flags & HAS_ARRAY && flags < 0x80)
        toll_wasm_cursor_lacks(c, start, "an access of an array's bytes", "multibyte array access");
    else if (flags >= 0x80)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, start,
                              "0x%lx is not an alignment; build or fetch the module again",
                              (unsigned long)flags);
    out->align = (uint8_t)(flags & 0x0f);
    if (flags & HAS_MEMORY)
        out->index[0] = toll_wasm_take_u32(c);
    out->offset = toll_wasm_take_u64(c);
}

/* Read `size` bytes as a vector. */
static void read_raw(toll_wasm_cursor *c, toll_wasm_instruction *out, uint32_t size)
{
    out->vector.start = c->at;
    toll_wasm_take_bytes(c, size);
    out->vector.end = c->at;
    out->count = size;
}

static void read_labels(toll_wasm_cursor *c, toll_wasm_instruction *out)
{
    uint32_t count = toll_wasm_take_count(c, "labels");
    out->vector.start = c->at;
    for (uint32_t i = 0; i < count && !c->status; i++)
        toll_wasm_take_u32(c);
    out->index[0] = toll_wasm_take_u32(c);
    out->vector.end = c->at;
    out->count = count + 1; /* count is at most the number of remaining bytes: less than 2^32 - 1
                             * ... */
    if (out->count == 0)    /* ... or exactly 2^32 - 1, which overflows with the default label */
        toll_wasm_cursor_fail(c, TOLL_E_LIMIT, out->vector.start,
                              "too many labels; split the br_table");
}

static toll_wasm_catch read_catch(toll_wasm_cursor *c)
{
    toll_wasm_catch clause = { TOLL_WASM_CATCH_TAG, 0, 0 };
    size_t start = c->at;
    uint8_t kind = toll_wasm_take_u8(c);
    if (kind > TOLL_WASM_CATCH_ALL_REF)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, start,
                              "0x%02x is not a kind of catch; build or fetch the module again",
                              kind);
    clause.kind = (toll_wasm_catch_kind)(kind & 3);
    if (kind <= TOLL_WASM_CATCH_TAG_REF)
        clause.tag = toll_wasm_take_u32(c);
    clause.label = toll_wasm_take_u32(c);
    return clause;
}

static void read_try_table(toll_wasm_cursor *c, toll_wasm_instruction *out)
{
    out->type[0] = toll_wasm_take_block_type(c);
    out->count = toll_wasm_take_count(c, "catches");
    out->vector.start = c->at;
    for (uint32_t i = 0; i < out->count && !c->status; i++)
        read_catch(c);
    out->vector.end = c->at;
}

static void read_value_types(toll_wasm_cursor *c, toll_wasm_instruction *out)
{
    out->count = toll_wasm_take_count(c, "types");
    out->vector.start = c->at;
    for (uint32_t i = 0; i < out->count && !c->status; i++)
        toll_wasm_take_value_type(c);
    out->vector.end = c->at;
}

static void read_branch_on_cast(toll_wasm_cursor *c, toll_wasm_instruction *out)
{
    size_t start = c->at;
    out->flags = toll_wasm_take_u8(c);
    if (out->flags > 3)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, start,
                              "0x%02x are not the flags of a cast; build or fetch the module again",
                              out->flags);
    out->index[0] = toll_wasm_take_u32(c);
    out->type[0] = toll_wasm_take_heap_type(c);
    out->type[1] = toll_wasm_take_heap_type(c);
}

static void read_function(toll_wasm_cursor *c, toll_wasm_instruction *out)
{
    out->function.start = c->at;
    out->index[0] = toll_wasm_take_u32(c);
    out->function.end = c->at;
}

static void read_order(toll_wasm_cursor *c)
{
    size_t start = c->at;
    uint8_t order = toll_wasm_take_u8(c);
    if (order != 0)
        toll_wasm_cursor_fail(c, TOLL_E_UNSUPPORTED, start,
                              "0x%02x is not an order of atomic.fence; build the module without "
                              "shared-everything threads",
                              order);
}

static void read_two_indices(toll_wasm_cursor *c, toll_wasm_instruction *out)
{
    out->index[0] = toll_wasm_take_u32(c);
    out->index[1] = toll_wasm_take_u32(c);
}

static void read_immediates(toll_wasm_cursor *c, toll_wasm_instruction *out)
{
    switch ((toll_wasm_shape)out->opcode->shape) {
    case TOLL_WASM_NONE:
    case TOLL_WASM_SHAPES: break;
    case TOLL_WASM_BLOCK_TYPE: out->type[0] = toll_wasm_take_block_type(c); break;
    case TOLL_WASM_TRY_TABLE: read_try_table(c, out); break;
    case TOLL_WASM_LABELS: read_labels(c, out); break;
    case TOLL_WASM_FUNCTION: read_function(c, out); break;
    case TOLL_WASM_LABEL:
    case TOLL_WASM_TYPE:
    case TOLL_WASM_TAG:
    case TOLL_WASM_LOCAL:
    case TOLL_WASM_GLOBAL:
    case TOLL_WASM_TABLE:
    case TOLL_WASM_ELEMENT:
    case TOLL_WASM_MEMORY:
    case TOLL_WASM_DATA: out->index[0] = toll_wasm_take_u32(c); break;
    case TOLL_WASM_TYPE_TABLE:
    case TOLL_WASM_TYPE_TYPE:
    case TOLL_WASM_TYPE_FIELD:
    case TOLL_WASM_TYPE_COUNT:
    case TOLL_WASM_TYPE_DATA:
    case TOLL_WASM_TYPE_ELEMENT:
    case TOLL_WASM_TABLE_TABLE:
    case TOLL_WASM_ELEMENT_TABLE:
    case TOLL_WASM_MEMORY_MEMORY:
    case TOLL_WASM_DATA_MEMORY: read_two_indices(c, out); break;
    case TOLL_WASM_MEMARG: read_memarg(c, out); break;
    case TOLL_WASM_MEMARG_LANE:
        read_memarg(c, out);
        out->lane = toll_wasm_take_u8(c);
        break;
    case TOLL_WASM_I32: out->value = toll_wasm_take_s32(c); break;
    case TOLL_WASM_I64: out->value = toll_wasm_take_s64(c); break;
    case TOLL_WASM_F32: out->value = toll_wasm_take_4(c); break;
    case TOLL_WASM_F64: out->value = (int64_t)toll_wasm_take_8(c); break;
    case TOLL_WASM_V128:
    case TOLL_WASM_LANES: read_raw(c, out, 16); break;
    case TOLL_WASM_LANE: out->lane = toll_wasm_take_u8(c); break;
    case TOLL_WASM_ORDER: read_order(c); break;
    case TOLL_WASM_VALUE_TYPES: read_value_types(c, out); break;
    case TOLL_WASM_HEAP_TYPE: out->type[0] = toll_wasm_take_heap_type(c); break;
    case TOLL_WASM_BRANCH_ON_CAST: read_branch_on_cast(c, out); break;
    }
}

/* Fast path for nearly all instructions: no prefix, and immediates of one byte each. False: the
 * instruction is not of this kind. */
static inline bool read_short(toll_wasm_cursor *c, toll_wasm_instruction *out)
{
    const uint8_t *p = c->data + c->at;
    if (c->status || c->end - c->at < 3 || toll_wasm_is_prefix(p[0]))
        return false;
    out->opcode = toll_wasm_opcode_find(0, p[0]);
    if (!out->opcode)
        return false;
    switch ((toll_wasm_shape)out->opcode->shape) {
    case TOLL_WASM_NONE: c->at += 1; return true;
    case TOLL_WASM_LABEL:
    case TOLL_WASM_LOCAL:
    case TOLL_WASM_GLOBAL:
        out->index[0] = p[1];
        c->at += 2;
        return p[1] < 0x80;
    case TOLL_WASM_I32:
        out->value = (int64_t)(p[1] & 0x3f) - (p[1] & 0x40);
        c->at += 2;
        return p[1] < 0x80;
    case TOLL_WASM_MEMARG:
        out->align = p[1];
        out->offset = p[2];
        c->at += 3;
        return p[1] < 0x10 && p[2] < 0x80;
    default: return false;
    }
}

/* Single stores instead of a loop: compilers turn a loop into a string instruction, which is slow
 * to start.
 * */
static inline void clear(toll_wasm_instruction *out, size_t start)
{
    out->opcode = NULL;
    out->span = (toll_wasm_span){ start, start };
    out->function = out->vector = (toll_wasm_span){ 0, 0 };
    out->index[0] = out->index[1] = 0;
    out->value = 0;
    out->offset = 0;
    out->align = out->lane = out->flags = 0;
    out->count = 0;
    out->type[0] = out->type[1] = (toll_wasm_type){ 0, 0, 0 };
}

bool toll_wasm_next(toll_wasm_cursor *c, toll_wasm_instruction *out)
{
    size_t start = c->at;
    clear(out, start);
    if (read_short(c, out)) {
        out->span.end = c->at;
        return true;
    }
    c->at = start;
    clear(out, start);
    out->opcode = read_opcode(c);
    if (!out->opcode)
        return false;
    read_immediates(c, out);
    out->span.end = c->at;
    return c->status == TOLL_OK;
}

/* --- vectors -----------------------------------------------------------------------------------*/

toll_wasm_cursor toll_wasm_vector(const toll_wasm_cursor *code, const toll_wasm_instruction *i)
{
    toll_wasm_cursor vector;
    toll_wasm_cursor_init(&vector, code->data, i->vector.start, i->vector.end);
    return vector;
}

bool toll_wasm_next_label(toll_wasm_cursor *vector, uint32_t *label)
{
    if (toll_wasm_left(vector) == 0)
        return false;
    *label = toll_wasm_take_u32(vector);
    return vector->status == TOLL_OK;
}

bool toll_wasm_next_catch(toll_wasm_cursor *vector, toll_wasm_catch *out)
{
    if (toll_wasm_left(vector) == 0)
        return false;
    *out = read_catch(vector);
    return vector->status == TOLL_OK;
}

bool toll_wasm_next_type(toll_wasm_cursor *vector, toll_wasm_type *type)
{
    if (toll_wasm_left(vector) == 0)
        return false;
    *type = toll_wasm_take_value_type(vector);
    return vector->status == TOLL_OK;
}

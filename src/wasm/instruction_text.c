/* instruction_text.c - see instruction_text.h. */
#include "wasm/instruction_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TEXT = 4096 }; /* in bytes, of a vector's text */

/* --- types -------------------------------------------------------------------------------------*/

/* Names of heap types, and the short names of nullable references to them. */
static const struct {
    uint8_t code;
    const char *heap, *reference;
} heap_types[] = {
    { 0x69, "exn", "exnref" },
    { 0x6a, "array", "arrayref" },
    { 0x6b, "struct", "structref" },
    { 0x6c, "i31", "i31ref" },
    { 0x6d, "eq", "eqref" },
    { 0x6e, "any", "anyref" },
    { 0x6f, "extern", "externref" },
    { 0x70, "func", "funcref" },
    { 0x71, "none", "nullref" },
    { 0x72, "noextern", "nullexternref" },
    { 0x73, "nofunc", "nullfuncref" },
    { 0x74, "noexn", "nullexnref" },
    { TOLL_WASM_I32_TYPE, NULL, "i32" },
    { TOLL_WASM_I64_TYPE, NULL, "i64" },
    { TOLL_WASM_F32_TYPE, NULL, "f32" },
    { TOLL_WASM_F64_TYPE, NULL, "f64" },
    { TOLL_WASM_V128_TYPE, NULL, "v128" },
};

static void put_heap_type(toll_buffer *out, uint8_t code, uint32_t index)
{
    if (code == TOLL_WASM_INDEX)
        toll_buffer_append_format(out, " %" PRIu32, index);
    for (size_t i = 0; i < sizeof heap_types / sizeof *heap_types; i++)
        if (heap_types[i].code == code && heap_types[i].heap)
            toll_buffer_append_format(out, " %s", heap_types[i].heap);
}

static void put_reference(toll_buffer *out, bool nullable, uint8_t code, uint32_t index)
{
    toll_buffer_append_format(out, " (ref%s", nullable ? " null" : "");
    put_heap_type(out, code, index);
    toll_buffer_append_format(out, ")");
}

static void put_value_type(toll_buffer *out, toll_wasm_type type)
{
    if (type.code == TOLL_WASM_REF || type.code == TOLL_WASM_REF_NULL)
        put_reference(out, type.code == TOLL_WASM_REF_NULL, type.heap, type.index);
    for (size_t i = 0; i < sizeof heap_types / sizeof *heap_types; i++)
        if (heap_types[i].code == type.code)
            toll_buffer_append_format(out, " %s", heap_types[i].reference);
}

static void put_block_type(toll_buffer *out, toll_wasm_type type)
{
    if (type.code == TOLL_WASM_INDEX) {
        toll_buffer_append_format(out, " (type %" PRIu32 ")", type.index);
    } else if (type.code != TOLL_WASM_EMPTY) {
        toll_buffer_append_format(out, " (result");
        put_value_type(out, type);
        toll_buffer_append_format(out, ")");
    }
}

/* --- numbers -----------------------------------------------------------------------------------*/

/* Append a float, given by its bits, as 0x1.8p+1, inf, or nan:0x200000. `fraction_bits` and
 * `exponent_bits` are the sizes of its parts. The decimal point does not depend on the locale. */
static void put_float(toll_buffer *out, uint64_t bits, unsigned fraction_bits,
                      unsigned exponent_bits)
{
    const uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
    const int most = (1 << exponent_bits) - 1, bias = most >> 1;
    int exponent = (int)(bits >> fraction_bits) & most;
    toll_buffer_append_format(out, " %s", bits >> (fraction_bits + exponent_bits) & 1 ? "-" : "");
    if (exponent == most) {
        toll_buffer_append_format(out, fraction ? "nan" : "inf");
        if (fraction && fraction != UINT64_C(1) << (fraction_bits - 1))
            toll_buffer_append_format(out, ":0x%" PRIx64, fraction);
        return;
    }
    /* Left-aligned, so that the first hexadecimal digit holds the first four bits of the
     * fraction. */
    uint64_t digits = fraction << (64 - fraction_bits);
    if (exponent == 0 && fraction) { /* subnormal: the first 1 bit is within the fraction */
        for (; !(digits >> 63); digits <<= 1)
            exponent--;
        digits <<= 1;
    } else if (exponent == 0) {
        toll_buffer_append_format(out, "0x0p+0");
        return;
    }
    toll_buffer_append_format(out, digits ? "0x1." : "0x1");
    for (; digits; digits <<= 4)
        toll_buffer_append_format(out, "%x", (unsigned)(digits >> 60));
    toll_buffer_append_format(out, "p%+d", exponent - bias);
}

/* The number of bytes that a load, store or atomic access moves; its name contains it. */
static unsigned natural_size(const char *name)
{
    static const char *const parts[] = { "load", "store", "rmw", "wait" };
    unsigned bits = 0, lanes = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !bits; i++) {
        const char *part = strstr(name, parts[i]);
        if (part && sscanf(part + strlen(parts[i]), "%ux%u", &bits, &lanes) == 2)
            bits *= lanes;
    }
    if (bits)
        return bits / 8;
    return *name == 'v' ? 16 : strncmp(name + 1, "64", 2) == 0 ? 8 : 4;
}

static void put_memarg(toll_buffer *out, const toll_wasm_instruction *i)
{
    if (i->index[0])
        toll_buffer_append_format(out, " %" PRIu32, i->index[0]);
    if (i->offset)
        toll_buffer_append_format(out, " offset=%" PRIu64, i->offset);
    if (UINT64_C(1) << i->align != natural_size(i->opcode->name))
        toll_buffer_append_format(out, " align=%" PRIu64, UINT64_C(1) << i->align);
}

/* --- vectors -----------------------------------------------------------------------------------*/

static bool is_long(toll_buffer *out, size_t start)
{
    if (out->size - start < MOST_TEXT)
        return false;
    toll_buffer_append_format(out, " ...");
    return true;
}

static void put_labels(toll_buffer *out, toll_wasm_cursor vector)
{
    uint32_t label;
    for (size_t start = out->size; toll_wasm_next_label(&vector, &label) && !is_long(out, start);)
        toll_buffer_append_format(out, " %" PRIu32, label);
}

static void put_catches(toll_buffer *out, toll_wasm_cursor vector)
{
    static const char *const kinds[] = { "catch", "catch_ref", "catch_all", "catch_all_ref" };
    toll_wasm_catch c;
    for (size_t start = out->size; toll_wasm_next_catch(&vector, &c) && !is_long(out, start);) {
        toll_buffer_append_format(out, " (%s", kinds[c.kind]);
        if (c.kind <= TOLL_WASM_CATCH_TAG_REF)
            toll_buffer_append_format(out, " %" PRIu32, c.tag);
        toll_buffer_append_format(out, " %" PRIu32 ")", c.label);
    }
}

static void put_result_types(toll_buffer *out, toll_wasm_cursor vector)
{
    toll_wasm_type type;
    toll_buffer_append_format(out, " (result");
    for (size_t start = out->size; toll_wasm_next_type(&vector, &type) && !is_long(out, start);)
        put_value_type(out, type);
    toll_buffer_append_format(out, ")");
}

static void put_lanes(toll_buffer *out, const uint8_t *bytes)
{
    for (int i = 0; i < 16; i++)
        toll_buffer_append_format(out, " %u", bytes[i]);
}

static void put_v128(toll_buffer *out, const uint8_t *bytes)
{
    toll_buffer_append_format(out, " i32x4");
    for (int i = 0; i < 16; i += 4)
        toll_buffer_append_format(out, " 0x%02x%02x%02x%02x", bytes[i + 3], bytes[i + 2],
                                  bytes[i + 1], bytes[i]);
}

/* --- immediates --------------------------------------------------------------------------------*/

static void put_function(toll_buffer *out, uint32_t function, const char *name)
{
    if (!name) {
        toll_buffer_append_format(out, " %" PRIu32, function);
        return;
    }
    toll_buffer_append_text(out, " $");
    toll_buffer_append_text(out, name);
}

static void put_index(toll_buffer *out, uint32_t index)
{
    toll_buffer_append_format(out, " %" PRIu32, index);
}

/* Append an index that the text format omits if it is 0. */
static void put_other(toll_buffer *out, uint32_t index)
{
    if (index)
        put_index(out, index);
}

static void put_branch_on_cast(toll_buffer *out, const toll_wasm_instruction *i)
{
    put_index(out, i->index[0]);
    put_reference(out, i->flags & 1, i->type[0].code, i->type[0].index);
    put_reference(out, i->flags & 2, i->type[1].code, i->type[1].index);
}

/* For ref.null, append the heap type itself. ref.test and ref.cast have two opcodes each; the odd
 * one is for nullable references. */
static void put_cast_type(toll_buffer *out, const toll_wasm_instruction *i)
{
    if (i->opcode->prefix)
        put_reference(out, i->opcode->code & 1, i->type[0].code, i->type[0].index);
    else
        put_heap_type(out, i->type[0].code, i->type[0].index);
}

/* Append two indices. The text has the index of a memory or table first, although it may come last
 * in the bytes. */
static void put_two(toll_buffer *out, const toll_wasm_instruction *i)
{
    switch ((toll_wasm_shape)i->opcode->shape) {
    case TOLL_WASM_TYPE_TABLE:
        put_other(out, i->index[1]);
        toll_buffer_append_format(out, " (type %" PRIu32 ")", i->index[0]);
        break;
    case TOLL_WASM_ELEMENT_TABLE:
    case TOLL_WASM_DATA_MEMORY:
        put_other(out, i->index[1]);
        put_index(out, i->index[0]);
        break;
    case TOLL_WASM_TABLE_TABLE:
    case TOLL_WASM_MEMORY_MEMORY:
        if (!i->index[0] && !i->index[1])
            break;
        /* fall through */
    default:
        put_index(out, i->index[0]);
        put_index(out, i->index[1]);
        break;
    }
}

static void put_immediates(toll_buffer *out, const toll_wasm_cursor *code,
                           const toll_wasm_instruction *i, const char *name)
{
    switch ((toll_wasm_shape)i->opcode->shape) {
    case TOLL_WASM_NONE:
    case TOLL_WASM_ORDER:
    case TOLL_WASM_SHAPES: break;
    case TOLL_WASM_BLOCK_TYPE: put_block_type(out, i->type[0]); break;
    case TOLL_WASM_TRY_TABLE:
        put_block_type(out, i->type[0]);
        put_catches(out, toll_wasm_vector(code, i));
        break;
    case TOLL_WASM_LABELS: put_labels(out, toll_wasm_vector(code, i)); break;
    case TOLL_WASM_FUNCTION: put_function(out, i->index[0], name); break;
    case TOLL_WASM_LABEL:
    case TOLL_WASM_TYPE:
    case TOLL_WASM_TAG:
    case TOLL_WASM_LOCAL:
    case TOLL_WASM_GLOBAL:
    case TOLL_WASM_TABLE:
    case TOLL_WASM_ELEMENT:
    case TOLL_WASM_DATA: put_index(out, i->index[0]); break;
    case TOLL_WASM_MEMORY: put_other(out, i->index[0]); break;
    case TOLL_WASM_TYPE_TABLE:
    case TOLL_WASM_TYPE_TYPE:
    case TOLL_WASM_TYPE_FIELD:
    case TOLL_WASM_TYPE_COUNT:
    case TOLL_WASM_TYPE_DATA:
    case TOLL_WASM_TYPE_ELEMENT:
    case TOLL_WASM_TABLE_TABLE:
    case TOLL_WASM_ELEMENT_TABLE:
    case TOLL_WASM_MEMORY_MEMORY:
    case TOLL_WASM_DATA_MEMORY: put_two(out, i); break;
    case TOLL_WASM_MEMARG: put_memarg(out, i); break;
    case TOLL_WASM_MEMARG_LANE:
        put_memarg(out, i);
        toll_buffer_append_format(out, " %u", i->lane);
        break;
    case TOLL_WASM_I32:
    case TOLL_WASM_I64: toll_buffer_append_format(out, " %" PRId64, i->value); break;
    case TOLL_WASM_F32: put_float(out, (uint64_t)i->value, 23, 8); break;
    case TOLL_WASM_F64: put_float(out, (uint64_t)i->value, 52, 11); break;
    case TOLL_WASM_V128: put_v128(out, code->data + i->vector.start); break;
    case TOLL_WASM_LANES: put_lanes(out, code->data + i->vector.start); break;
    case TOLL_WASM_LANE: toll_buffer_append_format(out, " %u", i->lane); break;
    case TOLL_WASM_VALUE_TYPES: put_result_types(out, toll_wasm_vector(code, i)); break;
    case TOLL_WASM_HEAP_TYPE: put_cast_type(out, i); break;
    case TOLL_WASM_BRANCH_ON_CAST: put_branch_on_cast(out, i); break;
    }
}

bool toll_wasm_append_text(toll_buffer *out, const toll_wasm_cursor *code,
                           const toll_wasm_instruction *i, toll_wasm_name_fn name_of, void *user)
{
    bool is_named = name_of && i->opcode->shape == TOLL_WASM_FUNCTION;
    toll_buffer_append_text(out, i->opcode->name);
    put_immediates(out, code, i, is_named ? name_of(user, i->index[0]) : NULL);
    return !out->failed;
}

/* emit.c - see emit.h. */
#include "wasm/emit.h"

#include "wasm/opcode.h"

#include <string.h>

void toll_wasm_put_u32(toll_buffer *out, uint32_t value)
{
    uint8_t bytes[TOLL_WASM_MOST_U32];
    toll_buffer_append(out, bytes, (size_t)(toll_wasm_add_u32(bytes, value) - bytes));
}

void toll_wasm_put_s64(toll_buffer *out, int64_t value)
{
    uint8_t bytes[TOLL_WASM_MOST_S64];
    toll_buffer_append(out, bytes, (size_t)(toll_wasm_add_s64(bytes, value) - bytes));
}

void toll_wasm_put_bytes(toll_buffer *out, toll_wasm_bytes bytes)
{
    if (bytes.size)
        toll_buffer_append(out, bytes.data, bytes.size);
}

void toll_wasm_put_name(toll_buffer *out, const char *name)
{
    toll_wasm_put_u32(out, (uint32_t)strlen(name));
    toll_buffer_append_text(out, name);
}

void toll_wasm_put_op(toll_buffer *out, uint8_t op, uint32_t index)
{
    uint8_t bytes[1 + TOLL_WASM_MOST_U32];
    toll_buffer_append(out, bytes, (size_t)(toll_wasm_add_op(bytes, op, index) - bytes));
}

void toll_wasm_put_i64(toll_buffer *out, int64_t value)
{
    toll_buffer_append_byte(out, TOLL_WASM_OP_I64_CONST);
    toll_wasm_put_s64(out, value);
}

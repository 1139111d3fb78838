/* emit.c - numbers and instructions as they are written. See rewrite.h. */
#include "wasm/rewrite.h"

void toll_wasm_put_u32(toll_buffer *out, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        toll_buffer_append_byte(out, (uint8_t)(value | 0x80));
    toll_buffer_append_byte(out, (uint8_t)value);
}

void toll_wasm_put_s64(toll_buffer *out, int64_t value)
{
    for (;;) {
        uint8_t low = value & 0x7f;
        value >>= 7;
        if ((value == 0 && !(low & 0x40)) || (value == -1 && low & 0x40)) {
            toll_buffer_append_byte(out, low);
            return;
        }
        toll_buffer_append_byte(out, low | 0x80);
    }
}

void toll_wasm_put_bytes(toll_buffer *out, toll_wasm_bytes bytes)
{
    if (bytes.size)
        toll_buffer_append(out, bytes.data, bytes.size);
}

void toll_wasm_put_op(toll_buffer *out, uint8_t op, uint32_t index)
{
    toll_buffer_append_byte(out, op);
    toll_wasm_put_u32(out, index);
}

void toll_wasm_put_i64(toll_buffer *out, int64_t value)
{
    toll_buffer_append_byte(out, TOLL_WASM_OP_I64_CONST);
    toll_wasm_put_s64(out, value);
}

void toll_wasm_put_ticks(const toll_wasm_rewrite *w, toll_buffer *out)
{
    if (w->options->no_ticks)
        toll_wasm_put_i64(out, 0);
    else
        toll_wasm_put_op(out, TOLL_WASM_OP_GLOBAL_GET, w->ticks);
}

void toll_wasm_put_event(const toll_wasm_rewrite *w, toll_buffer *out, toll_wasm_hook hook,
                         uint32_t function)
{
    toll_buffer_append_byte(out, TOLL_WASM_OP_I32_CONST);
    toll_wasm_put_s64(out, (int32_t)function);
    toll_wasm_put_ticks(w, out);
    toll_wasm_put_op(out, TOLL_WASM_OP_CALL, toll_wasm_hook_index(w, hook));
}

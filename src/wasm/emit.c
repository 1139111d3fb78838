/* emit.c - numbers and instructions as they are written. See rewrite.h. */
#include "wasm/rewrite.h"

#include <string.h>

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

void toll_wasm_put_name(toll_buffer *out, const char *name)
{
    toll_wasm_put_u32(out, (uint32_t)strlen(name));
    toll_buffer_append_text(out, name);
}

void toll_wasm_put_op(toll_buffer *out, uint8_t op, uint32_t index)
{
    toll_buffer_append_byte(out, op);
    toll_wasm_put_u32(out, index);
}

void toll_wasm_put_i32(toll_buffer *out, int32_t value)
{
    toll_buffer_append_byte(out, TOLL_WASM_OP_I32_CONST);
    toll_wasm_put_s64(out, value);
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
        toll_wasm_put_op(out, TOLL_WASM_OP_GLOBAL_GET, toll_wasm_slot_index(w, TOLL_WASM_TICKS));
}

static void put_ticks_of(const toll_wasm_rewrite *w, toll_buffer *out, uint32_t local)
{
    if (w->options->no_ticks || local == TOLL_WASM_NO_LOCAL)
        toll_wasm_put_ticks(w, out);
    else
        toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_GET, local);
}

static void put_slot(const toll_wasm_rewrite *w, toll_buffer *out, uint8_t op, toll_wasm_slot slot)
{
    toll_wasm_put_op(out, op, toll_wasm_slot_index(w, slot));
}

/* What is pending, as parameters of a hook. */
static void put_pending(const toll_wasm_rewrite *w, toll_buffer *out)
{
    put_slot(w, out, TOLL_WASM_OP_GLOBAL_GET, TOLL_WASM_PENDING);
    if (w->options->no_ticks)
        toll_wasm_put_i64(out, 0);
    else
        put_slot(w, out, TOLL_WASM_OP_GLOBAL_GET, TOLL_WASM_PENDING_TICKS);
}

void toll_wasm_put_event(const toll_wasm_rewrite *w, toll_buffer *out, toll_wasm_hook hook,
                         uint32_t function, uint32_t ticks)
{
    put_slot(w, out, TOLL_WASM_OP_GLOBAL_GET, TOLL_WASM_PENDING);
    toll_wasm_put_i32(out, 1);
    toll_buffer_append_byte(out, TOLL_WASM_OP_I32_EQ);
    toll_wasm_put_op(out, TOLL_WASM_OP_IF, TOLL_WASM_EMPTY_BLOCK);
    toll_wasm_put_i32(out, (int32_t)(2 * function + 2 + (hook == TOLL_WASM_LEAVE)));
    put_slot(w, out, TOLL_WASM_OP_GLOBAL_SET, TOLL_WASM_PENDING);
    if (!w->options->no_ticks) {
        put_ticks_of(w, out, ticks);
        put_slot(w, out, TOLL_WASM_OP_GLOBAL_SET, TOLL_WASM_PENDING_TICKS);
    }
    toll_buffer_append_byte(out, TOLL_WASM_OP_ELSE);
    put_pending(w, out);
    toll_wasm_put_i32(out, (int32_t)function);
    put_ticks_of(w, out, ticks);
    toll_wasm_put_op(out, TOLL_WASM_OP_CALL, toll_wasm_hook_index(w, hook));
    put_slot(w, out, TOLL_WASM_OP_GLOBAL_SET, TOLL_WASM_PENDING);
    toll_buffer_append_byte(out, TOLL_WASM_OP_END);
}

void toll_wasm_put_settle(const toll_wasm_rewrite *w, toll_buffer *out)
{
    put_pending(w, out);
    toll_wasm_put_op(out, TOLL_WASM_OP_CALL, toll_wasm_hook_index(w, TOLL_WASM_SETTLE));
    put_slot(w, out, TOLL_WASM_OP_GLOBAL_SET, TOLL_WASM_PENDING);
}

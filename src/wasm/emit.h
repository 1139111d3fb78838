/* emit.h - appends numbers, names, bytes and instructions to a buffer. out->failed says whether it
 * ran out of memory. For wasm/ only. */
#ifndef TOLL_WASM_EMIT_H
#define TOLL_WASM_EMIT_H

#include "base/buffer.h"
#include "wasm/leb.h"
#include "wasm/wasm_module.h"

void toll_wasm_put_u32(toll_buffer *out, uint32_t value);
void toll_wasm_put_s64(toll_buffer *out, int64_t value);
void toll_wasm_put_name(toll_buffer *out, const char *name);
void toll_wasm_put_bytes(toll_buffer *out, toll_wasm_bytes bytes);

/* An opcode with an index. */
void toll_wasm_put_op(toll_buffer *out, uint8_t op, uint32_t index);

/* i64.const */
void toll_wasm_put_i64(toll_buffer *out, int64_t value);

#endif

/* leb.h - writes LEB128 numbers and instructions to memory that has room for them. Each function
 * returns the end of what it has written.
 * https://webassembly.github.io/spec/core/binary/values.html For wasm/ only. */
#ifndef TOLL_WASM_LEB_H
#define TOLL_WASM_LEB_H

#include <stdint.h>

enum { TOLL_WASM_MOST_U32 = 5, TOLL_WASM_MOST_S64 = 10 }; /* bytes */

static inline uint8_t *toll_wasm_add_u32(uint8_t *to, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

static inline uint8_t *toll_wasm_add_s64(uint8_t *to, int64_t value)
{
    for (; value < -64 || value > 63; value >>= 7)
        *to++ = (uint8_t)((value & 0x7f) | 0x80);
    *to++ = value & 0x7f;
    return to;
}

/* An opcode with an index. */
static inline uint8_t *toll_wasm_add_op(uint8_t *to, uint8_t op, uint32_t index)
{
    *to++ = op;
    return toll_wasm_add_u32(to, index);
}

#endif

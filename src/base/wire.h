/* wire.h - reads and writes the wire format of protocol buffers: varints, tags, lengths. See
 * https://protobuf.dev/programming-guides/encoding/. Reading is from one message in memory. */
#ifndef TOLL_BASE_WIRE_H
#define TOLL_BASE_WIRE_H

#include "base/buffer.h"

typedef enum toll_wire_type {
    TOLL_WIRE_VARINT = 0,
    TOLL_WIRE_FIXED64 = 1,
    TOLL_WIRE_BYTES = 2,
    TOLL_WIRE_FIXED32 = 5
} toll_wire_type;

/* The unread part of a message. */
typedef struct toll_wire {
    const uint8_t *p, *end;
} toll_wire;

typedef struct toll_wire_field {
    uint32_t number;
    toll_wire_type type;
    uint64_t value;  /* of a varint */
    toll_wire bytes; /* of a length-delimited field */
} toll_wire_field;

/* Read a varint. False: it is truncated or longer than 64 bits. Most have one byte. */
bool toll_wire_take_long_varint(toll_wire *wire, uint64_t *value);

static inline bool toll_wire_take_varint(toll_wire *wire, uint64_t *value)
{
    if (wire->p == wire->end || *wire->p >= 0x80)
        return toll_wire_take_long_varint(wire, value);
    *value = *wire->p++;
    return true;
}

/* Read the next field. Returns 1; 0 at the end; -1 if the message is malformed. Fields of fixed
 * size are skipped: their value is 0. */
int toll_wire_next(toll_wire *wire, toll_wire_field *field);

/* Write a varint of at most 10 bytes at `to`. Returns its end. */
static inline uint8_t *toll_put_varint(uint8_t *to, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        *to++ = (uint8_t)(v | 0x80);
    *to++ = (uint8_t)v;
    return to;
}

/* Write a varint, tag or field. A field with value 0 is omitted: the format encodes 0 this way. */
void toll_wire_put_varint(toll_buffer *out, uint64_t value);
void toll_wire_put_int(toll_buffer *out, uint32_t number, uint64_t value);
void toll_wire_put_bytes(toll_buffer *out, uint32_t number, const void *data, size_t size);

#endif

/* wire.c - see wire.h. */
#include "base/wire.h"

bool toll_wire_take_long_varint(toll_wire *w, uint64_t *value)
{
    uint64_t v = 0;
    for (unsigned shift = 0; w->p < w->end; shift += 7) {
        uint8_t b = *w->p++;
        if (shift == 63 && b > 1)
            return false;
        v |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80) {
            *value = v;
            return true;
        }
        if (shift == 63)
            return false;
    }
    return false;
}

static bool read_bytes(toll_wire *w, uint64_t size, toll_wire *bytes)
{
    if (size > (uint64_t)(w->end - w->p))
        return false;
    *bytes = (toll_wire){ w->p, w->p + size };
    w->p += size;
    return true;
}

int toll_wire_next(toll_wire *w, toll_wire_field *f)
{
    uint64_t tag, size;
    if (w->p == w->end)
        return 0;
    if (!toll_wire_take_varint(w, &tag) || tag >> 3 == 0 || tag >> 3 > UINT32_MAX)
        return -1;
    f->number = (uint32_t)(tag >> 3);
    f->type = (toll_wire_type)(tag & 7);
    f->value = 0;
    f->bytes = (toll_wire){ w->p, w->p };
    switch (f->type) {
    case TOLL_WIRE_VARINT: return toll_wire_take_varint(w, &f->value) ? 1 : -1;
    case TOLL_WIRE_BYTES:
        return toll_wire_take_varint(w, &size) && read_bytes(w, size, &f->bytes) ? 1 : -1;
    case TOLL_WIRE_FIXED64: return read_bytes(w, 8, &f->bytes) ? 1 : -1;
    case TOLL_WIRE_FIXED32: return read_bytes(w, 4, &f->bytes) ? 1 : -1;
    }
    return -1; /* groups: obsolete, and not used in profiles */
}

void toll_wire_put_varint(toll_buffer *out, uint64_t value)
{
    uint8_t bytes[10];
    toll_buffer_append(out, bytes, (size_t)(toll_put_varint(bytes, value) - bytes));
}

void toll_wire_put_int(toll_buffer *out, uint32_t number, uint64_t value)
{
    if (value == 0)
        return;
    toll_wire_put_varint(out, (uint64_t)number << 3 | TOLL_WIRE_VARINT);
    toll_wire_put_varint(out, value);
}

void toll_wire_put_bytes(toll_buffer *out, uint32_t number, const void *data, size_t size)
{
    toll_wire_put_varint(out, (uint64_t)number << 3 | TOLL_WIRE_BYTES);
    toll_wire_put_varint(out, size);
    toll_buffer_append(out, data, size);
}

/* dwarf_cursor.h - a bounded reader over a section of DWARF in memory.
 *
 * After the first failure everything that is read is 0, so that a caller may read many fields and
 * check once. Nothing is allocated; the bytes are borrowed. It reads DWARF of little-endian
 * programs only.
 * */
#ifndef TOLL_DWARF_DWARF_CURSOR_H
#define TOLL_DWARF_DWARF_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct toll_dwarf_bytes {
    const uint8_t *data; /* NULL if there is no such section */
    size_t size;
} toll_dwarf_bytes;

typedef struct toll_dwarf_cursor {
    const uint8_t *at, *end; /* next byte, and where reading stops: at <= end */
    bool failed;
} toll_dwarf_cursor;

/* Begin at an offset. If it is beyond the end of the bytes, the cursor has failed. */
static inline toll_dwarf_cursor toll_dwarf_cursor_at(toll_dwarf_bytes bytes, uint64_t offset)
{
    bool failed = !bytes.data || offset > bytes.size;
    const uint8_t *end = bytes.data ? bytes.data + bytes.size : NULL;
    return (toll_dwarf_cursor){ failed ? end : bytes.data + offset, end, failed };
}

static inline size_t toll_dwarf_left(const toll_dwarf_cursor *c)
{
    return c->at == c->end ? 0 : (size_t)(c->end - c->at);
}

static inline void toll_dwarf_cursor_fail(toll_dwarf_cursor *c)
{
    c->at = c->end;
    c->failed = true;
}

/* `size` bytes, not copied; NULL if fewer remain. */
static inline const uint8_t *toll_dwarf_take(toll_dwarf_cursor *c, uint64_t size)
{
    if (size > toll_dwarf_left(c)) {
        toll_dwarf_cursor_fail(c);
        return NULL;
    }
    const uint8_t *at = c->at;
    if (size)
        c->at += size;
    return at;
}

/* Read a little-endian number of at most 8 bytes. */
static inline uint64_t toll_dwarf_number(toll_dwarf_cursor *c, unsigned size)
{
    const uint8_t *at = toll_dwarf_take(c, size);
    uint64_t value = 0;
    for (unsigned i = 0; at && i < size; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

/* Read an unsigned LEB128 number; bits above the 64th are ignored. */
static inline uint64_t toll_dwarf_uleb(toll_dwarf_cursor *c)
{
    uint64_t value = 0;
    for (unsigned shift = 0; c->at != c->end; shift += 7) {
        uint8_t byte = *c->at++;
        value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        if (byte < 0x80)
            return value;
    }
    c->failed = true;
    return 0;
}

static inline int64_t toll_dwarf_sleb(toll_dwarf_cursor *c)
{
    uint64_t value = 0;
    for (unsigned shift = 0; c->at != c->end;) {
        uint8_t byte = *c->at++;
        value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        shift += 7;
        if (byte < 0x80) {
            if (byte & 0x40 && shift < 64)
                value |= UINT64_MAX << shift;
            return (int64_t)value;
        }
    }
    c->failed = true;
    return 0;
}

/* Read a text that ends in a NUL; NULL if there is none. */
static inline const char *toll_dwarf_text_here(toll_dwarf_cursor *c)
{
    size_t left = toll_dwarf_left(c);
    const uint8_t *nul = left ? memchr(c->at, 0, left) : NULL;
    const char *text = nul ? (const char *)c->at : NULL;
    if (nul)
        c->at = nul + 1;
    else
        toll_dwarf_cursor_fail(c);
    return text;
}

/* Read the first number of a unit or table: its size, and whether offsets in it have 4 or 8
 * bytes. */
static inline uint64_t toll_dwarf_initial_length(toll_dwarf_cursor *c, uint8_t *offset_size)
{
    uint64_t length = toll_dwarf_number(c, 4);
    *offset_size = length == UINT32_MAX ? 8 : 4;
    return length == UINT32_MAX ? toll_dwarf_number(c, 8) : length;
}

#endif

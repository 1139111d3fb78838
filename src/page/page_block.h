/* page_block.h - a block of the page: bytes that are compressed by gzip and written as base64, or
 * only counted. Only a few KiB of a block are in memory. */
#ifndef TOLL_PAGE_PAGE_BLOCK_H
#define TOLL_PAGE_PAGE_BLOCK_H

#include "base/gzip.h"

#include <toll/stream.h>

enum { TOLL_BLOCK_BUFFER = 16 * 1024 };

typedef struct toll_page_block {
    toll_output *out; /* NULL: the bytes are only counted */
    toll_deflater *deflater;
    uint64_t size; /* bytes so far, before compression */
    uint8_t buffer[TOLL_BLOCK_BUFFER];
    size_t used;
    uint8_t held[3]; /* bytes that do not fill a group of base64 yet */
    size_t held_count;
    bool failed;
} toll_page_block;

/* Begin a block; `out` may be NULL. On success, call toll_page_block_end. Errors: TOLL_E_NOMEM,
 * TOLL_E_UNSUPPORTED (a build without zlib). */
toll_status toll_page_block_begin(toll_page_block *block, const toll_mem *mem, toll_output *out,
                                  toll_error *err);

void toll_page_block_put(toll_page_block *block, const void *data, size_t size);

/* Write the rest. False: it could not be compressed. */
bool toll_page_block_end(toll_page_block *block);

void toll_page_block_flush(toll_page_block *block);

/* Write an unsigned LEB128 integer: seven bits a byte, the lowest first; the highest bit means that
 * more bytes follow. */
static inline void toll_page_put_number(toll_page_block *block, uint64_t value)
{
    if (block->used > TOLL_BLOCK_BUFFER - 10)
        toll_page_block_flush(block);
    uint8_t *to = block->buffer + block->used;
    while (value >= 0x80) {
        *to++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *to++ = (uint8_t)value;
    block->used = (size_t)(to - block->buffer);
}

/* Write a signed integer the same way: 0, -1, 1, -2, ... become 0, 1, 2, 3, ... */
static inline void toll_page_put_signed(toll_page_block *block, int64_t value)
{
    toll_page_put_number(block, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

#endif

/* page_block.h - a block of the page: bytes that are compressed by gzip and written as base64, or
 * only counted. Nothing of a block is held but a few KiB. */
#ifndef TOLL_PAGE_PAGE_BLOCK_H
#define TOLL_PAGE_PAGE_BLOCK_H

#include "base/gzip.h"

#include <toll/stream.h>

enum { TOLL_BLOCK_BUFFER = 16 * 1024 };

typedef struct toll_page_block {
    toll_output *out; /* NULL: the bytes are only counted */
    toll_deflater *deflater;
    uint64_t size; /* of what was put, before compression */
    uint8_t buffer[TOLL_BLOCK_BUFFER];
    size_t used;
    uint8_t held[3]; /* bytes that are no whole group of base64 yet */
    size_t held_count;
    bool failed;
} toll_page_block;

/* Begin a block; `out` may be NULL. toll_page_block_end is due on success. Errors: TOLL_E_NOMEM,
 * TOLL_E_UNSUPPORTED (a build without zlib). */
toll_status toll_page_block_begin(toll_page_block *block, const toll_mem *mem, toll_output *out,
                                  toll_error *err);

void toll_page_block_put(toll_page_block *block, const void *data, size_t size);

/* Write what is left. False: it could not be compressed. */
bool toll_page_block_end(toll_page_block *block);

void toll_page_block_flush(toll_page_block *block);

/* An integer of LEB128: seven bits a byte, the lowest first; the highest bit says that more follow.
 */
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

/* The same of a signed one: 0, -1, 1, -2, ... are 0, 1, 2, 3, ... */
static inline void toll_page_put_signed(toll_page_block *block, int64_t value)
{
    toll_page_put_number(block, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

#endif

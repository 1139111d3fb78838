/* event_batch.h - collects many small events and writes them 64 KB at a time. Room for an event is
 * reserved once. For writers of timelines, which spend their time on numbers and on texts that
 * hardly change between events. */
#ifndef TOLL_FORMAT_EVENT_BATCH_H
#define TOLL_FORMAT_EVENT_BATCH_H

#include "base/buffer.h"

#include <string.h>
#include <toll/stream.h>

enum { TOLL_BATCH_SIZE = 64 * 1024 };

typedef struct toll_batch {
    toll_output *out;
    toll_buffer bytes;
} toll_batch;

static inline void toll_batch_flush(toll_batch *b)
{
    toll_output_write(b->out, b->bytes.data, b->bytes.size);
    toll_buffer_clear(&b->bytes);
}

static inline void toll_batch_init(toll_batch *b, const toll_mem *mem, toll_output *out)
{
    b->out = out;
    toll_buffer_init(&b->bytes, mem);
}

/* Reserve room for an event of at most `most` bytes; NULL: no memory. Call toll_batch_end next. */
static inline char *toll_batch_begin(toll_batch *b, size_t most)
{
    if (b->bytes.size >= TOLL_BATCH_SIZE)
        toll_batch_flush(b);
    if (b->bytes.capacity - b->bytes.size >= most)
        return (char *)b->bytes.data + b->bytes.size;
    return (char *)toll_buffer_room(&b->bytes, most);
}

/* Finish the event; `end` is the byte after its last one. */
static inline void toll_batch_end(toll_batch *b, const char *end)
{
    b->bytes.size = (size_t)(end - (const char *)b->bytes.data);
}

/* Append a piece of an event; returns its end. */
static inline char *toll_put_piece(char *to, const void *piece, size_t size)
{
    memcpy(to, piece, size);
    return to + size;
}

#endif

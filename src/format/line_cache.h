/* line_cache.h - whole stacks as text -> node, for readers of line formats: a stack seen before costs
 * one hash and one compare of its text. Bounded: when it is full it learns no more, and the
 * reader goes on at the slower pace of splitting. */
#ifndef TOLL_FORMAT_LINE_CACHE_H
#define TOLL_FORMAT_LINE_CACHE_H

#include "base/buffer.h"

#include <toll/profile.h>

typedef struct toll_cached_line {
    uint64_t hash;
    size_t offset; /* of its text */
    uint32_t size;
    toll_node_id node; /* TOLL_NONE: a free slot */
} toll_cached_line;

typedef struct toll_line_cache {
    toll_mem mem;
    toll_cached_line *slots; /* slot_count is a power of two, at most half full */
    size_t slot_count, used;
    toll_buffer text;
} toll_line_cache;

void toll_line_cache_init(toll_line_cache *cache, const toll_mem *mem);
void toll_line_cache_free(toll_line_cache *cache);

/* The node of text[size], or TOLL_NONE; *hash is for toll_line_cache_add. */
toll_node_id toll_line_cache_find(const toll_line_cache *cache, const char *text, size_t size,
                                  uint64_t *hash);

/* Remember what was not found. Without room or memory for it, nothing happens. */
void toll_line_cache_add(toll_line_cache *cache, const char *text, size_t size, uint64_t hash,
                         toll_node_id node);

#endif

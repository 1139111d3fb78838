/* line_cache.h - maps the text of a whole stack to its node and sums, for readers of line formats.
 *
 * A stack that was seen before costs one hash and one comparison of its text. Its values are added
 * to sums stored beside the text; the tree is changed once for each stack, at the end. The size is
 * bounded: a full cache accepts no more stacks, and the reader parses their lines each time.
 *
 * With 100,000 stacks in random order most time is spent on misses of the processor's cache. The
 * two warm functions prefetch what find will read, for many lines at once. That, and the bound, are
 * why this is not a toll_strtab. */
#ifndef TOLL_FORMAT_LINE_CACHE_H
#define TOLL_FORMAT_LINE_CACHE_H

#include "base/buffer.h"

#include <toll/profile.h>

enum { TOLL_LINE_VALUES = 2 };

/* An entry of the cache; the stack's text follows it in memory. */
typedef struct toll_cached_line {
    int64_t sums[TOLL_LINE_VALUES];
    toll_node_id node;
    uint32_t size; /* size of the text */
} toll_cached_line;

typedef struct toll_line_slot {
    uint32_t hash;
    uint32_t at_plus_1; /* 1 + offset in `lines`, in units of 8 bytes; 0: a free slot */
} toll_line_slot;

typedef struct toll_line_cache {
    toll_mem mem;
    toll_line_slot *slots; /* slot_count is a power of two, at most half full */
    size_t slot_count, used;
    toll_buffer lines; /* each a toll_cached_line and its text, padded to 8 bytes */
} toll_line_cache;

void toll_line_cache_init(toll_line_cache *cache, const toll_mem *mem);
void toll_line_cache_free(toll_line_cache *cache);

uint64_t toll_line_cache_hash(const toll_line_cache *cache, const char *text, size_t size);

/* Prefetch the slot. When the slot has arrived, prefetch the line. */
void toll_line_cache_warm_slot(const toll_line_cache *cache, uint64_t hash);
void toll_line_cache_warm_line(const toll_line_cache *cache, uint64_t hash);

/* Find the stack text[size]; NULL: it is not in the cache. Valid until the next add. */
toll_cached_line *toll_line_cache_find(const toll_line_cache *cache, const char *text, size_t size,
                                       uint64_t hash);

/* Add a stack that was not found, with sums of 0. NULL: the cache is full, or no memory. */
toll_cached_line *toll_line_cache_add(toll_line_cache *cache, const char *text, size_t size,
                                      uint64_t hash, toll_node_id node);

/* Iterates over all stacks in the order of adding: call it with NULL first; NULL after the last. */
const toll_cached_line *toll_line_cache_next(const toll_line_cache *cache,
                                             const toll_cached_line *line);

#endif

/* line_cache.c - see line_cache.h. */
#include "format/line_cache.h"

#include "base/text.h"

#include <string.h>

enum {
    FIRST_SLOTS = 1024,
    MOST_SLOTS = 1 << 19,
    LONGEST_LINE = 4096,
    MOST_TEXT = 64 * 1024 * 1024,
};

void toll_line_cache_init(toll_line_cache *cache, const toll_mem *mem)
{
    *cache = (toll_line_cache){ .mem = *mem };
    toll_buffer_init(&cache->text, mem);
}

void toll_line_cache_free(toll_line_cache *cache)
{
    toll_mem_free(&cache->mem, cache->slots, cache->slot_count, sizeof *cache->slots);
    toll_buffer_free(&cache->text);
    cache->slots = NULL;
    cache->slot_count = cache->used = 0;
}

toll_node_id toll_line_cache_find(const toll_line_cache *cache, const char *text, size_t size,
                                  uint64_t *hash)
{
    size_t mask = cache->slot_count - 1;
    *hash = toll_hash_bytes(text, size, (uint64_t)(uintptr_t)cache);
    if (!cache->slots)
        return TOLL_NONE;
    for (size_t i = (size_t)*hash & mask;; i = (i + 1) & mask) {
        const toll_cached_line *line = &cache->slots[i];
        if (line->node == TOLL_NONE)
            return TOLL_NONE;
        if (line->hash == *hash && line->size == size &&
            (size == 0 || memcmp(cache->text.data + line->offset, text, size) == 0))
            return line->node;
    }
}

static void insert(toll_line_cache *cache, toll_cached_line line)
{
    size_t mask = cache->slot_count - 1, i = (size_t)line.hash & mask;
    while (cache->slots[i].node != TOLL_NONE)
        i = (i + 1) & mask;
    cache->slots[i] = line;
}

static bool grow(toll_line_cache *cache)
{
    toll_line_cache old = *cache;
    size_t count = old.slot_count ? old.slot_count * 2 : FIRST_SLOTS;
    if (count > MOST_SLOTS)
        return false;
    toll_cached_line *slots = toll_mem_resize(&cache->mem, NULL, 0, count, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < count; i++)
        slots[i].node = TOLL_NONE;
    cache->slots = slots;
    cache->slot_count = count;
    for (size_t i = 0; i < old.slot_count; i++)
        if (old.slots[i].node != TOLL_NONE)
            insert(cache, old.slots[i]);
    toll_mem_free(&cache->mem, old.slots, old.slot_count, sizeof *slots);
    return true;
}

void toll_line_cache_add(toll_line_cache *cache, const char *text, size_t size, uint64_t hash,
                         toll_node_id node)
{
    if (size > LONGEST_LINE || cache->text.size + size > MOST_TEXT)
        return;
    if ((cache->used + 1) * 2 > cache->slot_count && !grow(cache))
        return;
    size_t offset = cache->text.size;
    if (!toll_buffer_append(&cache->text, text, size))
        return;
    insert(cache, (toll_cached_line){ hash, offset, (uint32_t)size, node });
    cache->used++;
}

/* line_cache.c - see line_cache.h. */
#include "format/line_cache.h"

#include "base/text.h"

#include <string.h>

enum {
    FIRST_SLOTS = 1024,
    MOST_SLOTS = 1 << 19,
    LONGEST_LINE = 4096,
    MOST_BYTES = 64 * 1024 * 1024,
    UNIT = 8,
    CACHE_LINE = 64,
};

_Static_assert(sizeof(toll_cached_line) % UNIT == 0, "lines begin at multiples of 8");

#ifdef __GNUC__
#define WARM(p) __builtin_prefetch(p)
#else
#define WARM(p) ((void)(p))
#endif

void toll_line_cache_init(toll_line_cache *cache, const toll_mem *mem)
{
    *cache = (toll_line_cache){ .mem = *mem };
    toll_buffer_init(&cache->lines, mem);
}

void toll_line_cache_free(toll_line_cache *cache)
{
    toll_mem_free(&cache->mem, cache->slots, cache->slot_count, sizeof *cache->slots);
    toll_buffer_free(&cache->lines);
    cache->slots = NULL;
    cache->slot_count = cache->used = 0;
}

uint64_t toll_line_cache_hash(const toll_line_cache *cache, const char *text, size_t size)
{
    return toll_hash_bytes(text, size, (uint64_t)(uintptr_t)cache);
}

/* The slot is chosen by the low bits of the hash, and compared by this tag of its high bits. */
static uint32_t tag_of(uint64_t hash)
{
    return (uint32_t)(hash >> 32);
}

static toll_cached_line *line_at(const toll_line_cache *cache, const toll_line_slot *slot)
{
    return (toll_cached_line *)(void *)(cache->lines.data + (size_t)(slot->at_plus_1 - 1) * UNIT);
}

void toll_line_cache_warm_slot(const toll_line_cache *cache, uint64_t hash)
{
    if (cache->slots)
        WARM(&cache->slots[(size_t)hash & (cache->slot_count - 1)]);
}

void toll_line_cache_warm_line(const toll_line_cache *cache, uint64_t hash)
{
    if (!cache->slots)
        return;
    const toll_line_slot *slot = &cache->slots[(size_t)hash & (cache->slot_count - 1)];
    if (slot->at_plus_1 == 0)
        return;
    size_t at = (size_t)(slot->at_plus_1 - 1) * UNIT;
    WARM(cache->lines.data + at);
    if (at + CACHE_LINE < cache->lines.size)
        WARM(cache->lines.data + at + CACHE_LINE);
}

toll_cached_line *toll_line_cache_find(const toll_line_cache *cache, const char *text, size_t size,
                                       uint64_t hash)
{
    size_t mask = cache->slot_count - 1;
    if (!cache->slots)
        return NULL;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        const toll_line_slot *slot = &cache->slots[i];
        if (slot->at_plus_1 == 0)
            return NULL;
        if (slot->hash != tag_of(hash))
            continue;
        toll_cached_line *line = line_at(cache, slot);
        if (line->size == size && (size == 0 || memcmp(line + 1, text, size) == 0))
            return line;
    }
}

static void insert(toll_line_cache *cache, uint64_t hash, uint32_t at_plus_1)
{
    size_t mask = cache->slot_count - 1, i = (size_t)hash & mask;
    while (cache->slots[i].at_plus_1)
        i = (i + 1) & mask;
    cache->slots[i] = (toll_line_slot){ tag_of(hash), at_plus_1 };
}

/* Double the slots; the hashes are computed again from the texts. */
static bool grow(toll_line_cache *cache)
{
    size_t count = cache->slot_count ? cache->slot_count * 2 : FIRST_SLOTS;
    if (count > MOST_SLOTS)
        return false;
    toll_line_slot *slots = toll_mem_new(&cache->mem, count, sizeof *slots);
    if (!slots)
        return false;
    toll_mem_free(&cache->mem, cache->slots, cache->slot_count, sizeof *slots);
    cache->slots = slots;
    cache->slot_count = count;
    for (const toll_cached_line *l = NULL; (l = toll_line_cache_next(cache, l)) != NULL;) {
        size_t at = (size_t)((const uint8_t *)l - cache->lines.data);
        insert(cache, toll_line_cache_hash(cache, (const char *)(l + 1), l->size),
               (uint32_t)(at / UNIT) + 1);
    }
    return true;
}

static size_t room_for(size_t size)
{
    return sizeof(toll_cached_line) + (size + UNIT - 1) / UNIT * UNIT;
}

toll_cached_line *toll_line_cache_add(toll_line_cache *cache, const char *text, size_t size,
                                      uint64_t hash, toll_node_id node)
{
    if (size > LONGEST_LINE || cache->lines.size + room_for(size) > MOST_BYTES)
        return NULL;
    if ((cache->used + 1) * 2 > cache->slot_count && !grow(cache))
        return NULL;
    uint8_t *to = toll_buffer_room(&cache->lines, room_for(size));
    if (!to)
        return NULL;
    toll_cached_line *line = (toll_cached_line *)(void *)to;
    *line = (toll_cached_line){ { 0, 0 }, node, (uint32_t)size };
    if (size)
        memcpy(line + 1, text, size);
    insert(cache, hash, (uint32_t)(cache->lines.size / UNIT) + 1);
    cache->lines.size += room_for(size);
    cache->used++;
    return line;
}

const toll_cached_line *toll_line_cache_next(const toll_line_cache *cache,
                                             const toll_cached_line *line)
{
    const uint8_t *at = line ? (const uint8_t *)line + room_for(line->size) : cache->lines.data;
    if (!at || at == cache->lines.data + cache->lines.size)
        return NULL;
    return (const toll_cached_line *)(const void *)at;
}

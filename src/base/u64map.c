/* u64map.c - see u64map.h. */
#include "base/u64map.h"

#include "base/text.h"

enum { FIRST_SLOTS = 64 };

void toll_u64map_init(toll_u64map *map, const toll_mem *mem)
{
    *map = (toll_u64map){ .mem = *mem };
}

void toll_u64map_free(toll_u64map *map)
{
    toll_mem_free(&map->mem, map->slots, map->slot_count, sizeof *map->slots);
    toll_u64map_init(map, &map->mem);
}

static toll_u64map_slot *slot_for(const toll_u64map *map, uint64_t key)
{
    size_t mask = map->slot_count - 1, i = (size_t)toll_hash_u64(key) & mask;
    while (map->slots[i].value_plus_1 && map->slots[i].key != key)
        i = (i + 1) & mask;
    return &map->slots[i];
}

uint32_t toll_u64map_find(const toll_u64map *map, uint64_t key)
{
    return map->slots ? slot_for(map, key)->value_plus_1 - 1 : UINT32_MAX;
}

static bool grow(toll_u64map *map)
{
    toll_u64map old = *map;
    size_t count = old.slot_count ? old.slot_count * 2 : FIRST_SLOTS;
    toll_u64map_slot *slots = toll_mem_new(&map->mem, count, sizeof *slots);
    if (!slots)
        return false;
    map->slots = slots;
    map->slot_count = count;
    for (size_t i = 0; i < old.slot_count; i++)
        if (old.slots[i].value_plus_1)
            *slot_for(map, old.slots[i].key) = old.slots[i];
    toll_mem_free(&map->mem, old.slots, old.slot_count, sizeof *slots);
    return true;
}

bool toll_u64map_add(toll_u64map *map, uint64_t key, uint32_t value)
{
    if ((map->used + 1) * 4 > map->slot_count * 3 && !grow(map))
        return false;
    *slot_for(map, key) = (toll_u64map_slot){ key, value + 1 };
    map->used++;
    return true;
}

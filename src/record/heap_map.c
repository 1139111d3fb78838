/* heap_map.c - see heap_map.h. */
#include "record/heap_map.h"

#include "base/text.h"

enum { FIRST_SLOTS = 256 };

void toll_heap_map_init(toll_heap_map *map, const toll_mem *mem)
{
    *map = (toll_heap_map){ .mem = *mem };
}

void toll_heap_map_free(toll_heap_map *map)
{
    toll_mem_free(&map->mem, map->slots, map->slot_count, sizeof *map->slots);
    toll_heap_map_init(map, &map->mem);
}

void toll_heap_map_clear(toll_heap_map *map)
{
    for (size_t i = 0; i < map->slot_count; i++)
        map->slots[i].site = NULL;
    map->used = 0;
}

static size_t home_of(const toll_heap_map *map, uint64_t address)
{
    return (size_t)toll_hash_u64(address) & (map->slot_count - 1);
}

static void insert(toll_heap_map *map, toll_block block)
{
    size_t i = home_of(map, block.address);
    while (map->slots[i].site)
        i = (i + 1) & (map->slot_count - 1);
    map->slots[i] = block;
    map->used++;
}

static bool grow(toll_heap_map *map)
{
    toll_heap_map old = *map;
    size_t count = old.slot_count ? old.slot_count * 2 : FIRST_SLOTS;
    toll_block *slots = toll_mem_new(&map->mem, count, sizeof *slots);
    if (!slots)
        return false;
    map->slots = slots;
    map->slot_count = count;
    map->used = 0;
    for (size_t i = 0; i < old.slot_count; i++)
        if (old.slots[i].site)
            insert(map, old.slots[i]);
    toll_mem_free(&map->mem, old.slots, old.slot_count, sizeof *slots);
    return true;
}

bool toll_heap_map_put(toll_heap_map *map, toll_block block)
{
    if ((map->used + 1) * 4 > map->slot_count * 3 && !grow(map))
        return false;
    insert(map, block);
    return true;
}

/* Fill the slot `hole`, whose block was removed. Each later block that a probe from its home slot
 * would no longer reach moves into the hole; its old slot is the next hole. */
static void close_gap(toll_heap_map *map, size_t hole)
{
    size_t mask = map->slot_count - 1;
    for (size_t i = (hole + 1) & mask; map->slots[i].site; i = (i + 1) & mask) {
        size_t home = home_of(map, map->slots[i].address);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            map->slots[hole] = map->slots[i];
            hole = i;
        }
    }
    map->slots[hole].site = NULL;
}

bool toll_heap_map_take(toll_heap_map *map, uint64_t address, toll_block *block)
{
    if (map->slot_count == 0)
        return false;
    size_t i = home_of(map, address);
    while (map->slots[i].site && map->slots[i].address != address)
        i = (i + 1) & (map->slot_count - 1);
    if (!map->slots[i].site)
        return false;
    *block = map->slots[i];
    map->used--;
    close_gap(map, i);
    return true;
}

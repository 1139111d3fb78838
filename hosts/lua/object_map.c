/* object_map.c - see object_map.h. Open addressing with linear probing. A removal moves later
 * objects of the same run into the gap, so no slot is marked as deleted. */
#include "object_map.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1024 };

void objects_free(objects *map)
{
    free(map->slots);
    *map = (objects){ 0 };
}

static void insert(objects *map, object new_object)
{
    size_t i = object_home(map, new_object.address);
    while (map->slots[i].address)
        i = (i + 1) & map->mask;
    map->slots[i] = new_object;
    map->used++;
}

static bool grow(objects *map)
{
    objects old = *map;
    size_t count = old.slot_count ? old.slot_count * 2 : FIRST_SLOTS;
    object *slots = calloc(count, sizeof *slots);
    if (!slots)
        return false;
    *map = (objects){ slots, count - 1, count, 0 };
    for (size_t i = 0; i < old.slot_count; i++)
        if (old.slots[i].address)
            insert(map, old.slots[i]);
    free(old.slots);
    return true;
}

bool objects_put(objects *map, object new_object)
{
    if ((map->used + 1) * 2 > map->slot_count && !grow(map))
        return false;
    insert(map, new_object);
    return true;
}

bool objects_remove(objects *map, const void *address, object *out)
{
    size_t mask = map->mask, hole = object_home(map, address);
    while (map->slots[hole].address != address) {
        if (!map->slots[hole].address)
            return false;
        hole = (hole + 1) & mask;
    }
    *out = map->slots[hole];
    map->used--;
    for (size_t i = (hole + 1) & mask; map->slots[i].address; i = (i + 1) & mask) {
        size_t home = object_home(map, map->slots[i].address);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            map->slots[hole] = map->slots[i];
            hole = i;
        }
    }
    map->slots[hole].address = NULL;
    return true;
}

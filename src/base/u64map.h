/* u64map.h - 64-bit keys -> small numbers. Open addressing; no deletion. Unlike id_index.h, it
 * stores the keys itself. */
#ifndef TOLL_BASE_U64MAP_H
#define TOLL_BASE_U64MAP_H

#include "base/mem.h"

#include <stdint.h>

typedef struct toll_u64map_slot {
    uint64_t key;
    uint32_t value_plus_1; /* 0: free */
} toll_u64map_slot;

typedef struct toll_u64map {
    toll_mem mem;
    toll_u64map_slot *slots; /* slot_count is a power of two, at most 3/4 in use */
    size_t slot_count, used;
} toll_u64map;

void toll_u64map_init(toll_u64map *map, const toll_mem *mem);
void toll_u64map_free(toll_u64map *map);

/* The value of `key`, or UINT32_MAX. */
uint32_t toll_u64map_find(const toll_u64map *map, uint64_t key);

/* Add a key that is not in the map. False: no memory. The value must be below UINT32_MAX. */
bool toll_u64map_add(toll_u64map *map, uint64_t key, uint32_t value);

#endif

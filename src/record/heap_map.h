/* heap_map.h - the table of allocated blocks: address -> size and the node that allocated it. A
 * hash table with open addressing. Removing a block moves others back, so that no marks of removed
 * blocks remain. O(1); memory is proportional to the blocks in use.
 *
 * It exists beside base/u64map.h for speed: every allocation and every free of the guest uses it,
 * and with the block in the slot itself each costs one cache miss. */
#ifndef TOLL_RECORD_HEAP_MAP_H
#define TOLL_RECORD_HEAP_MAP_H

#include "profile/ctx_tree.h"

typedef struct toll_block {
    uint64_t address;
    uint64_t size;
    toll_node *site; /* NULL: a free slot */
} toll_block;

typedef struct toll_heap_map {
    toll_mem mem;
    toll_block *slots; /* slot_count is a power of two, at most 3/4 in use */
    size_t slot_count, used;
} toll_heap_map;

void toll_heap_map_init(toll_heap_map *map, const toll_mem *mem);
void toll_heap_map_free(toll_heap_map *map);

/* Remove all blocks, and keep the memory. O(slots). */
void toll_heap_map_clear(toll_heap_map *map);

/* Remove the block at `address` and store it in *block. False: there is none. */
bool toll_heap_map_take(toll_heap_map *map, uint64_t address, toll_block *block);

/* Add a block; there must be none at its address. False: no memory, nothing changed. */
bool toll_heap_map_put(toll_heap_map *map, toll_block block);

#endif

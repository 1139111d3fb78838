/* id_index.h - a hash table that finds ids of records: strings, frames, threads, nodes of a tree.
 * The owner keeps the records in its own array and compares them; the index has the hash and the id
 * of each.
 *
 *     size_t place = hash;
 *     uint32_t id;
 *     while ((id = toll_id_index_next(&index, hash, &place)) != UINT32_MAX)
 *         if (records[id] is the one)
 *             return id;
 *
 * Open addressing; 8 bytes a slot; at most 3/4 of the slots are in use. Hashes must be mixed well:
 * the low bits choose the slot. */
#ifndef TOLL_BASE_ID_INDEX_H
#define TOLL_BASE_ID_INDEX_H

#include "base/mem.h"

#include <stdint.h>

typedef struct toll_id_slot {
    uint32_t hash;
    uint32_t id_plus_1; /* 0: free */
} toll_id_slot;

/* All zero: empty. */
typedef struct toll_id_index {
    toll_id_slot *slots;
    size_t slot_count; /* 0, or a power of two */
    size_t used;
} toll_id_index;

void toll_id_index_free(toll_id_index *index, const toll_mem *mem);

/* The next id with that hash; UINT32_MAX if there are no more. At first, *place must be the
 * hash. */
static inline uint32_t toll_id_index_next(const toll_id_index *index, uint32_t hash, size_t *place)
{
    if (index->slot_count == 0)
        return UINT32_MAX;
    for (;;) {
        const toll_id_slot *slot = &index->slots[(*place)++ & (index->slot_count - 1)];
        if (slot->id_plus_1 == 0 || slot->hash == hash)
            return slot->id_plus_1 - 1;
    }
}

/* Make room for one more id, so that adding it cannot fail. False: no memory. */
bool toll_id_index_reserve(toll_id_index *index, const toll_mem *mem);

/* Add an id that is not in the index. Room must have been reserved. Ids are below UINT32_MAX. */
static inline void toll_id_index_add(toll_id_index *index, uint32_t hash, uint32_t id)
{
    size_t mask = index->slot_count - 1, i = hash & mask;
    while (index->slots[i].id_plus_1)
        i = (i + 1) & mask;
    index->slots[i] = (toll_id_slot){ hash, id + 1 };
    index->used++;
}

/* Remove an id that was added with that hash. */
void toll_id_index_remove(toll_id_index *index, uint32_t hash, uint32_t id);

/* Remove all ids; the memory is kept. */
void toll_id_index_clear(toll_id_index *index);

#endif

/* child_index.h - finds the nodes of a tree by parent and frame. For ctx_tree.c only.
 *
 * A program stays in one part of a large tree for a while, and nodes are numbered in order of
 * creation. So the children of 2048 consecutive nodes have their slots in the same 32 KiB, which
 * stay in the processor's caches; slots spread over the whole index would each wait for memory.
 * Within these 32 KiB, the hash of parent and frame selects the slot. If the first slots of a
 * search are in use (by a parent with very many children), the search continues over the whole
 * index, so it never gets long.
 *
 * Open addressing; 8 bytes a slot; at most 3/4 of the slots are in use; nothing is removed. */
#ifndef TOLL_PROFILE_CHILD_INDEX_H
#define TOLL_PROFILE_CHILD_INDEX_H

#include "base/mem.h"
#include "base/text.h"

#include <stdint.h>

typedef struct toll_child_slot {
    uint32_t hash;
    uint32_t id_plus_1; /* 0: free */
} toll_child_slot;

/* All zero: empty. */
typedef struct toll_child_index {
    toll_child_slot *slots;
    size_t slot_count; /* 0, or a power of two */
    size_t used;
} toll_child_index;

/* A search for a child, or for a free slot for it. */
typedef struct toll_child_search {
    size_t place, step;
    uint32_t hash;
    uint32_t left; /* slots to try before the search continues over the whole index */
} toll_child_search;

enum { TOLL_CHILD_NEAR = 16, TOLL_CHILD_PARENT_BITS = 11, TOLL_CHILD_PLACE_BITS = 12 };

static inline toll_child_search toll_child_search_begin(uint32_t parent, uint32_t frame)
{
    uint32_t hash = (uint32_t)toll_hash_u64((uint64_t)parent << 32 | frame);
    size_t begin = (size_t)(parent >> TOLL_CHILD_PARENT_BITS) << TOLL_CHILD_PLACE_BITS;
    return (toll_child_search){ begin + (hash >> (32 - TOLL_CHILD_PLACE_BITS)), 1, hash,
                                TOLL_CHILD_NEAR };
}

/* The next slot of the search. The index must have slots. */
static inline toll_child_slot *toll_child_search_slot(const toll_child_index *index,
                                                      toll_child_search *s)
{
    toll_child_slot *slot = &index->slots[s->place & (index->slot_count - 1)];
    s->place += s->step;
    if (s->left && --s->left == 0) {
        s->place = s->hash;
        s->step = s->hash >> 15 | 1; /* odd, so that every slot is reached */
    }
    return slot;
}

/* The next id with that hash; UINT32_MAX: there are no more. */
static inline uint32_t toll_child_index_next(const toll_child_index *index, toll_child_search *s)
{
    if (index->slot_count == 0)
        return UINT32_MAX;
    for (;;) {
        const toll_child_slot *slot = toll_child_search_slot(index, s);
        if (slot->id_plus_1 == 0 || slot->hash == s->hash)
            return slot->id_plus_1 - 1;
    }
}

/* Is there room for one more? */
static inline bool toll_child_index_has_room(const toll_child_index *index)
{
    return (index->used + 1) * 4 <= index->slot_count * 3;
}

/* Add an id that is not in the index. There must be room. */
static inline void toll_child_index_add(toll_child_index *index, uint32_t parent, uint32_t frame,
                                        uint32_t id)
{
    toll_child_search s = toll_child_search_begin(parent, frame);
    toll_child_slot *slot = toll_child_search_slot(index, &s);
    while (slot->id_plus_1)
        slot = toll_child_search_slot(index, &s);
    *slot = (toll_child_slot){ s.hash, id + 1 };
    index->used++;
}

#endif

/* id_index.c - see id_index.h. */
#include "base/id_index.h"

#include <string.h>

enum { FIRST_SLOTS = 32 };

void toll_id_index_free(toll_id_index *index, const toll_mem *mem)
{
    toll_mem_free(mem, index->slots, index->slot_count, sizeof *index->slots);
    *index = (toll_id_index){ 0 };
}

bool toll_id_index_reserve(toll_id_index *index, const toll_mem *mem)
{
    if ((index->used + 1) * 4 <= index->slot_count * 3)
        return true;
    toll_id_index grown = { 0 };
    grown.slot_count = index->slot_count ? index->slot_count * 2 : FIRST_SLOTS;
    grown.slots = toll_mem_new(mem, grown.slot_count, sizeof *grown.slots);
    if (!grown.slots)
        return false;
    for (size_t i = 0; i < index->slot_count; i++)
        if (index->slots[i].id_plus_1)
            toll_id_index_add(&grown, index->slots[i].hash, index->slots[i].id_plus_1 - 1);
    toll_id_index_free(index, mem);
    *index = grown;
    return true;
}

/* Remove an id. A free slot ends a search, so entries after the hole that would no longer be found
 * move into it. */
void toll_id_index_remove(toll_id_index *index, uint32_t hash, uint32_t id)
{
    size_t mask = index->slot_count - 1, hole = hash & mask;
    while (index->slots[hole].id_plus_1 != id + 1)
        hole = (hole + 1) & mask;
    for (size_t i = (hole + 1) & mask; index->slots[i].id_plus_1; i = (i + 1) & mask) {
        size_t home = index->slots[i].hash & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            index->slots[hole] = index->slots[i];
            hole = i;
        }
    }
    index->slots[hole].id_plus_1 = 0;
    index->used--;
}

void toll_id_index_clear(toll_id_index *index)
{
    if (index->slots)
        memset(index->slots, 0, index->slot_count * sizeof *index->slots);
    index->used = 0;
}

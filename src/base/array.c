/* array.c - see array.h. */
#include "base/array.h"

#include <string.h>

enum { LEAST_CAPACITY = 8 };

bool toll_array_grow_bytes(const toll_mem *mem, void *array, size_t *capacity, size_t count,
                           size_t more, size_t size)
{
    size_t needed, grown;
    void *block;
    if (!toll_size_add(count, more, &needed))
        return false;
    if (needed <= *capacity)
        return true;
    if (!toll_size_add(*capacity, *capacity / 2, &grown) || grown < needed)
        grown = needed;
    if (grown < LEAST_CAPACITY)
        grown = LEAST_CAPACITY;
    memcpy(&block, array, sizeof block); /* copied as bytes, since the type of the pointer is
                                          * unknown here */
    block = toll_mem_resize(mem, block, *capacity, grown, size);
    if (!block)
        return false;
    memcpy(array, &block, sizeof block);
    *capacity = grown;
    return true;
}

bool toll_array_trim_bytes(const toll_mem *mem, void *array, size_t *capacity, size_t count,
                           size_t size)
{
    void *block;
    if (count == 0 || count == *capacity)
        return true;
    memcpy(&block, array, sizeof block);
    block = toll_mem_resize(mem, block, *capacity, count, size);
    if (!block)
        return false;
    memcpy(array, &block, sizeof block);
    *capacity = count;
    return true;
}

/* array.h - grows arrays: the only code that does so.
 *
 * The owner of an array keeps a typed pointer, the number of elements in use and the capacity:
 *
 *     if (!toll_array_grow(&m->mem, &m->types, &m->type_capacity, m->type_count, 1))
 *         return toll_fail_nomem(err);
 *     m->types[m->type_count++] = type;
 *
 * and frees it with toll_mem_free(&m->mem, m->types, m->type_capacity, sizeof *m->types). */
#ifndef TOLL_BASE_ARRAY_H
#define TOLL_BASE_ARRAY_H

#include "base/mem.h"

/* Make room for `more` elements after the first `count`. `array` is the address of the owner's
 * pointer: the size of an element follows from its type. A full array grows by half, so adding n
 * elements one by one takes O(n) copies in all. The new elements are not initialised. False: no
 * memory, or the size does not fit into size_t; *array and *capacity have not changed. */
#define toll_array_grow(mem, array, capacity, count, more)                                         \
    toll_array_grow_bytes(mem, array, capacity, count, more, sizeof **(array))

/* Free the room after the first `count` elements. False: the allocator has failed (some can, even
 * when they make a block smaller); the array is unchanged. */
#define toll_array_trim(mem, array, capacity, count)                                               \
    toll_array_trim_bytes(mem, array, capacity, count, sizeof **(array))

/* The same with the size of an element in bytes. */
bool toll_array_grow_bytes(const toll_mem *mem, void *array, size_t *capacity, size_t count,
                           size_t more, size_t size);
bool toll_array_trim_bytes(const toll_mem *mem, void *array, size_t *capacity, size_t count,
                           size_t size);

#endif

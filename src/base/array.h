/* array.h - the one way in which an array grows.
 *
 * Its owner keeps a typed pointer, how many elements are in use and how many there is room for:
 *
 *     if (!toll_array_grow(&m->mem, &m->types, &m->type_capacity, m->type_count, 1))
 *         return toll_fail_nomem(err);
 *     m->types[m->type_count++] = type;
 *
 * and frees it by toll_mem_free(&m->mem, m->types, m->type_capacity, sizeof *m->types). */
#ifndef TOLL_BASE_ARRAY_H
#define TOLL_BASE_ARRAY_H

#include "base/mem.h"

/* Make room for `more` elements after the first `count`. `array` is the address of the owner's
 * pointer: the size of an element follows from its type. An array that is full grows by half, so
 * that n elements added one by one are copied a number of times in proportion to n. The new
 * elements are not initialised. False: no memory, or the size fits no size_t; *array and *capacity
 * are then as they were. */
#define toll_array_grow(mem, array, capacity, count, more)                                         \
    toll_array_grow_bytes(mem, array, capacity, count, more, sizeof **(array))

/* Give back the room behind the first `count` elements. False: the allocator has failed, which one
 * may when it is to make a block smaller; the room is then still there. */
#define toll_array_trim(mem, array, capacity, count)                                               \
    toll_array_trim_bytes(mem, array, capacity, count, sizeof **(array))

/* The same with the size of an element in bytes. */
bool toll_array_grow_bytes(const toll_mem *mem, void *array, size_t *capacity, size_t count,
                           size_t more, size_t size);
bool toll_array_trim_bytes(const toll_mem *mem, void *array, size_t *capacity, size_t count,
                           size_t size);

#endif

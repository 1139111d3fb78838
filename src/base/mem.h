/* mem.h - allocates memory: the only interface to it. Every allocation is checked here for overflow
 * and for NULL.
 *
 * A toll_mem is an allocator that is never NULL; each object has a copy. */
#ifndef TOLL_BASE_MEM_H
#define TOLL_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <toll/memory.h>

typedef toll_allocator toll_mem;

/* The allocator to use: `allocator`, or the C library's if that is NULL. */
toll_mem toll_mem_from(const toll_allocator *allocator);

/* Allocate a zeroed block of count * size bytes. NULL: no memory. */
void *toll_mem_new(const toll_mem *mem, size_t count, size_t size);

/* Resize an array of `old_count` elements to `new_count`; new elements are not initialised.
 * NULL: no memory; the old array is then unchanged. */
void *toll_mem_resize(const toll_mem *mem, void *block, size_t old_count, size_t new_count,
                      size_t size);

/* Free an array. `count` is the number of elements that it was last allocated for. NULL is fine. */
void toll_mem_free(const toll_mem *mem, void *block, size_t count, size_t size);

/* a + b and a * b; false if the result does not fit. */
bool toll_size_add(size_t a, size_t b, size_t *out);
bool toll_size_mul(size_t a, size_t b, size_t *out);

#endif

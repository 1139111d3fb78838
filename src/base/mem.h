/* mem.h - the only interface to memory. Every allocation is checked for overflow and for NULL here.
 *
 * A toll_mem is an allocator that is never NULL; objects hold one by value. */
#ifndef TOLL_BASE_MEM_H
#define TOLL_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <toll/memory.h>

typedef toll_allocator toll_mem;

/* The allocator to keep: `allocator`, or the C library's. */
toll_mem toll_mem_from(const toll_allocator *allocator);

/* A block of count * size bytes, zeroed; NULL: no memory. */
void *toll_mem_new(const toll_mem *mem, size_t count, size_t size);

/* Resize an array of `old_count` elements to `new_count`; new elements are not initialised.
 * NULL: no memory; the old array is then unchanged. */
void *toll_mem_resize(const toll_mem *mem, void *block, size_t old_count, size_t new_count,
                      size_t size);

/* Free an array; the count is what it was last given. NULL is fine. */
void toll_mem_free(const toll_mem *mem, void *block, size_t count, size_t size);

/* a + b and a * b that say whether they fit. */
bool toll_size_add(size_t a, size_t b, size_t *out);
bool toll_size_mul(size_t a, size_t b, size_t *out);

#endif

/* search.h - binary search in arrays whose elements begin with a number, in ascending order. */
#ifndef TOLL_BASE_SEARCH_H
#define TOLL_BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/* How many of `count` elements of `size` bytes have a number at or below `key`. The number is a
 * uint64_t, the first member of the element; equal ones may follow one another. So the last element
 * that begins at `key` or before it is at the returned index less 1, if that is not 0. */
size_t toll_search_up_to(const void *elements, size_t count, size_t size, uint64_t key);

#endif

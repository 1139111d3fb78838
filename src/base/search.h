/* search.h - binary search in sorted arrays whose elements begin with a number. */
#ifndef TOLL_BASE_SEARCH_H
#define TOLL_BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/* The number of elements (of `count`, each of `size` bytes) whose number is at most `key`. The
 * number is a uint64_t, the first member of the element; it may be equal in several. So if the
 * result r is not 0, element r - 1 is the last one at or before `key`. */
size_t toll_search_up_to(const void *elements, size_t count, size_t size, uint64_t key);

#endif

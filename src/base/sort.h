/* sort.h - sorts without allocating memory. The qsort of some C libraries allocates, which a signal
 * handler must not do: all code that writes a profile there sorts with this.
 *
 * Equal elements come in any order, so the order must be total. */
#ifndef TOLL_BASE_SORT_H
#define TOLL_BASE_SORT_H

#include <stddef.h>

/* Like qsort. O(count log count), also in the worst case. `elements` may be NULL if count is 0.
 * */
void toll_sort(void *elements, size_t count, size_t size,
               int (*compare)(const void *a, const void *b));

#endif

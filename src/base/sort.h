/* sort.h - sorting that needs no memory. qsort of some C libraries allocates, which a signal
 * handler must not: all that writes a profile from one sorts by this.
 *
 * Equal elements come in any order, so the order must be total. */
#ifndef TOLL_BASE_SORT_H
#define TOLL_BASE_SORT_H

#include <stddef.h>

/* As qsort. O(count log count), also in the worst case. `elements` may be NULL if there are none.
 */
void toll_sort(void *elements, size_t count, size_t size,
               int (*compare)(const void *a, const void *b));

#endif

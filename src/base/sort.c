/* sort.c - see sort.h. This is bottom-up heapsort.
 *
 * To sink an element, first find the path of larger children down to a leaf, without comparing the
 * element: most elements belong near a leaf. Then search its place upwards on that path. This takes
 * about as many comparisons as mergesort.
 *
 *          9            1 sinks from the root of        8
 *        /   \          8 7 5 4 (1 was the last):     /   \
 *       8     7         down by 8 and 5 to a leaf;   5     7
 *      / \   /          1 belongs there, so the     / \
 *     5   4 1           others move up              1   4
 * */
#include "base/sort.h"

#include <string.h>

typedef struct heap {
    char *elements; /* element i is not less than its children, 2 i + 1 and 2 i + 2 */
    size_t size;
    int (*compare)(const void *a, const void *b);
} heap;

static char *at(const heap *h, size_t i)
{
    return h->elements + i * h->size;
}

static void swap(const heap *h, size_t i, size_t j)
{
    char room[64], *a = at(h, i), *b = at(h, j);
    for (size_t left = h->size, n; left && i != j; left -= n, a += n, b += n) {
        n = left < sizeof room ? left : sizeof room;
        memcpy(room, a, n);
        memcpy(a, b, n);
        memcpy(b, room, n);
    }
}

/* Follow the larger child of each element down to a leaf. */
static size_t leaf_below(const heap *h, size_t root, size_t count)
{
    size_t i = root;
    while (2 * i + 2 < count)
        i = h->compare(at(h, 2 * i + 1), at(h, 2 * i + 2)) > 0 ? 2 * i + 1 : 2 * i + 2;
    return 2 * i + 1 < count ? 2 * i + 1 : i;
}

/* Sink the root to its place. The elements on the way move up by one. */
static void sink(const heap *h, size_t root, size_t count)
{
    size_t i = leaf_below(h, root, count);
    while (i > root && h->compare(at(h, root), at(h, i)) > 0)
        i = (i - 1) / 2;
    for (; i > root; i = (i - 1) / 2)
        swap(h, root, i);
}

void toll_sort(void *elements, size_t count, size_t size,
               int (*compare)(const void *a, const void *b))
{
    const heap h = { elements, size, compare };
    for (size_t i = count / 2; i-- > 0;)
        sink(&h, i, count);
    for (size_t end = count; end > 1; end--) {
        swap(&h, 0, end - 1);
        sink(&h, 0, end - 1);
    }
}

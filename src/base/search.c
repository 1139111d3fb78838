/* search.c - see search.h. */
#include "base/search.h"

#include <string.h>

size_t toll_search_up_to(const void *elements, size_t count, size_t size, uint64_t key)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t number;
        memcpy(&number, (const char *)elements + middle * size, sizeof number);
        if (number <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

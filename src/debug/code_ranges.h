/* code_ranges.h - a set of address ranges: the places of code.
 *
 * To build it, add ranges in any order, then join them; after that addresses can be looked up. */
#ifndef TOLL_DEBUG_CODE_RANGES_H
#define TOLL_DEBUG_CODE_RANGES_H

#include "base/mem.h"

#include <stdint.h>

typedef struct toll_code_range {
    uint64_t begin, end; /* `end` is not included */
} toll_code_range;

/* All zero: empty. */
typedef struct toll_code_ranges {
    toll_code_range *items; /* when joined: by address, with gaps between them */
    size_t count, capacity;
} toll_code_ranges;

void toll_code_ranges_free(toll_code_ranges *ranges, const toll_mem *mem);

/* Add a range; false: no memory. */
bool toll_code_ranges_add(toll_code_ranges *ranges, const toll_mem *mem, uint64_t begin,
                          uint64_t end);

/* Sort the ranges, and join those that touch. */
void toll_code_ranges_join(toll_code_ranges *ranges);

/* Is `address` in one of the joined ranges? O(log n). */
bool toll_code_ranges_hold(const toll_code_ranges *ranges, uint64_t address);

#endif

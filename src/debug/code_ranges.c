/* code_ranges.c - see code_ranges.h. */
#include "debug/code_ranges.h"

#include "base/array.h"
#include "base/search.h"

#include <stdlib.h>

void toll_code_ranges_free(toll_code_ranges *r, const toll_mem *mem)
{
    toll_mem_free(mem, r->items, r->capacity, sizeof *r->items);
    *r = (toll_code_ranges){ .items = NULL };
}

bool toll_code_ranges_add(toll_code_ranges *r, const toll_mem *mem, uint64_t begin, uint64_t end)
{
    if (!toll_array_grow(mem, &r->items, &r->capacity, r->count, 1))
        return false;
    r->items[r->count++] = (toll_code_range){ begin, end };
    return true;
}

static int compare(const void *left, const void *right)
{
    const toll_code_range *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end < b->end ? -1 : a->end > b->end;
}

void toll_code_ranges_join(toll_code_ranges *r)
{
    size_t kept = 0;
    if (r->count)
        qsort(r->items, r->count, sizeof *r->items, compare);
    for (size_t i = 0; i < r->count; i++) {
        toll_code_range *last = kept ? &r->items[kept - 1] : NULL;
        if (last && r->items[i].begin <= last->end)
            last->end = r->items[i].end > last->end ? r->items[i].end : last->end;
        else
            r->items[kept++] = r->items[i];
    }
    r->count = kept;
}

bool toll_code_ranges_hold(const toll_code_ranges *r, uint64_t address)
{
    size_t before = toll_search_up_to(r->items, r->count, sizeof *r->items, address);
    return before && address < r->items[before - 1].end;
}

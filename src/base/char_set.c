/* char_set.c - see char_set.h. */
#include "base/char_set.h"

#include "base/array.h"
#include "base/unicode_category.h"

#include <stdlib.h>
#include <string.h>

bool toll_char_set_add(toll_char_set *set, const toll_mem *mem, uint32_t first, uint32_t last)
{
    if (!toll_array_grow(mem, &set->ranges, &set->capacity, set->count, 1))
        return false;
    set->ranges[set->count++] = (toll_char_range){ first, last };
    return true;
}

bool toll_char_set_join(toll_char_set *set, const toll_mem *mem, const toll_char_set *other)
{
    bool good = true;
    for (size_t i = 0; good && i < other->count; i++)
        good = toll_char_set_add(set, mem, other->ranges[i].first, other->ranges[i].last);
    return good;
}

/* --- the sets that have names ------------------------------------------------------------------*/

/* Add ranges that are given as text: pairs of the first and the last character. */
static bool add_pairs(toll_char_set *set, const toll_mem *mem, const char *pairs)
{
    bool good = true;
    for (; good && *pairs; pairs += 2)
        good = toll_char_set_add(set, mem, (uint8_t)pairs[0], (uint8_t)pairs[1]);
    return good;
}

bool toll_char_set_add_letter(toll_char_set *set, const toll_mem *mem, char letter)
{
    /* JavaScript's white space beside ASCII's */
    static const toll_char_range blanks[] = {
        { 0xa0, 0xa0 },     { 0x1680, 0x1680 }, { 0x2000, 0x200a }, { 0x2028, 0x2029 },
        { 0x202f, 0x202f }, { 0x205f, 0x205f }, { 0x3000, 0x3000 }, { 0xfeff, 0xfeff },
    };
    toll_char_set own = { 0 };
    char lower = (char)(letter | 0x20);
    bool good = add_pairs(&own, mem, lower == 'd' ? "09" : lower == 'w' ? "09AZaz__" : "\t\r  ");
    for (size_t i = 0; good && lower == 's' && i < sizeof blanks / sizeof *blanks; i++)
        good = toll_char_set_add(&own, mem, blanks[i].first, blanks[i].last);
    if (good && lower != letter)
        good = toll_char_set_invert(&own, mem);
    good = good && toll_char_set_join(set, mem, &own);
    toll_char_set_free(&own, mem);
    return good;
}

bool toll_char_set_add_posix(toll_char_set *set, const toll_mem *mem, const char *name, size_t size,
                             bool *known)
{
    static const struct {
        const char *name, *pairs;
    } classes[] = {
        { "alpha", "AZaz" },
        { "digit", "09" },
        { "alnum", "09AZaz" },
        { "upper", "AZ" },
        { "lower", "az" },
        { "space", "\t\r  " },
        { "blank", "\t\t  " },
        { "punct", "!/:@[`{~" },
        { "print", " ~" },
        { "graph", "!~" },
        { "cntrl", "\x01\x1f\x7f\x7f" },
        { "xdigit", "09AFaf" },
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strlen(classes[i].name) == size && !memcmp(classes[i].name, name, size)) {
            *known = true;
            return add_pairs(set, mem, classes[i].pairs);
        }
    *known = false;
    return true;
}

bool toll_char_set_add_category(toll_char_set *set, const toll_mem *mem, const char *name,
                                size_t size, bool *known)
{
    uint32_t wanted = 0; /* a bit for each category */
    for (size_t i = 0; i < toll_unicode_category_count; i++)
        if ((size == 1 || size == 2) && !memcmp(toll_unicode_categories[i], name, size))
            wanted |= UINT32_C(1) << i;
    *known = wanted != 0;
    bool good = true;
    for (size_t i = 0; wanted && good && i < toll_unicode_run_count; i++) {
        uint32_t next =
            i + 1 < toll_unicode_run_count ? toll_unicode_runs[i + 1] / 32 : TOLL_CHAR_BYTES;
        if (wanted >> (toll_unicode_runs[i] % 32) & 1)
            good = toll_char_set_add(set, mem, toll_unicode_runs[i] / 32, next - 1);
    }
    return good;
}

/* --- in order ----------------------------------------------------------------------------------*/

static int compare_ranges(const void *a, const void *b)
{
    const toll_char_range *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

void toll_char_set_sort(toll_char_set *set)
{
    size_t kept = 0;
    if (set->count)
        qsort(set->ranges, set->count, sizeof *set->ranges, compare_ranges);
    for (size_t i = 0; i < set->count; i++) {
        toll_char_range range = set->ranges[i];
        if (kept == 0 || range.first > set->ranges[kept - 1].last + 1)
            set->ranges[kept++] = range;
        else if (range.last > set->ranges[kept - 1].last)
            set->ranges[kept - 1].last = range.last;
    }
    set->count = kept;
}

bool toll_char_set_invert(toll_char_set *set, const toll_mem *mem)
{
    toll_char_set inverse = { 0 };
    uint32_t next = 0;
    bool good = true;
    toll_char_set_sort(set);
    for (size_t i = 0; good && i < set->count; i++) {
        toll_char_range range = set->ranges[i];
        good = range.first == next || toll_char_set_add(&inverse, mem, next, range.first - 1);
        next = range.last + 1;
    }
    if (good && next <= TOLL_CHAR_LAST)
        good = toll_char_set_add(&inverse, mem, next, TOLL_CHAR_LAST);
    toll_char_set_free(set, mem);
    *set = inverse;
    return good;
}

void toll_char_set_free(toll_char_set *set, const toll_mem *mem)
{
    toll_mem_free(mem, set->ranges, set->capacity, sizeof *set->ranges);
    *set = (toll_char_set){ 0 };
}

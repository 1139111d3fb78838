/* dwarf_abbrevs.c - see dwarf_abbrevs.h. */
#include "dwarf/dwarf_abbrevs.h"

#include "base/array.h"
#include "dwarf/dwarf_names.h"

#include <stdlib.h>

static uint16_t small_number(uint64_t number)
{
    return number < UINT16_MAX ? (uint16_t)number : UINT16_MAX;
}

/* Read the attributes of an abbreviation, up to the pair of zeros. */
static toll_status read_specs(toll_dwarf_abbrevs *a, const toll_mem *mem, toll_dwarf_cursor *c)
{
    for (;;) {
        uint64_t attribute = toll_dwarf_uleb(c), form = toll_dwarf_uleb(c);
        if (c->failed)
            return TOLL_E_SYNTAX;
        if (attribute == 0 && form == 0)
            return TOLL_OK;
        if (!toll_array_grow(mem, &a->specs, &a->spec_capacity, a->spec_count, 1))
            return TOLL_E_NOMEM;
        a->specs[a->spec_count++] =
            (toll_dwarf_spec){ small_number(attribute), small_number(form),
                               form == DW_FORM_implicit_const ? toll_dwarf_sleb(c) : 0 };
    }
}

static toll_status read_list(toll_dwarf_abbrevs *a, const toll_mem *mem, toll_dwarf_cursor *c)
{
    for (;;) {
        uint64_t code = toll_dwarf_uleb(c);
        /* Some tables end at the section's end. */
        if (code == 0)
            return TOLL_OK;
        uint64_t tag = toll_dwarf_uleb(c);
        bool has_children = toll_dwarf_number(c, 1) != 0;
        if (c->failed)
            return TOLL_E_SYNTAX;
        if (a->spec_count > UINT32_MAX / 2 ||
            !toll_array_grow(mem, &a->list, &a->capacity, a->count, 1))
            return TOLL_E_NOMEM;
        toll_dwarf_abbrev *added = &a->list[a->count];
        *added = (toll_dwarf_abbrev){ .code = code,
                                      .first = (uint32_t)a->spec_count,
                                      .tag = small_number(tag),
                                      .has_children = has_children };
        toll_status status = read_specs(a, mem, c);
        if (status)
            return status;
        added->count = (uint32_t)a->spec_count - added->first;
        a->count++;
    }
}

static int compare_codes(const void *left, const void *right)
{
    const toll_dwarf_abbrev *a = left, *b = right;
    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* Sort the list, unless it is in order already, as compilers write it. Of several with the same
 * code, the first one counts. */
static void sort_list(toll_dwarf_abbrevs *a)
{
    a->is_dense = true;
    for (size_t i = 0; i < a->count && a->is_dense; i++)
        a->is_dense = a->list[i].code == i + 1;
    if (a->is_dense)
        return;
    qsort(a->list, a->count, sizeof *a->list, compare_codes);
    size_t kept = 0;
    for (size_t i = 0; i < a->count; i++)
        if (i == 0 || a->list[i].code != a->list[kept - 1].code)
            a->list[kept++] = a->list[i];
    a->count = kept;
}

toll_status toll_dwarf_abbrevs_read(toll_dwarf_abbrevs *a, const toll_mem *mem,
                                    toll_dwarf_bytes section, uint64_t offset, size_t *used)
{
    *a = (toll_dwarf_abbrevs){ .count = 0 };
    toll_dwarf_cursor c = toll_dwarf_cursor_at(section, offset);
    size_t before = toll_dwarf_left(&c);
    toll_status status = c.failed ? TOLL_E_SYNTAX : read_list(a, mem, &c);
    *used = before - toll_dwarf_left(&c);
    sort_list(a);
    return status;
}

void toll_dwarf_abbrevs_free(toll_dwarf_abbrevs *a, const toll_mem *mem)
{
    toll_mem_free(mem, a->list, a->capacity, sizeof *a->list);
    toll_mem_free(mem, a->specs, a->spec_capacity, sizeof *a->specs);
    *a = (toll_dwarf_abbrevs){ .count = 0 };
}

const toll_dwarf_abbrev *toll_dwarf_abbrev_find(const toll_dwarf_abbrevs *a, uint64_t code)
{
    if (a->is_dense)
        return code - 1 < a->count ? &a->list[code - 1] : NULL;
    size_t low = 0, high = a->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->list[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->count && a->list[low].code == code ? &a->list[low] : NULL;
}

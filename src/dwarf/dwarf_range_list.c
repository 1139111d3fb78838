/* dwarf_range_list.c - see dwarf_range_list.h. */
#include "dwarf/dwarf_range_list.h"

#include "dwarf/dwarf_names.h"
#include "dwarf/dwarf_value.h"

/* --- finding the list --------------------------------------------------------------------------*/

/* Find the range from DW_AT_low_pc to DW_AT_high_pc, which is an address or a size. */
static bool find_one(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                     const toll_dwarf_entry *entry, toll_dwarf_range_list *out)
{
    uint64_t size;
    if (!toll_dwarf_address_of(info, unit, entry, TOLL_DWARF_LOW_PC, &out->begin))
        return false;
    if (toll_dwarf_address_of(info, unit, entry, TOLL_DWARF_HIGH_PC, &out->end))
        return true;
    if (!toll_dwarf_number_of(entry, TOLL_DWARF_HIGH_PC, &size))
        return false;
    out->end = out->begin + size;
    return true;
}

/* Find the list with that number in .debug_rnglists. After a header with its size comes a table of
 * offsets, which are relative to the table's beginning. */
static toll_dwarf_cursor find_in_table(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                                       uint64_t i)
{
    toll_dwarf_bytes lists = info->sections.rnglists;
    toll_dwarf_cursor none = { .failed = true };
    toll_dwarf_cursor header = toll_dwarf_cursor_at(lists, unit->rnglists_base - 4);
    if (i >= toll_dwarf_number(&header, 4)) /* 0 where the section has no header there */
        return none;
    toll_dwarf_cursor c =
        toll_dwarf_cursor_at(lists, unit->rnglists_base + i * unit->list_offset_size);
    uint64_t offset = toll_dwarf_number(&c, unit->list_offset_size);
    return c.failed || offset > lists.size
               ? none
               : toll_dwarf_cursor_at(lists, unit->rnglists_base + offset);
}

static toll_dwarf_cursor find_list(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                                   const toll_dwarf_entry *entry)
{
    toll_dwarf_cursor none = { .failed = true };
    if (!toll_dwarf_has(entry, TOLL_DWARF_RANGES))
        return none;
    toll_dwarf_value v = entry->fields[TOLL_DWARF_RANGES];
    if (v.form == DW_FORM_rnglistx)
        return find_in_table(info, unit, v.number);
    /* DWARF 2 and 3 have offsets as data4 and data8. */
    bool is_offset =
        v.form == DW_FORM_sec_offset || v.form == DW_FORM_data4 || v.form == DW_FORM_data8;
    if (!is_offset)
        return none;
    if (unit->version >= 5)
        return toll_dwarf_cursor_at(info->sections.rnglists, v.number);
    /* The base is for GNU's split DWARF: it applies to entries in the other file, not to the unit's
     * first entry.
     * */
    uint64_t base = entry->offset == unit->first ? 0 : unit->ranges_base;
    return v.number > UINT64_MAX - base
               ? none
               : toll_dwarf_cursor_at(info->sections.ranges, base + v.number);
}

toll_dwarf_range_list toll_dwarf_ranges_of(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                                           const toll_dwarf_entry *entry)
{
    toll_dwarf_range_list ranges = { .base = unit->low };
    ranges.has_one = find_one(info, unit, entry, &ranges);
    ranges.list =
        ranges.has_one ? (toll_dwarf_cursor){ .failed = true } : find_list(info, unit, entry);
    return ranges;
}

/* --- reading it --------------------------------------------------------------------------------*/

typedef enum entry_kind { IS_END, IS_RANGE, IS_BASE } entry_kind;

/* Read an address, given by its number in the unit's list of addresses. */
static uint64_t read_indexed(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                             toll_dwarf_cursor *c)
{
    uint64_t address;
    if (!toll_dwarf_indexed_address(info, unit, toll_dwarf_uleb(c), &address))
        toll_dwarf_cursor_fail(c);
    return address;
}

/* Read the next entry of a list of DWARF 5. */
static entry_kind read_entry(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                             toll_dwarf_range_list *l, uint64_t *begin, uint64_t *end)
{
    toll_dwarf_cursor *c = &l->list;
    switch (toll_dwarf_number(c, 1)) {
    case DW_RLE_base_addressx: l->base = read_indexed(info, unit, c); return IS_BASE;
    case DW_RLE_base_address: l->base = toll_dwarf_number(c, unit->address_size); return IS_BASE;
    case DW_RLE_startx_endx:
        *begin = read_indexed(info, unit, c);
        *end = read_indexed(info, unit, c);
        return IS_RANGE;
    case DW_RLE_startx_length:
        *begin = read_indexed(info, unit, c);
        *end = *begin + toll_dwarf_uleb(c);
        return IS_RANGE;
    case DW_RLE_offset_pair:
        *begin = l->base + toll_dwarf_uleb(c);
        *end = l->base + toll_dwarf_uleb(c);
        return IS_RANGE;
    case DW_RLE_start_end:
        *begin = toll_dwarf_number(c, unit->address_size);
        *end = toll_dwarf_number(c, unit->address_size);
        return IS_RANGE;
    case DW_RLE_start_length:
        *begin = toll_dwarf_number(c, unit->address_size);
        *end = *begin + toll_dwarf_uleb(c);
        return IS_RANGE;
    default: return IS_END;
    }
}

/* The same for DWARF 2 to 4: pairs of addresses. Two zeros end the list; after the largest address
 * comes a new base. */
static entry_kind read_pair(const toll_dwarf_unit *unit, toll_dwarf_range_list *l, uint64_t *begin,
                            uint64_t *end)
{
    uint64_t largest = unit->address_size == 8 ? UINT64_MAX : UINT32_MAX;
    *begin = toll_dwarf_number(&l->list, unit->address_size);
    *end = toll_dwarf_number(&l->list, unit->address_size);
    if (*begin == 0 && *end == 0)
        return IS_END;
    if (*begin == largest) {
        l->base = *end;
        return IS_BASE;
    }
    *begin += l->base;
    *end += l->base;
    return IS_RANGE;
}

bool toll_dwarf_next_range(toll_dwarf_info *info, const toll_dwarf_unit *unit,
                           toll_dwarf_range_list *l, uint64_t *begin, uint64_t *end)
{
    if (l->has_one) {
        l->has_one = false;
        *begin = l->begin;
        *end = l->end;
        return toll_dwarf_spend(info, 1);
    }
    entry_kind kind = IS_BASE;
    while (kind == IS_BASE && !l->list.failed) {
        if (!toll_dwarf_spend(info, 1))
            return false;
        kind = unit->version < 5 ? read_pair(unit, l, begin, end)
                                 : read_entry(info, unit, l, begin, end);
    }
    if (l->list.failed || kind != IS_RANGE)
        toll_dwarf_cursor_fail(&l->list);
    return !l->list.failed;
}

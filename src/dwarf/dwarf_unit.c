/* dwarf_unit.c - see dwarf_unit.h. */
#include "dwarf/dwarf_unit.h"

#include "base/array.h"
#include "dwarf/dwarf_entry.h"
#include "dwarf/dwarf_names.h"
#include "dwarf/dwarf_value.h"

/* --- life --------------------------------------------------------------------------------------*/

/* The size of a section of texts up to its last NUL: every text within it has an end. */
static size_t ended_size(toll_dwarf_bytes section)
{
    size_t size = section.data ? section.size : 0;
    while (size && section.data[size - 1])
        size--;
    return size;
}

void toll_dwarf_info_init(toll_dwarf_info *info, const toll_mem *mem,
                          const toll_dwarf_sections *sections, uint64_t *work_left)
{
    *info = (toll_dwarf_info){ .mem = *mem, .sections = *sections, .work_left = work_left };
    info->str_size = ended_size(sections->str);
    info->line_str_size = ended_size(sections->line_str);
    toll_u64map_init(&info->table_at, mem);
}

void toll_dwarf_info_free(toll_dwarf_info *info)
{
    for (size_t i = 0; i < info->table_count; i++)
        toll_dwarf_abbrevs_free(&info->tables[i], &info->mem);
    toll_mem_free(&info->mem, info->tables, info->table_capacity, sizeof *info->tables);
    toll_mem_free(&info->mem, info->units, info->unit_capacity, sizeof *info->units);
    toll_u64map_free(&info->table_at);
}

/* --- headers -----------------------------------------------------------------------------------*/

/* Read the rest of a header after its length. False: it is damaged. */
static bool read_header(toll_dwarf_unit *unit, toll_dwarf_cursor *c)
{
    unit->version = (uint16_t)toll_dwarf_number(c, 2);
    if (unit->version < 2 || unit->version > 5)
        return false;
    if (unit->version == 5) {
        unit->kind = (uint8_t)toll_dwarf_number(c, 1);
        unit->address_size = (uint8_t)toll_dwarf_number(c, 1);
        unit->abbrev_offset = toll_dwarf_number(c, unit->offset_size);
    } else {
        unit->kind = DW_UT_compile;
        unit->abbrev_offset = toll_dwarf_number(c, unit->offset_size);
        unit->address_size = (uint8_t)toll_dwarf_number(c, 1);
    }
    if (unit->kind == DW_UT_skeleton || unit->kind == DW_UT_split_compile) {
        unit->id = toll_dwarf_number(c, 8);
        unit->has_id = true;
    } else if (unit->kind == DW_UT_type || unit->kind == DW_UT_split_type) {
        toll_dwarf_take(c, 8 + (uint64_t)unit->offset_size);
    }
    return !c->failed && (unit->address_size == 4 || unit->address_size == 8);
}

bool toll_dwarf_find_units(toll_dwarf_info *info)
{
    toll_dwarf_bytes bytes = info->sections.info;
    uint64_t offset = 0;
    while (toll_dwarf_info_good(info) && offset < bytes.size) {
        toll_dwarf_unit unit = { .offset = offset, .abbrevs = UINT32_MAX };
        toll_dwarf_cursor c = toll_dwarf_cursor_at(bytes, offset);
        uint64_t size = toll_dwarf_initial_length(&c, &unit.offset_size);
        if (c.failed || size > toll_dwarf_left(&c))
            return toll_dwarf_info_fail(info, "a unit is longer than the file");
        unit.end = bytes.size - toll_dwarf_left(&c) + size;
        c.end = bytes.data + unit.end;
        /* Linkers leave zeros between units. */
        if (size && !read_header(&unit, &c))
            return toll_dwarf_info_fail(info, "a unit's header is of no known version");
        unit.first = bytes.size - (size_t)(bytes.data + bytes.size - c.at);
        offset = unit.end;
        if (!size)
            continue;
        if (!toll_array_grow(&info->mem, &info->units, &info->unit_capacity, info->unit_count, 1))
            return toll_dwarf_info_no_memory(info);
        info->units[info->unit_count++] = unit;
    }
    return toll_dwarf_info_good(info);
}

/* --- opening -----------------------------------------------------------------------------------*/

/* Find the unit's table of abbreviations, which several units may share. */
static bool find_table(toll_dwarf_info *info, toll_dwarf_unit *unit)
{
    uint32_t known = toll_u64map_find(&info->table_at, unit->abbrev_offset);
    if (known != UINT32_MAX) {
        unit->abbrevs = known;
        return true;
    }
    size_t used;
    if (!toll_array_grow(&info->mem, &info->tables, &info->table_capacity, info->table_count, 1))
        return toll_dwarf_info_no_memory(info);
    toll_status status = toll_dwarf_abbrevs_read(&info->tables[info->table_count++], &info->mem,
                                                 info->sections.abbrev, unit->abbrev_offset, &used);
    if (status == TOLL_E_NOMEM)
        return toll_dwarf_info_no_memory(info);
    if (status)
        return toll_dwarf_info_fail(info, "a table of abbreviations cannot be read");
    known = (uint32_t)info->table_count - 1;
    if (!toll_dwarf_spend(info, used))
        return false;
    if (!toll_u64map_add(&info->table_at, unit->abbrev_offset, known))
        return toll_dwarf_info_no_memory(info);
    unit->abbrevs = known;
    return true;
}

static uint64_t number_or(const toll_dwarf_unit *unit, toll_dwarf_field field, uint64_t otherwise)
{
    uint64_t number;
    return toll_dwarf_number_of(&unit->root, field, &number) ? number : otherwise;
}

/* Find the tables of a unit. A file of split DWARF has no offsets to them: they follow the header
 * of their section, where offsets may have another size than in the unit. */
static void find_bases(const toll_dwarf_info *info, toll_dwarf_unit *unit)
{
    enum { LIST_HEADER = 12, TEXT_HEADER = 8, LARGER = 8 };
    bool is_split = unit->kind == DW_UT_split_compile;
    toll_dwarf_cursor c = toll_dwarf_cursor_at(info->sections.rnglists, 0);
    unit->list_offset_size = unit->offset_size;
    if (is_split)
        toll_dwarf_initial_length(&c, &unit->list_offset_size);
    uint64_t lists = LIST_HEADER + (unit->list_offset_size == 8 ? LARGER : 0);
    uint64_t texts = TEXT_HEADER + (unit->offset_size == 8 ? LARGER : 0);
    unit->str_offsets_base = number_or(unit, TOLL_DWARF_STR_OFFSETS_BASE, is_split ? texts : 0);
    unit->rnglists_base = number_or(unit, TOLL_DWARF_RNGLISTS_BASE, is_split ? lists : 0);
    unit->addr_base = number_or(unit, TOLL_DWARF_ADDR_BASE, 0);
    unit->ranges_base = number_or(unit, TOLL_DWARF_GNU_RANGES_BASE, 0);
}

bool toll_dwarf_open_unit(toll_dwarf_info *info, toll_dwarf_unit *unit)
{
    if (unit->abbrevs != UINT32_MAX)
        return toll_dwarf_info_good(info);
    if (!find_table(info, unit) || !toll_dwarf_read_entry(info, unit, unit->first, &unit->root))
        return toll_dwarf_info_fail(info, "a unit has no entries");
    find_bases(info, unit);
    if (!unit->has_id)
        unit->has_id = toll_dwarf_number_of(&unit->root, TOLL_DWARF_DWO_ID, &unit->id);
    toll_dwarf_address_of(info, unit, &unit->root, TOLL_DWARF_LOW_PC, &unit->low);
    return true;
}

toll_dwarf_unit *toll_dwarf_unit_at(toll_dwarf_info *info, uint64_t offset)
{
    size_t low = 0, high = info->unit_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (info->units[middle].end <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == info->unit_count || offset < info->units[low].first)
        return NULL;
    return toll_dwarf_open_unit(info, &info->units[low]) ? &info->units[low] : NULL;
}

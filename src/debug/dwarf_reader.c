/* dwarf_reader.c - see dwarf_reader.h. Functions for all parts: failures, texts, live ranges. */
#include "debug/dwarf_reader.h"

#include <string.h>

bool toll_dwarf_no_memory(toll_dwarf_reader *r)
{
    return toll_dwarf_info_no_memory(r->from);
}

bool toll_dwarf_damaged(toll_dwarf_reader *r, const char *what)
{
    return toll_dwarf_info_fail(r->from, what);
}

uint32_t toll_dwarf_text(toll_dwarf_reader *r, const char *text)
{
    if (!text)
        text = "";
    size_t most = r->work_left < SIZE_MAX ? (size_t)r->work_left : SIZE_MAX;
    size_t size = strnlen(text, most);
    if (!toll_dwarf_spend(r->from, size + 1))
        return TOLL_MAP_NONE;
    uint32_t id = toll_address_map_text(r->map, text, size);
    if (id == TOLL_MAP_NONE)
        toll_dwarf_no_memory(r);
    return id;
}

bool toll_dwarf_add_live(toll_dwarf_reader *r, uint64_t begin, uint64_t end)
{
    return toll_code_ranges_add(&r->live, &r->map->mem, begin, end) || toll_dwarf_no_memory(r);
}

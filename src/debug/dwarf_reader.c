/* dwarf_reader.c - failures, and what is kept of each unit. See dwarf_reader.h. */
#if TOLL_HAVE_LIBDW

#include "debug/dwarf_reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool toll_dwarf_no_memory(toll_dwarf_reader *r)
{
    r->no_memory = true;
    return false;
}

bool toll_dwarf_damaged(toll_dwarf_reader *r, const char *what)
{
    if (errno == ENOMEM)
        return toll_dwarf_no_memory(r);
    if (!r->result->damage[0])
        snprintf(r->result->damage, sizeof r->result->damage, "%s", what);
    return false;
}

bool toll_dwarf_work(toll_dwarf_reader *r, uint64_t amount)
{
    if (amount > r->work_left)
        return toll_dwarf_damaged(r, "it refers to the same bytes again and again");
    r->work_left -= amount;
    return true;
}

uint32_t toll_dwarf_text(toll_dwarf_reader *r, const char *text)
{
    if (!text)
        text = "";
    size_t most = r->work_left < SIZE_MAX ? (size_t)r->work_left : SIZE_MAX;
    size_t size = strnlen(text, most);
    if (!toll_dwarf_work(r, size + 1))
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

#else
typedef int toll_no_dwarf_reader; /* ISO C wants something in each file */
#endif

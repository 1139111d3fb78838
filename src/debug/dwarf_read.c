/* dwarf_read.c - see dwarf_read.h. */
#include "debug/dwarf_read.h"

#include "base/fail.h"
#include "debug/debug_sections.h"
#include "debug/dwarf_reader.h"
#include "dwarf/dwarf_entry.h"
#include "dwarf/dwarf_names.h"
#include "dwarf/dwarf_range_list.h"
#include "dwarf/dwarf_unit.h"

#include <stdio.h>
#include <string.h>

enum { LEAST_WORK = 1 << 20, WORK_A_BYTE = 64 };

/* --- units -------------------------------------------------------------------------------------*/

/* Add the whole range of a unit without functions (assembly, or split DWARF whose other file is
 * missing), for its lines. */
static bool add_unit_pieces(toll_dwarf_reader *r, const toll_dwarf_unit *unit, uint32_t scope_id)
{
    toll_dwarf_range_list ranges = toll_dwarf_ranges_of(&r->info, unit, &unit->root);
    uint64_t begin, end;
    while (toll_dwarf_next_range(&r->info, unit, &ranges, &begin, &end)) {
        if (begin >= end || !toll_code_file_is_code(r->file, r->map, begin))
            continue;
        if (!toll_dwarf_add_live(r, begin, end) ||
            !toll_address_map_add_piece(r->map, (toll_map_piece){ begin, end, scope_id }))
            return toll_dwarf_no_memory(r);
    }
    return toll_dwarf_good(r);
}

/* Read the unit's functions. A skeleton's functions are in another file. If that is missing, the
 * skeleton itself may have a few (a compiler option). */
static bool read_scopes(toll_dwarf_reader *r, toll_dwarf_unit *unit)
{
    bool is_skeleton =
        unit->root.tag == DW_TAG_skeleton_unit || toll_dwarf_has(&unit->root, TOLL_DWARF_DWO_NAME);
    bool found = false;
    return (!is_skeleton || toll_dwarf_read_split(r, unit, &found)) &&
           (found || toll_dwarf_read_scopes(r, unit));
}

static bool read_unit(toll_dwarf_reader *r, toll_dwarf_unit *unit)
{
    toll_map_scope scope = { .parent = TOLL_MAP_NONE, .function = TOLL_MAP_NONE };
    uint32_t scope_id;
    if (!toll_dwarf_open_unit(&r->info, unit))
        return false;
    if (unit->root.tag != DW_TAG_compile_unit && unit->root.tag != DW_TAG_skeleton_unit)
        return true;
    /* The unit's scope is added first, so that functions take precedence over it. */
    if (!toll_address_map_add_unit(r->map, &scope.unit) ||
        !toll_address_map_add_scope(r->map, scope, &scope_id))
        return toll_dwarf_no_memory(r);
    r->skeleton = unit;
    r->live.count = 0;
    r->any_file = false;
    if (!read_scopes(r, unit))
        return false;
    r->result->has_functions |= r->live.count != 0;
    if (r->parts == TOLL_DWARF_FUNCTIONS)
        return true;
    /* With -gline-tables-only there are only functions with inlined calls in them, and they have no
     * files. */
    if (!r->any_file && !add_unit_pieces(r, unit, scope_id))
        return false;
    return toll_dwarf_read_lines(r, unit);
}

static bool read_units(toll_dwarf_reader *r)
{
    if (!toll_dwarf_find_units(&r->info) || r->info.unit_count == 0)
        return toll_dwarf_good(r);
    r->files = toll_mem_new(&r->map->mem, r->info.unit_count, sizeof *r->files);
    if (!r->files)
        return toll_dwarf_no_memory(r);
    memset(r->files, 0, r->info.unit_count * sizeof *r->files);
    for (size_t i = 0; i < r->info.unit_count; i++)
        if (!read_unit(r, &r->info.units[i]))
            return false;
    return true;
}

/* --- the file ----------------------------------------------------------------------------------*/

static void free_reader(toll_dwarf_reader *r)
{
    const toll_mem *mem = &r->map->mem;
    for (size_t i = 0; r->files && i < r->info.unit_count; i++)
        toll_mem_free(mem, r->files[i].ids, r->files[i].count, sizeof *r->files[i].ids);
    toll_mem_free(mem, r->files, r->info.unit_count, sizeof *r->files);
    toll_u64map_free(&r->functions);
    toll_dwarf_split_free(r);
    toll_code_ranges_free(&r->live, mem);
    toll_dwarf_info_free(&r->info);
}

toll_status toll_dwarf_read(const toll_code_file *f, toll_dwarf_parts parts,
                            const toll_split_source *split, toll_address_map *map,
                            toll_dwarf_result *result, toll_error *err)
{
    toll_debug_sections sections;
    toll_dwarf_reader r = { .file = f, .parts = parts, .map = map, .result = result };
    *result = (toll_dwarf_result){ .split_units = 0 };
    toll_status status = toll_debug_sections_find(&sections, f);
    r.work_left = LEAST_WORK + (uint64_t)f->bytes.size * WORK_A_BYTE;
    r.from = &r.info;
    toll_dwarf_info_init(&r.info, &map->mem, &sections.dwarf, &r.work_left);
    toll_u64map_init(&r.functions, &map->mem);
    toll_dwarf_split_init(&r, split);
    if (status == TOLL_E_NOMEM)
        r.info.no_memory = true;
    else if (status)
        toll_dwarf_info_fail(&r.info, "a compressed section cannot be read");
    else
        read_units(&r);
    if (r.info.damage)
        snprintf(result->damage, sizeof result->damage, "%s", r.info.damage);
    if (!toll_dwarf_info_good(&r.info))
        toll_address_map_drop_lines(map);
    status = r.info.no_memory ? toll_fail_nomem(err) : TOLL_OK;
    free_reader(&r);
    toll_debug_sections_free(&sections);
    return status;
}

/* dwarf_read.c - opens libdw on a file and reads unit after unit. See dwarf_read.h. */
#include "debug/dwarf_read.h"

#include "base/fail.h"

#if !TOLL_HAVE_LIBDW

bool toll_dwarf_is_there(void)
{
    return false;
}

toll_status toll_dwarf_read(toll_code_file *f, toll_dwarf_parts parts,
                            const toll_split_source *split, toll_address_map *map,
                            toll_dwarf_result *result, toll_error *err)
{
    (void)parts;
    (void)split;
    (void)map;
    *result = (toll_dwarf_result){ .split_units = 0 };
    return toll_fail(err, TOLL_E_UNSUPPORTED,
                     "%s: has DWARF, which this build of Toll cannot read; build it with "
                     "elfutils' libdw (Debian's package libdw-dev)",
                     f->path);
}

#else

#include "debug/dwarf_reader.h"
#include "debug/elf_image.h"

#include <dwarf.h>
#include <errno.h>
#include <setjmp.h>

enum { LEAST_WORK = 1 << 20, WORK_A_BYTE = 64, BATCHES = 8, LEAST_BATCH = 1 << 20 };

bool toll_dwarf_is_there(void)
{
    return true;
}

/* --- units -------------------------------------------------------------------------------------*/

/* A unit without functions (assembly, or one of split DWARF whose other file is not there) has the
 * lines of its whole range. */
static bool add_unit_pieces(toll_dwarf_reader *r, Dwarf_Die *unit, uint32_t scope_id)
{
    toll_dwarf_ranges ranges = { .die = unit };
    toll_code_range found;
    while (toll_dwarf_next_range(r, &ranges, &found)) {
        if (found.begin >= found.end || !toll_code_file_is_code(r->file, r->map, found.begin))
            continue;
        if (!toll_dwarf_add_live(r, found.begin, found.end) ||
            !toll_address_map_add_piece(r->map,
                                        (toll_map_piece){ found.begin, found.end, scope_id }))
            return toll_dwarf_no_memory(r);
    }
    return toll_dwarf_good(r);
}

/* A skeleton's functions are in another file; where that is not there, compilers have left a few in
 * the skeleton, if they were asked to. */
static bool read_scopes(toll_dwarf_reader *r, Dwarf_Die *unit)
{
    bool is_skeleton =
        dwarf_tag(unit) == DW_TAG_skeleton_unit || dwarf_hasattr(unit, DW_AT_GNU_dwo_name) != 0;
    bool found = false;
    return (!is_skeleton || toll_dwarf_read_split(r, unit, &found)) &&
           (found || toll_dwarf_read_scopes(r, unit));
}

static bool read_unit(toll_dwarf_reader *r, Dwarf_Die *unit)
{
    toll_map_scope scope = { .parent = TOLL_MAP_NONE, .function = TOLL_MAP_NONE };
    uint32_t scope_id;
    int tag = dwarf_tag(unit);
    if (tag != DW_TAG_compile_unit && tag != DW_TAG_skeleton_unit)
        return true;
    /* The unit's scope is the first one, so that functions are believed rather than it. */
    if (!toll_address_map_add_unit(r->map, &scope.unit) ||
        !toll_address_map_add_scope(r->map, scope, &scope_id))
        return toll_dwarf_no_memory(r);
    r->live.count = 0;
    r->any_file = false;
    if (!read_scopes(r, unit))
        return false;
    r->result->has_functions |= r->live.count != 0;
    if (r->parts == TOLL_DWARF_FUNCTIONS)
        return true;
    /* -gline-tables-only leaves the functions with inlined calls in them, without files. */
    if (!r->any_file && !add_unit_pieces(r, unit, scope_id))
        return false;
    return toll_dwarf_read_lines(r, unit);
}

/* Read the next batch of units. */
static void read_units(toll_dwarf_reader *r)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    Dwarf_Off first = 0;
    int found = 0;
    bool is_new = true;
    /* Without the argument for what a skeleton stands for, libdw opens no other files. */
    for (uint32_t i = 0; toll_dwarf_good(r); i++) {
        if (!toll_dwarf_reserve(r))
            return;
        found = dwarf_get_units(r->dwarf, unit, &unit, NULL, NULL, &die, NULL);
        if (found != 0)
            break;
        if (i < r->units_done)
            continue;
        first = is_new ? dwarf_dieoffset(&die) : first;
        is_new = false;
        if (dwarf_dieoffset(&die) - first > r->batch_size)
            return;
        read_unit(r, &die);
        r->units_done++;
        /* Of a table that it had no memory to read, libdw says that there is none. */
        if (errno == ENOMEM)
            toll_dwarf_no_memory(r);
    }
    r->is_at_end = true;
    if (found < 0)
        toll_dwarf_damaged(r, dwarf_errmsg(-1));
}

static void read_units_safely(toll_dwarf_reader *r)
{
    jmp_buf here;
    toll_dwarf_leave_to(&here);
    if (setjmp(here) == 0)
        read_units(r);
    else
        toll_dwarf_no_memory(r);
    toll_dwarf_leave_to(NULL);
}

static void read_batch(toll_dwarf_reader *r, Elf *elf)
{
    r->dwarf = toll_dwarf_begin(r, elf);
    if (!r->dwarf)
        return;
    read_units_safely(r);
    dwarf_end(r->dwarf);
    toll_u64map_free(&r->file_ids); /* by texts that libdw has freed */
}

/* libdw keeps what it reads until it is closed: of large files the rows of all units, which would
 * be most of the memory. So it is opened anew after each eighth of them; the units of the batches
 * before are passed over, by their headers. */
static void read_image(toll_dwarf_reader *r)
{
    toll_buffer *image = &r->file->bytes;
    int before = errno;
    errno = 0;
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory((char *)image->data, image->size);
    if (!elf)
        toll_dwarf_damaged(r, elf_errmsg(-1));
    while (toll_dwarf_good(r) && !r->is_at_end)
        read_batch(r, elf);
    elf_end(elf);
    errno = before;
}

static uint64_t batch_size(const toll_code_file *f)
{
    const toll_debug_section *info = toll_code_file_section(f, ".debug_info");
    uint64_t size = info ? info->size / BATCHES : 0;
    return size > LEAST_BATCH ? size : LEAST_BATCH;
}

toll_status toll_dwarf_read(toll_code_file *f, toll_dwarf_parts parts,
                            const toll_split_source *split, toll_address_map *map,
                            toll_dwarf_result *result, toll_error *err)
{
    toll_dwarf_reader r = { .file = f, .parts = parts, .map = map, .result = result };
    *result = (toll_dwarf_result){ .split_units = 0 };
    r.batch_size = batch_size(f);
    r.work_left = LEAST_WORK + (uint64_t)f->bytes.size * WORK_A_BYTE;
    toll_u64map_init(&r.file_ids, &map->mem);
    toll_u64map_init(&r.functions, &map->mem);
    toll_dwarf_split_init(&r, split);
    if (toll_elf_image_make(f))
        read_image(&r);
    else
        toll_dwarf_no_memory(&r);
    toll_u64map_free(&r.file_ids);
    toll_u64map_free(&r.functions);
    toll_dwarf_split_free(&r);
    toll_code_ranges_free(&r.live, &map->mem);
    if (!toll_dwarf_good(&r))
        toll_address_map_drop_lines(map);
    return r.no_memory ? toll_fail_nomem(err) : TOLL_OK;
}

#endif

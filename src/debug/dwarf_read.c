/* dwarf_read.c - opens libdw on a file and reads unit after unit. See dwarf_read.h. */
#include "debug/dwarf_read.h"

#include "base/fail.h"

#if !TOLL_HAVE_LIBDW

bool toll_dwarf_is_there(void)
{
    return false;
}

toll_status toll_dwarf_read(toll_code_file *f, toll_dwarf_parts parts, toll_address_map *map,
                            toll_dwarf_result *result, toll_error *err)
{
    (void)parts;
    (void)map;
    *result = (toll_dwarf_result){ .split = false };
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

/* --- no memory in libdw
 * -------------------------------------------------------------------------*/

/* When memory runs out, libdw calls a handler that must not return; its own ends the process. Ours
 * leaves libdw by a jump to read_units_safely, after which libdw is only closed. It gets no
 * argument, so that where to jump is kept for each thread, and only during that function. */
static _Thread_local jmp_buf *out_of_memory;

static void leave_libdw(void)
    __attribute__((noreturn)); /* as libdw declares it: part of the type */

static void leave_libdw(void)
{
    longjmp(*out_of_memory, 1);
}

/* --- units -------------------------------------------------------------------------------------*/

/* A unit without functions of its own (assembly, or the part of split DWARF that is left here) has
 * the lines of its whole range. */
static bool add_unit_pieces(toll_dwarf_reader *r, Dwarf_Die *unit, uint32_t scope_id)
{
    Dwarf_Addr base, begin, end;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &begin, &end)) > 0;) {
        if (!toll_dwarf_work(r, 1))
            return false;
        if (begin >= end || !toll_code_file_is_code(r->file, r->map, begin))
            continue;
        if (!toll_dwarf_add_live(r, begin, end) ||
            !toll_address_map_add_piece(r->map, (toll_map_piece){ begin, end, scope_id }))
            return toll_dwarf_no_memory(r);
    }
    return true;
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
    if (tag == DW_TAG_skeleton_unit || dwarf_hasattr(unit, DW_AT_GNU_dwo_name))
        r->result->split = true;
    r->live.count = 0;
    r->any_file = false;
    if (!toll_dwarf_read_scopes(r, unit))
        return false;
    r->result->has_functions |= r->live.count != 0;
    if (r->parts == TOLL_DWARF_FUNCTIONS)
        return true;
    /* -gline-tables-only leaves the functions with inlined calls in them, without files. */
    if (!r->any_file && !add_unit_pieces(r, unit, scope_id))
        return false;
    return toll_dwarf_read_lines(r, unit);
}

/* For each unit libdw makes tables of which it does not check that there was memory for them: it
 * then reads where there is none (elfutils 0.188: Dwarf_Abbrev_Hash_init), or ends the process. So
 * make sure before each unit that there is memory for these. */
static bool is_there_memory(void)
{
    enum { RESERVE = 1 << 16 }; /* the tables of some thousand abbreviations; most have a hundred */
    toll_mem c_library = toll_mem_from(NULL);
    void *block = toll_mem_new(&c_library, 1, RESERVE);
    toll_mem_free(&c_library, block, 1, RESERVE);
    return block != NULL;
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
        if (!is_there_memory()) {
            toll_dwarf_no_memory(r);
            return;
        }
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
    out_of_memory = &here;
    if (setjmp(here) == 0)
        read_units(r);
    else
        toll_dwarf_no_memory(r);
    out_of_memory = NULL;
}

static void read_batch(toll_dwarf_reader *r, Elf *elf)
{
    r->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    if (!r->dwarf) {
        toll_dwarf_damaged(r, dwarf_errmsg(-1));
        return;
    }
    dwarf_new_oom_handler(r->dwarf, leave_libdw);
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

toll_status toll_dwarf_read(toll_code_file *f, toll_dwarf_parts parts, toll_address_map *map,
                            toll_dwarf_result *result, toll_error *err)
{
    toll_dwarf_reader r = { .file = f, .parts = parts, .map = map, .result = result };
    *result = (toll_dwarf_result){ .split = false };
    r.batch_size = batch_size(f);
    r.work_left = LEAST_WORK + (uint64_t)f->bytes.size * WORK_A_BYTE;
    toll_u64map_init(&r.file_ids, &map->mem);
    toll_u64map_init(&r.functions, &map->mem);
    if (toll_elf_image_make(f))
        read_image(&r);
    else
        toll_dwarf_no_memory(&r);
    toll_u64map_free(&r.file_ids);
    toll_u64map_free(&r.functions);
    toll_code_ranges_free(&r.live, &map->mem);
    if (!toll_dwarf_good(&r))
        toll_address_map_drop_lines(map);
    return r.no_memory ? toll_fail_nomem(err) : TOLL_OK;
}

#endif

/* dwarf_lines.c - files and line tables of DWARF. See dwarf_reader.h. */
#if TOLL_HAVE_LIBDW

#include "debug/dwarf_reader.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* --- files -------------------------------------------------------------------------------------*/

static bool is_absolute(const char *name)
{
    bool has_letter = (name[0] >= 'A' && name[0] <= 'Z') || (name[0] >= 'a' && name[0] <= 'z');
    return name[0] == '/' || name[0] == '\\' ||
           (has_letter && name[1] == ':' && (name[2] == '/' || name[2] == '\\'));
}

/* The id of "FOLDER/NAME". */
static uint32_t add_joined(toll_dwarf_reader *r, const char *folder, const char *name)
{
    toll_buffer path;
    uint32_t id = TOLL_MAP_NONE;
    toll_buffer_init(&path, &r->map->mem);
    toll_buffer_append_text(&path, folder);
    if (path.size && path.data[path.size - 1] != '/')
        toll_buffer_append_byte(&path, '/');
    toll_buffer_append_text(&path, name);
    const char *joined = toll_buffer_cstr(&path);
    if (joined)
        id = toll_dwarf_text(r, joined);
    else
        toll_dwarf_no_memory(r);
    toll_buffer_free(&path);
    return id;
}

static uint32_t add_file(toll_dwarf_reader *r, Dwarf_Die *unit, const char *name)
{
    Dwarf_Attribute value;
    const char *folder = dwarf_attr(unit, DW_AT_comp_dir, &value) ? dwarf_formstring(&value) : NULL;
    if (!folder || is_absolute(name))
        return toll_dwarf_text(r, name);
    if (!toll_dwarf_work(r, strlen(folder) + strlen(name)))
        return TOLL_MAP_NONE;
    return add_joined(r, folder, name);
}

/* The id of a file's name as libdw has it: relative names are joined to the unit's directory. */
static uint32_t file_id(toll_dwarf_reader *r, Dwarf_Die *unit, const char *name)
{
    if (!name || !*name)
        return 0;
    uint64_t key = (uint64_t)(uintptr_t)name;
    uint32_t id = toll_u64map_find(&r->file_ids, key);
    if (id != UINT32_MAX)
        return id;
    id = add_file(r, unit, name);
    if (id != TOLL_MAP_NONE && !toll_u64map_add(&r->file_ids, key, id))
        toll_dwarf_no_memory(r);
    return id;
}

uint32_t toll_dwarf_file_of(toll_dwarf_reader *r, Dwarf_Attribute *attribute)
{
    Dwarf_Word number;
    Dwarf_Die unit;
    Dwarf_Files *files;
    size_t count;
    if (r->split.is_open)
        unit = r->split.skeleton; /* it has the table of both */
    else if (!dwarf_cu_die(attribute->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL))
        return 0;
    if (dwarf_formudata(attribute, &number) != 0 || dwarf_getsrcfiles(&unit, &files, &count) != 0 ||
        number >= count)
        return 0;
    return file_id(r, &unit, dwarf_filesrc(files, (size_t)number, NULL, NULL));
}

/* --- rows --------------------------------------------------------------------------------------*/

static bool add_row(toll_dwarf_reader *r, Dwarf_Die *unit, Dwarf_Line *line, toll_map_row row)
{
    int number = 0, column = 0;
    if (!row.is_end) {
        dwarf_lineno(line, &number);
        dwarf_linecol(line, &column);
        row.line = number > 0 ? (uint32_t)number : 0;
        row.column = column > 0 ? (uint32_t)column : 0;
        row.file = file_id(r, unit, dwarf_linesrc(line, NULL, NULL));
    }
    return toll_dwarf_good(r) && (toll_address_map_add_row(r->map, row) || toll_dwarf_no_memory(r));
}

/* libdw has the rows of a unit by address, those of functions that the linker has left out among
 * them: they are at the addresses of nothing, or of other functions. A row is kept if it is in a
 * live range; one that ends a sequence also if it is at the range's end. */
bool toll_dwarf_read_lines(toll_dwarf_reader *r, Dwarf_Die *unit)
{
    Dwarf_Lines *lines;
    size_t count, at = 0;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return true; /* there is none */
    toll_code_ranges_join(&r->live);
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        toll_map_row row = { .address = 0 };
        Dwarf_Addr address;
        if (!toll_dwarf_work(r, 1))
            return false;
        if (!line || dwarf_lineaddr(line, &address) != 0 ||
            dwarf_lineendsequence(line, &row.is_end) != 0)
            continue;
        row.address = address;
        while (at < r->live.count &&
               (row.is_end ? r->live.items[at].end < address : r->live.items[at].end <= address))
            at++;
        if (at == r->live.count)
            break;
        if (address >= r->live.items[at].begin && !add_row(r, unit, line, row))
            return false;
    }
    return true;
}

#else
typedef int toll_no_dwarf_lines; /* ISO C wants something in each file */
#endif

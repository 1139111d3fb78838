/* split_file.c - see split_file.h. */
#include "debug/split_file.h"

#include "base/array.h"
#include "base/elf64.h"

#include <stdio.h>
#include <string.h>

void toll_split_file_init(toll_split_file *s, const toll_mem *mem)
{
    *s = (toll_split_file){ .unit_count = 0 };
    toll_code_file_init(&s->file, mem, "");
    toll_u64map_init(&s->by_id, mem);
}

void toll_split_file_free(toll_split_file *s)
{
    toll_mem mem = s->file.mem;
    toll_u64map_free(&s->by_id);
    toll_mem_free(&mem, s->units, s->unit_capacity, sizeof *s->units);
    toll_code_file_free(&s->file);
    toll_split_file_init(s, &mem);
}

/* Mark the file as damaged: nothing of it is used. Always true, since this is not a failure. */
static bool damaged(toll_split_file *s, const char *what)
{
    snprintf(s->damage, sizeof s->damage, "%s", what);
    return true;
}

bool toll_split_file_add_unit(toll_split_file *s, uint64_t id, toll_split_unit unit)
{
    if (toll_u64map_find(&s->by_id, id) != UINT32_MAX)
        return true;
    if (!toll_array_grow(&s->file.mem, &s->units, &s->unit_capacity, s->unit_count, 1))
        return false;
    s->units[s->unit_count] = unit;
    return toll_u64map_add(&s->by_id, id, (uint32_t)s->unit_count++);
}

const toll_split_unit *toll_split_file_find(const toll_split_file *s, uint64_t id)
{
    uint32_t i = toll_u64map_find(&s->by_id, id);
    return i == UINT32_MAX ? NULL : &s->units[i];
}

/* --- the table of a package --------------------------------------------------------------------*/

/* The table: a header of 16 bytes; the ids of units, in the slots of a hash table; for each slot
 * the row of its unit (from 1; 0: none); the kinds of sections; for each row and kind, the offset
 * of the unit's part in the section; and then the sizes of these parts. */
typedef struct package_table {
    const uint8_t *data;
    uint32_t columns, rows, slots;
    size_t row_of_slot, kinds, offsets, sizes; /* offsets in `data` */
} package_table;

enum { TABLE_HEADER = 16, MOST_COLUMNS = 16 };

static uint32_t number(const package_table *t, size_t at, uint64_t i)
{
    return (uint32_t)toll_elf_load(t->data + at + i * 4, 4);
}

static bool read_header(package_table *t, const uint8_t *data, size_t size)
{
    uint32_t version = size >= TABLE_HEADER ? (uint32_t)toll_elf_load(data, 4) : 0;
    if (version != 2 && version != 5) /* GNU's for DWARF 4, and DWARF 5's: 2 bytes, and 2 of 0 */
        return false;
    *t = (package_table){ .data = data,
                          .columns = (uint32_t)toll_elf_load(data + 4, 4),
                          .rows = (uint32_t)toll_elf_load(data + 8, 4),
                          .slots = (uint32_t)toll_elf_load(data + 12, 4) };
    uint64_t cells = (uint64_t)t->rows * t->columns;
    if (t->columns > MOST_COLUMNS || t->slots > size / 12 || cells > size / 8)
        return false;
    t->row_of_slot = TABLE_HEADER + (size_t)t->slots * 8;
    t->kinds = t->row_of_slot + (size_t)t->slots * 4;
    t->offsets = t->kinds + (size_t)t->columns * 4;
    t->sizes = t->offsets + (size_t)cells * 4;
    return t->sizes + (size_t)cells * 4 <= size;
}

/* The part of the unit for a column; NULL if the section is not needed. In GNU's tables, kind 8 is
 * another section: they have no range lists, which are in the program's own file. */
static toll_split_part *part_of_kind(toll_split_unit *unit, uint32_t kind)
{
    switch (kind) {
    case 1: return &unit->info;
    case 3: return &unit->abbrev;
    case 6: return &unit->str_offsets;
    case 8: return &unit->rnglists;
    default: return NULL;
    }
}

/* Find the unit's part of each section. A part that is not completely within its section is
 * empty. */
static toll_split_unit unit_of_row(const toll_split_file *s, const package_table *t, uint64_t row)
{
    toll_split_unit unit = { .info = { 0, 0 } }, whole = s->whole;
    for (uint32_t i = 0; i < t->columns; i++) {
        uint32_t kind = number(t, t->kinds, i);
        uint64_t cell = row * t->columns + i;
        size_t offset = number(t, t->offsets, cell), size = number(t, t->sizes, cell);
        toll_split_part *part = part_of_kind(&unit, kind), *all = part_of_kind(&whole, kind);
        if (part && offset <= all->size && size <= all->size - offset)
            *part = (toll_split_part){ all->offset + offset, size };
    }
    return unit;
}

static bool read_table(toll_split_file *s)
{
    package_table t;
    if (!read_header(&t, s->file.bytes.data + s->index.offset, s->index.size))
        return damaged(s, "its section .debug_cu_index cannot be read");
    for (uint32_t slot = 0; slot < t.slots; slot++) {
        uint64_t id = toll_elf_load(t.data + TABLE_HEADER + (size_t)slot * 8, 8);
        uint32_t row = number(&t, t.row_of_slot, slot);
        if (row && row <= t.rows && !toll_split_file_add_unit(s, id, unit_of_row(s, &t, row - 1)))
            return false;
    }
    return true;
}

/* --- the file ----------------------------------------------------------------------------------*/

static toll_split_part part_of(const toll_split_file *s, const char *section)
{
    const toll_debug_section *found = toll_code_file_section(&s->file, section);
    return found ? (toll_split_part){ found->offset, found->size } : (toll_split_part){ 0, 0 };
}

static bool read_sections(toll_split_file *s)
{
    for (size_t i = 0; i < s->file.section_count; i++)
        if (s->file.sections[i].flags & TOLL_ELF_COMPRESSED)
            return damaged(s, "its sections are compressed");
    s->whole = (toll_split_unit){ .info = part_of(s, ".debug_info.dwo"),
                                  .abbrev = part_of(s, ".debug_abbrev.dwo"),
                                  .str_offsets = part_of(s, ".debug_str_offsets.dwo"),
                                  .rnglists = part_of(s, ".debug_rnglists.dwo") };
    s->str = part_of(s, ".debug_str.dwo");
    s->index = part_of(s, ".debug_cu_index");
    if (!s->whole.info.size)
        return damaged(s, "it has no section .debug_info.dwo");
    return !s->index.size || read_table(s);
}

/* Is it a module or an ELF file? A file that is compressed as a whole is not read, since its
 * decompressed size has no limit. */
static bool is_program(const toll_buffer *bytes)
{
    return (bytes->size >= 4 && memcmp(bytes->data, "\0asm", 4) == 0) ||
           toll_elf_is_elf64(bytes->data, bytes->size);
}

bool toll_split_file_read(toll_split_file *s, const toll_buffer *bytes)
{
    toll_input *in;
    if (!is_program(bytes))
        return damaged(s, "it is neither a WebAssembly module nor a 64-bit ELF file");
    if (toll_input_from_memory(&s->file.mem, bytes->data, bytes->size, "", &in, NULL))
        return false;
    toll_status status = toll_code_file_read_sections(&s->file, in);
    toll_input_free(in);
    if (status == TOLL_E_NOMEM)
        return false;
    return status ? damaged(s, "it is not whole") : read_sections(s);
}

static toll_dwarf_bytes bytes_of(const toll_split_file *s, toll_split_part part)
{
    return part.size ? (toll_dwarf_bytes){ s->file.bytes.data + part.offset, part.size }
                     : (toll_dwarf_bytes){ NULL, 0 };
}

toll_dwarf_sections toll_split_file_sections(const toll_split_file *s, const toll_split_unit *unit)
{
    return (toll_dwarf_sections){ .info = bytes_of(s, unit->info),
                                  .abbrev = bytes_of(s, unit->abbrev),
                                  .str = bytes_of(s, s->str),
                                  .str_offsets = bytes_of(s, unit->str_offsets),
                                  .rnglists = bytes_of(s, unit->rnglists) };
}

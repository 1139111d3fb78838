/* dwarf_line_table.h - reads line tables of DWARF 2 to 5, which map addresses to files and lines.
 *
 * A table is a program that makes rows. The rows of a sequence are in order of address. Each row is
 * valid up to the next one; the last one, which ends the sequence, is valid for no address. */
#ifndef TOLL_DWARF_DWARF_LINE_TABLE_H
#define TOLL_DWARF_DWARF_LINE_TABLE_H

#include "dwarf/dwarf_info.h"

/* A file of the table: a name, and its folder, or NULL. A folder may be relative to the unit's
 * DW_AT_comp_dir. Both are borrowed. */
typedef struct toll_dwarf_file {
    const char *folder, *name;
} toll_dwarf_file;

typedef struct toll_dwarf_line_table {
    toll_dwarf_file *files; /* by file number, as in rows and entries; name NULL: no such file */
    size_t file_count, file_capacity;
    const char **folders;
    size_t folder_count, folder_capacity;
    toll_dwarf_cursor program;
    const uint8_t *opcode_lengths; /* of the standard opcodes, from 1 on */
    uint16_t version;
    uint8_t address_size, least_instruction, most_operations, opcode_base, line_range;
    int8_t line_base;
} toll_dwarf_line_table;

typedef struct toll_dwarf_row {
    uint64_t address, file, line, column;
    bool is_end;
} toll_dwarf_row;

/* Read the header of the unit's table. *found is false if the unit has no readable table. False: a
 * failure. Call toll_dwarf_line_table_free in any case. */
bool toll_dwarf_line_table_read(toll_dwarf_info *info, const toll_dwarf_unit *unit,
                                toll_dwarf_line_table *table, bool *found);
void toll_dwarf_line_table_free(toll_dwarf_line_table *table, const toll_mem *mem);

/* Make all rows, in the order of the program. `add` returns false to stop. False: `add` stopped it,
 * or a failure. A damaged program ends where the damage begins. */
bool toll_dwarf_line_table_run(toll_dwarf_info *info, const toll_dwarf_line_table *table,
                               bool (*add)(void *user, const toll_dwarf_row *row), void *user);

#endif

/* split_file.h - a file of split DWARF: a .dwo file, or a .dwp package of many. It has the
 * functions of units whose lines and addresses are in the program's own file. WebAssembly and ELF
 * are read.
 *
 * Owns the file's bytes, and a table of the units in it. The file may be damaged or hostile. */
#ifndef TOLL_DEBUG_SPLIT_FILE_H
#define TOLL_DEBUG_SPLIT_FILE_H

#include "base/u64map.h"
#include "debug/code_file.h"
#include "dwarf/dwarf_info.h"

/* Bytes of the file: an offset in file.bytes, and how many. */
typedef struct toll_split_part {
    size_t offset, size;
} toll_split_part;

/* What belongs to one unit: of a .dwo file the whole sections, but for .debug_info. */
typedef struct toll_split_unit {
    toll_split_part info, abbrev, str_offsets, rnglists;
} toll_split_unit;

typedef struct toll_split_file {
    toll_code_file file;
    toll_split_unit whole; /* all sections */
    toll_split_part str, index;
    toll_split_unit *units;
    size_t unit_count, unit_capacity;
    toll_u64map by_id; /* a unit's id -> in `units` */
    char damage[160];  /* what is wrong, nothing of it can be used; or "" */
} toll_split_file;

void toll_split_file_init(toll_split_file *split, const toll_mem *mem);
void toll_split_file_free(toll_split_file *split);

/* Read a file of which these are the bytes, and of a package the table of its units; those of a
 * .dwo file are added by who reads its units. Damage is no failure. False: no memory. */
bool toll_split_file_read(toll_split_file *split, const toll_buffer *bytes);

/* Add a unit; of several with one id the first counts. False: no memory. */
bool toll_split_file_add_unit(toll_split_file *split, uint64_t id, toll_split_unit unit);

/* The unit, or NULL. */
const toll_split_unit *toll_split_file_find(const toll_split_file *split, uint64_t id);

/* The sections of a unit. What it refers to in the program's own file is not among them. */
toll_dwarf_sections toll_split_file_sections(const toll_split_file *split,
                                             const toll_split_unit *unit);

#endif

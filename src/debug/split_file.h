/* split_file.h - reads a file of split DWARF: a .dwo file, or a .dwp package of many. It has the
 * functions of units whose lines and addresses are in the program's own file. Both WebAssembly and
 * ELF files are read.
 *
 * Owns the file's bytes, and a table of the units in it. The file may be damaged or hostile. */
#ifndef TOLL_DEBUG_SPLIT_FILE_H
#define TOLL_DEBUG_SPLIT_FILE_H

#include "base/u64map.h"
#include "debug/code_file.h"
#include "dwarf/dwarf_info.h"

/* Bytes of the file: an offset in file.bytes, and a size. */
typedef struct toll_split_part {
    size_t offset, size;
} toll_split_part;

/* The parts of one unit: in a .dwo file the whole sections, except .debug_info. */
typedef struct toll_split_unit {
    toll_split_part info, abbrev, str_offsets, rnglists;
} toll_split_unit;

typedef struct toll_split_file {
    toll_code_file file;
    toll_split_unit whole; /* all sections */
    toll_split_part str, index;
    toll_split_unit *units;
    size_t unit_count, unit_capacity;
    toll_u64map by_id; /* a unit's id -> index in `units` */
    char damage[160];  /* what is wrong (nothing of the file can be used), or "" */
} toll_split_file;

void toll_split_file_init(toll_split_file *split, const toll_mem *mem);
void toll_split_file_free(toll_split_file *split);

/* Read a file with these bytes. For a package this reads the table of its units; for a .dwo file,
 * the reader of its units adds them. Damage is not a failure. False: no memory. */
bool toll_split_file_read(toll_split_file *split, const toll_buffer *bytes);

/* Add a unit. Of several with the same id, the first one counts. False: no memory. */
bool toll_split_file_add_unit(toll_split_file *split, uint64_t id, toll_split_unit unit);

/* The unit with that id, or NULL. */
const toll_split_unit *toll_split_file_find(const toll_split_file *split, uint64_t id);

/* The sections of a unit, without those of the program's own file to which it refers. */
toll_dwarf_sections toll_split_file_sections(const toll_split_file *split,
                                             const toll_split_unit *unit);

#endif

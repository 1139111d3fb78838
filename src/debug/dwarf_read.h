/* dwarf_read.h - reads DWARF 4 and 5 by elfutils' libdw, where the build has it. */
#ifndef TOLL_DEBUG_DWARF_READ_H
#define TOLL_DEBUG_DWARF_READ_H

#include "debug/code_file.h"

/* How much is read. */
typedef enum toll_dwarf_parts {
    TOLL_DWARF_ALL,
    TOLL_DWARF_FUNCTIONS /* their names, files and lines: no inlined calls, no line tables */
} toll_dwarf_parts;

/* What became of it. */
typedef struct toll_dwarf_result {
    bool split;         /* inlined functions are in files of their own (.dwo), and not read */
    bool has_functions; /* there are subprograms of live code */
    char damage[160];   /* what is wrong, nothing was kept; or "" */
} toll_dwarf_result;

/* Whether this build can. */
bool toll_dwarf_is_there(void);

/* Read the sections of `file`, whose bytes become an image for libdw (elf_image.h), and add to
 * `map` what they say of its code. Errors: TOLL_E_NOMEM, TOLL_E_UNSUPPORTED (built without libdw).
 * Damaged debug information is no error: see *result. */
toll_status toll_dwarf_read(toll_code_file *file, toll_dwarf_parts parts, toll_address_map *map,
                            toll_dwarf_result *result, toll_error *err);

#endif

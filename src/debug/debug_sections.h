/* debug_sections.h - the sections of DWARF of a program's file, decompressed where they are
 * compressed. */
#ifndef TOLL_DEBUG_DEBUG_SECTIONS_H
#define TOLL_DEBUG_DEBUG_SECTIONS_H

#include "debug/code_file.h"
#include "dwarf/dwarf_info.h"

enum { TOLL_DEBUG_SECTIONS = 9 };

/* Owns what was decompressed; the rest is the file's. */
typedef struct toll_debug_sections {
    toll_dwarf_sections dwarf;
    toll_buffer inflated[TOLL_DEBUG_SECTIONS];
} toll_debug_sections;

/* TOLL_E_NOMEM, or TOLL_E_SYNTAX: a section cannot be decompressed. Without a message.
 * toll_debug_sections_free is due also on failure. */
toll_status toll_debug_sections_find(toll_debug_sections *sections, const toll_code_file *file);
void toll_debug_sections_free(toll_debug_sections *sections);

#endif

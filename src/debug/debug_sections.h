/* debug_sections.h - finds the DWARF sections of a program's file, and decompresses them if
 * necessary. */
#ifndef TOLL_DEBUG_DEBUG_SECTIONS_H
#define TOLL_DEBUG_DEBUG_SECTIONS_H

#include "debug/code_file.h"
#include "dwarf/dwarf_info.h"

enum { TOLL_DEBUG_SECTIONS = 9 };

/* The sections. It owns what was decompressed; the rest belongs to the file. */
typedef struct toll_debug_sections {
    toll_dwarf_sections dwarf;
    toll_buffer inflated[TOLL_DEBUG_SECTIONS];
} toll_debug_sections;

/* Find the sections. Errors, without a message: TOLL_E_NOMEM, TOLL_E_SYNTAX (a section cannot be
 * decompressed). Call toll_debug_sections_free also after a failure. */
toll_status toll_debug_sections_find(toll_debug_sections *sections, const toll_code_file *file);
void toll_debug_sections_free(toll_debug_sections *sections);

#endif

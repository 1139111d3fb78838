/* dwarf_unit.h - finds and opens the units of a file with DWARF 2 to 5: one for each compiled
 * source file.
 *
 * To use it: find the units, open one, and read its entries (dwarf_entry.h) from unit->first on. */
#ifndef TOLL_DWARF_DWARF_UNIT_H
#define TOLL_DWARF_DWARF_UNIT_H

#include "dwarf/dwarf_info.h"

/* Begin with a file. `work_left` is borrowed; files that are read together may share it. */
void toll_dwarf_info_init(toll_dwarf_info *info, const toll_mem *mem,
                          const toll_dwarf_sections *sections, uint64_t *work_left);
void toll_dwarf_info_free(toll_dwarf_info *info);

/* Find all units by their headers. False: a failure; the units found before it are kept. */
bool toll_dwarf_find_units(toll_dwarf_info *info);

/* Open a unit: read its first entry, and what its other entries need. False: a failure. */
bool toll_dwarf_open_unit(toll_dwarf_info *info, toll_dwarf_unit *unit);

/* Find and open the unit that contains that offset of .debug_info. NULL: there is none, or a
 * failure. */
toll_dwarf_unit *toll_dwarf_unit_at(toll_dwarf_info *info, uint64_t offset);

#endif

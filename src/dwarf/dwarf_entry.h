/* dwarf_entry.h - reads the entries of a unit of DWARF: functions, inlined calls, types, ...
 *
 * Entries are in preorder; each begins where the previous one ends (entry.next). The children of an
 * entry follow it, and a null entry ends them. */
#ifndef TOLL_DWARF_DWARF_ENTRY_H
#define TOLL_DWARF_DWARF_ENTRY_H

#include "dwarf/dwarf_info.h"

/* Read the entry at an offset of an open unit. False: the unit ends there, or a failure. */
bool toll_dwarf_read_entry(toll_dwarf_info *info, const toll_dwarf_unit *unit, uint64_t offset,
                           toll_dwarf_entry *entry);

#endif

/* dwarf_value.h - reads values of DWARF entries, according to their forms. */
#ifndef TOLL_DWARF_DWARF_VALUE_H
#define TOLL_DWARF_DWARF_VALUE_H

#include "dwarf/dwarf_info.h"

/* Read a value of a form; `constant` is the one in the abbreviation. False: the form is unknown, or
 * the cursor has failed. */
bool toll_dwarf_read_value(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                           toll_dwarf_cursor *cursor, uint16_t form, int64_t constant,
                           toll_dwarf_value *value);

/* Get a constant, or an offset in a section. False: there is none. */
bool toll_dwarf_number_of(const toll_dwarf_entry *entry, toll_dwarf_field field, uint64_t *out);

/* Get a text of the file; borrowed. NULL: there is none. */
const char *toll_dwarf_text_of(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                               const toll_dwarf_entry *entry, toll_dwarf_field field);

/* The same for a value outside of entries. */
const char *toll_dwarf_text_value(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                                  toll_dwarf_value value);

/* Get an address. False: there is none, or it is not in the list of addresses. */
bool toll_dwarf_address_of(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                           const toll_dwarf_entry *entry, toll_dwarf_field field, uint64_t *out);

/* Get the address with that number in the unit's list of addresses. */
bool toll_dwarf_indexed_address(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                                uint64_t index, uint64_t *out);

/* Is a value of this form an address? (DW_AT_high_pc is an address or a size.) */
bool toll_dwarf_is_address(uint16_t form);

/* Get the offset in .debug_info of the entry that is referred to. False: there is none, or it is in
 * another file, or a type. */
bool toll_dwarf_reference_of(const toll_dwarf_unit *unit, const toll_dwarf_entry *entry,
                             toll_dwarf_field field, uint64_t *out);

#endif

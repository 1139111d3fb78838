/* dwarf_value.h - values of entries of DWARF, by the forms that they have in the file. */
#ifndef TOLL_DWARF_DWARF_VALUE_H
#define TOLL_DWARF_DWARF_VALUE_H

#include "dwarf/dwarf_info.h"

/* Read a value of a form, `constant` being that of the abbreviation. False: the form is not known,
 * or the cursor has failed. */
bool toll_dwarf_read_value(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                           toll_dwarf_cursor *cursor, uint16_t form, int64_t constant,
                           toll_dwarf_value *value);

/* A constant, or an offset of a section. False: there is none. */
bool toll_dwarf_number_of(const toll_dwarf_entry *entry, toll_dwarf_field field, uint64_t *out);

/* A text of the file, borrowed; NULL: there is none. */
const char *toll_dwarf_text_of(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                               const toll_dwarf_entry *entry, toll_dwarf_field field);

/* The same of a value that is in no entry. */
const char *toll_dwarf_text_value(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                                  toll_dwarf_value value);

/* An address. False: there is none, or the list of addresses does not have it. */
bool toll_dwarf_address_of(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                           const toll_dwarf_entry *entry, toll_dwarf_field field, uint64_t *out);

/* The address of that number in the unit's list of addresses. */
bool toll_dwarf_indexed_address(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                                uint64_t index, uint64_t *out);

/* Is a value of this form an address? (DW_AT_high_pc is one, or a size.) */
bool toll_dwarf_is_address(uint16_t form);

/* The offset in .debug_info of the entry that is referred to. False: there is none, or it is in
 * another file, or a type. */
bool toll_dwarf_reference_of(const toll_dwarf_unit *unit, const toll_dwarf_entry *entry,
                             toll_dwarf_field field, uint64_t *out);

#endif

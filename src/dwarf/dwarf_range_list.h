/* dwarf_range_list.h - reads the address ranges of an entry's code: one range, or a list.
 * */
#ifndef TOLL_DWARF_DWARF_RANGE_LIST_H
#define TOLL_DWARF_DWARF_RANGE_LIST_H

#include "dwarf/dwarf_info.h"

typedef struct toll_dwarf_range_list {
    toll_dwarf_cursor list; /* the unread rest of the list */
    uint64_t base;          /* the base address of the next ranges */
    uint64_t begin, end;    /* the only range, if there is no list */
    bool has_one;
} toll_dwarf_range_list;

/* Begin reading the ranges of an entry. There are none if it has no code. */
toll_dwarf_range_list toll_dwarf_ranges_of(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                                           const toll_dwarf_entry *entry);

/* Read the next range. False: there is none, or it cannot be read, or a failure. Each one is
 * counted as work.
 * */
bool toll_dwarf_next_range(toll_dwarf_info *info, const toll_dwarf_unit *unit,
                           toll_dwarf_range_list *ranges, uint64_t *begin, uint64_t *end);

#endif

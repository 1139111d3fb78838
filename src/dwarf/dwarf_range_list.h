/* dwarf_range_list.h - where the code of an entry of DWARF is: one range of addresses, or a list.
 */
#ifndef TOLL_DWARF_DWARF_RANGE_LIST_H
#define TOLL_DWARF_DWARF_RANGE_LIST_H

#include "dwarf/dwarf_info.h"

typedef struct toll_dwarf_range_list {
    toll_dwarf_cursor list; /* what follows of it */
    uint64_t base;          /* to which the ranges that follow are relative */
    uint64_t begin, end;    /* the one range, if there is no list */
    bool has_one;
} toll_dwarf_range_list;

/* The ranges of an entry; none, if it has no code. */
toll_dwarf_range_list toll_dwarf_ranges_of(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                                           const toll_dwarf_entry *entry);

/* The next one. False: there is none, or it cannot be read, or a failure. Each is counted as work.
 */
bool toll_dwarf_next_range(toll_dwarf_info *info, const toll_dwarf_unit *unit,
                           toll_dwarf_range_list *ranges, uint64_t *begin, uint64_t *end);

#endif

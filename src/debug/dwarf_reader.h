/* dwarf_reader.h - the state of reading DWARF, shared by dwarf_read.c (units), dwarf_scopes.c
 * (functions and inlined calls), dwarf_lines.c (files and rows) and dwarf_reader.c. For builds with
 * libdw. */
#ifndef TOLL_DEBUG_DWARF_READER_H
#define TOLL_DEBUG_DWARF_READER_H

#include "base/u64map.h"
#include "debug/dwarf_read.h"

#include <elfutils/libdw.h>

typedef struct toll_dwarf_reader {
    toll_code_file *file;
    toll_dwarf_parts parts;
    toll_address_map *map;
    toll_dwarf_result *result;
    Dwarf *dwarf;
    uint32_t units_done; /* of all units of the file, in order */
    uint64_t batch_size; /* bytes of .debug_info to read before libdw is opened anew */
    bool is_at_end;      /* there are no more units */
    bool no_memory;
    /* Hostile files refer to the same long list or text again and again. So that they take no more
     * time than honest ones, what is read is limited in proportion to the file's size. */
    uint64_t work_left;
    toll_u64map file_ids;  /* libdw's text of a file's name -> its id in map->texts */
    toll_u64map functions; /* an abstract function's entry in .debug_info -> map->functions */
    toll_code_ranges live; /* of the unit that is read: where its functions are */
    bool any_file;         /* of one of its functions the file is known */
} toll_dwarf_reader;

/* Nothing has failed so far. */
static inline bool toll_dwarf_good(const toll_dwarf_reader *r)
{
    return !r->no_memory && !r->result->damage[0];
}

/* Stop, for a reason; all return false. What libdw calls damaged is no memory where errno is
 * ENOMEM: it has no other way to tell them apart. */
bool toll_dwarf_no_memory(toll_dwarf_reader *r);
bool toll_dwarf_damaged(toll_dwarf_reader *r, const char *what);

/* Count work; false if it is more than an honest file makes. */
bool toll_dwarf_work(toll_dwarf_reader *r, uint64_t amount);

/* The id of a text of the file, TOLL_MAP_NONE after a failure. NULL is "". */
uint32_t toll_dwarf_text(toll_dwarf_reader *r, const char *text);

/* A range of addresses of the unit is live code. */
bool toll_dwarf_add_live(toll_dwarf_reader *r, uint64_t begin, uint64_t end);

/* dwarf_lines.c */

/* The id of the file of that number in the line table of the attribute's unit. 0: none. */
uint32_t toll_dwarf_file_of(toll_dwarf_reader *r, Dwarf_Attribute *attribute);

/* Read the rows of a unit's line table that are in its live functions. */
bool toll_dwarf_read_lines(toll_dwarf_reader *r, Dwarf_Die *unit);

/* dwarf_scopes.c */

/* Read the functions and inlined calls of a unit, which has been added to the map. */
bool toll_dwarf_read_scopes(toll_dwarf_reader *r, Dwarf_Die *unit);

#endif

/* dwarf_reader.h - declares the state while DWARF is turned into an address map, and functions
 * for all parts of the reader. The parts are dwarf_read.c (units), dwarf_scopes.c (functions and
 * inlined calls), dwarf_files.c (files and rows), dwarf_split.c (units in separate files) and
 * dwarf_reader.c. */
#ifndef TOLL_DEBUG_DWARF_READER_H
#define TOLL_DEBUG_DWARF_READER_H

#include "debug/dwarf_read.h"
#include "debug/split_file.h"
#include "dwarf/dwarf_info.h"

/* The files of a unit's line table: ids of texts, by number. */
typedef struct toll_dwarf_files {
    uint32_t *ids;
    size_t count;
    bool is_read;
} toll_dwarf_files;

/* The state for split DWARF. A unit in the program's file, the skeleton, has lines and addresses;
 * the same unit in a separate file has functions. */
typedef struct toll_dwarf_split {
    const toll_split_source *source; /* NULL if no other files are read */
    toll_split_file package;         /* the file's .dwp */
    char package_name[512];
    toll_split_file single;      /* the last .dwo file read */
    bool has_looked;             /* the package has been searched */
    uint32_t single_name;        /* id of its name; TOLL_MAP_NONE: none was read yet */
    toll_split_loss single_loss; /* TOLL_SPLIT_LOSSES if it was read */
    toll_u64map names;           /* ids of names: the .dwo files that have added to work_left */
    toll_u64map functions;       /* like the reader's `functions`, for the current unit */
} toll_dwarf_split;

typedef struct toll_dwarf_reader {
    const toll_code_file *file;
    toll_dwarf_parts parts;
    toll_address_map *map;
    toll_dwarf_result *result;
    uint64_t work_left; /* proportional to the size of the files: see dwarf_info.h */
    toll_dwarf_info info;
    toll_dwarf_files *files; /* by unit of `info` */
    toll_u64map functions;   /* the offset of a function's entry -> map->functions */
    /* The unit being read: */
    toll_dwarf_info *from;     /* `info`, or that of the separate file of split DWARF */
    toll_dwarf_unit *skeleton; /* the unit with its line table: the unit itself unless it is
                                * split */
    toll_code_ranges live;     /* the ranges of its functions */
    bool any_file;             /* the file of at least one of its functions is known */
    toll_dwarf_split split;
} toll_dwarf_reader;

/* Has nothing failed so far? */
static inline bool toll_dwarf_good(const toll_dwarf_reader *r)
{
    return toll_dwarf_info_good(r->from);
}

/* Stop for a reason. Both return false. */
bool toll_dwarf_no_memory(toll_dwarf_reader *r);
bool toll_dwarf_damaged(toll_dwarf_reader *r, const char *what);

/* The id of a text of the file; TOLL_MAP_NONE after a failure. NULL counts as "". */
uint32_t toll_dwarf_text(toll_dwarf_reader *r, const char *text);

/* Record that a range of addresses of the unit is live code. */
bool toll_dwarf_add_live(toll_dwarf_reader *r, uint64_t begin, uint64_t end);

/* dwarf_split.c */

/* Read the functions of a skeleton from its separate file. *found is false if the file is missing
 * or not usable; that has been counted. */
bool toll_dwarf_read_split(toll_dwarf_reader *r, toll_dwarf_unit *skeleton, bool *found);

void toll_dwarf_split_init(toll_dwarf_reader *r, const toll_split_source *source);
void toll_dwarf_split_free(toll_dwarf_reader *r);

/* dwarf_files.c */

/* The id of the file with that number in the line table of a unit of r->info; 0: none. */
uint32_t toll_dwarf_file_of(toll_dwarf_reader *r, toll_dwarf_unit *unit, uint64_t number);

/* Read the rows of a unit's line table that are in its live functions. */
bool toll_dwarf_read_lines(toll_dwarf_reader *r, toll_dwarf_unit *unit);

/* dwarf_scopes.c */

/* Read the functions and inlined calls of a unit of r->from that has been added to the map. */
bool toll_dwarf_read_scopes(toll_dwarf_reader *r, const toll_dwarf_unit *unit);

#endif

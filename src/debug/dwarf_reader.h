/* dwarf_reader.h - the state of reading DWARF, shared by dwarf_read.c (units), dwarf_scopes.c
 * (functions and inlined calls), dwarf_lines.c (files and rows), dwarf_ranges.c (addresses),
 * dwarf_split.c (units in files of their own) and dwarf_reader.c. For builds with libdw. */
#ifndef TOLL_DEBUG_DWARF_READER_H
#define TOLL_DEBUG_DWARF_READER_H

#include "base/u64map.h"
#include "debug/dwarf_read.h"
#include "debug/split_file.h"

#include <elfutils/libdw.h>
#include <setjmp.h>

/* Bytes that are read here and not by libdw. */
typedef struct toll_dwarf_bytes {
    const uint8_t *data;
    size_t size;
} toll_dwarf_bytes;

/* Split DWARF. A unit in the file itself, the skeleton, has lines; the same unit in a file of its
 * own has functions, whose addresses are numbers of the file's list of addresses. libdw would open
 * that other file by the path in the skeleton, and wants ELF. So it gets the other unit as an image
 * of its own, and what that refers to in the skeleton is looked up here (dwarf_ranges.c). */
typedef struct toll_dwarf_split {
    const toll_split_source *source; /* NULL: no other files are read */
    toll_split_file package;         /* the file's .dwp */
    char package_name[512];
    toll_split_file single;      /* the .dwo file that was read last */
    bool has_looked;             /* for the package */
    uint32_t single_name;        /* a text; TOLL_MAP_NONE: none was read yet */
    toll_split_loss single_loss; /* TOLL_SPLIT_LOSSES: it was read */
    toll_u64map names;           /* texts: .dwo files for which there was more work to do */
    Elf *elf;                    /* of the image at hand */
    Dwarf *dwarf;
    bool is_open;                       /* a unit of such a file is being read: */
    Dwarf_Die skeleton;                 /* the same unit in the file itself */
    toll_dwarf_bytes entries;           /* the other unit */
    toll_dwarf_bytes addresses, ranges; /* its lists of addresses, and of ranges */
    uint64_t base;                      /* of ranges that are relative */
    uint8_t address_size, offset_size;
    uint16_t version;
    toll_u64map functions; /* as the reader's */
} toll_dwarf_split;

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
    toll_dwarf_split split;
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

/* Open libdw on a file; NULL after a failure. When memory runs out in it, libdw is left by a jump;
 * what is open is then closed at the end of reading. */
Dwarf *toll_dwarf_begin(toll_dwarf_reader *r, Elf *elf);

/* Where to jump; NULL: libdw is no longer in use. */
void toll_dwarf_leave_to(jmp_buf *where);

/* Is there memory for what libdw makes of the next unit? False: no, the reader has failed. */
bool toll_dwarf_reserve(toll_dwarf_reader *r);

/* dwarf_ranges.c */

/* The address that an attribute has. */
bool toll_dwarf_address(const toll_dwarf_reader *r, Dwarf_Attribute *attribute, uint64_t *address);

/* The ranges of addresses of an entry, one after the other. */
typedef struct toll_dwarf_ranges {
    Dwarf_Die *die;
    ptrdiff_t at;  /* libdw's; in a split unit 0: before the first */
    size_t next;   /* of a split unit's: in split.ranges */
    uint64_t base; /* of the entries that follow */
} toll_dwarf_ranges;

/* False: there are no more, or the reader has failed. Counts work. */
bool toll_dwarf_next_range(toll_dwarf_reader *r, toll_dwarf_ranges *ranges, toll_code_range *out);

/* dwarf_split.c */

/* Read the functions of a unit, a skeleton, from its other file. *found is false if that is not
 * there, or not of use, which has been counted. */
bool toll_dwarf_read_split(toll_dwarf_reader *r, Dwarf_Die *skeleton, bool *found);

void toll_dwarf_split_init(toll_dwarf_reader *r, const toll_split_source *source);
void toll_dwarf_split_free(toll_dwarf_reader *r); /* also what a jump out of libdw left open */

/* dwarf_lines.c */

/* The id of the file of that number in the line table of the attribute's unit. 0: none. */
uint32_t toll_dwarf_file_of(toll_dwarf_reader *r, Dwarf_Attribute *attribute);

/* Read the rows of a unit's line table that are in its live functions. */
bool toll_dwarf_read_lines(toll_dwarf_reader *r, Dwarf_Die *unit);

/* dwarf_scopes.c */

/* Read the functions and inlined calls of a unit, which has been added to the map. */
bool toll_dwarf_read_scopes(toll_dwarf_reader *r, Dwarf_Die *unit);

#endif

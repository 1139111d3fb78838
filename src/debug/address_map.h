/* address_map.h - what is known of each address of a program's code: the function whose code it is,
 * the calls that were inlined there, and the line.
 *
 * Built once, by readers of debug information, in three steps: add what the file says, finish,
 * look up. Addresses are those of the debug information: in a WebAssembly module they count from
 * the first byte of the code section's contents, in an ELF file they are virtual ones.
 *
 * A body is where a function's code is, and its name, as the symbol table (ELF) or the name section
 * (WebAssembly) has it. Bodies do not overlap.
 *
 * A unit is one compiled source file, with the rows of its line table.
 *
 * A scope is a subprogram of DWARF, or a call that was inlined in one: the scope around it is its
 * parent. A unit without any subprogram may have a scope that is no function, for its rows.
 *
 * A piece is a range of addresses, and the scope it belongs to. Pieces may overlap while they are
 * added; then one of them counts. Of several units it is that of the first: linkers keep the first
 * of several copies of an inline function, and let the debug information of all of them refer to
 * it. Within a unit it is the piece of the scope that was added last, which is the innermost one,
 * as scopes are added before the scopes within them.
 *
 * Owns all of it, and the texts. */
#ifndef TOLL_DEBUG_ADDRESS_MAP_H
#define TOLL_DEBUG_ADDRESS_MAP_H

#include "base/strtab.h"

#include <toll/error.h>

typedef struct toll_map_body {
    uint64_t begin, end;
    uint32_t system_name;
} toll_map_body;

typedef struct toll_map_unit {
    size_t first_row, row_count;
} toll_map_unit;

typedef struct toll_map_row {
    uint64_t address; /* and up to that of the next row */
    uint32_t file, line, column;
    bool is_end; /* no row's line holds from here on */
} toll_map_row;

/* A function as the source has it; many inlined calls share one. */
typedef struct toll_map_function {
    uint32_t system_name; /* the linker's */
    uint32_t plain_name;  /* without namespaces and parameters, if there is a linker's; else 0 */
    uint32_t file, line;
} toll_map_function;

typedef struct toll_map_scope {
    uint32_t parent; /* TOLL_MAP_NONE: a subprogram, or a unit's scope */
    uint32_t unit;
    uint32_t function;                          /* TOLL_MAP_NONE: it is a unit's scope */
    uint32_t call_file, call_line, call_column; /* where the inlined call was written */
} toll_map_scope;

typedef struct toll_map_piece {
    uint64_t begin, end;
    uint32_t scope;
} toll_map_piece;

#define TOLL_MAP_NONE UINT32_MAX

typedef struct toll_address_map {
    toll_mem mem;
    toll_strtab texts;
    toll_map_body *bodies;
    size_t body_count, body_capacity;
    toll_map_unit *units;
    size_t unit_count, unit_capacity;
    toll_map_row *rows;
    size_t row_count, row_capacity;
    toll_map_function *functions;
    size_t function_count, function_capacity;
    toll_map_scope *scopes;
    size_t scope_count, scope_capacity;
    toll_map_piece *pieces; /* finished: by address, without overlaps */
    size_t piece_count, piece_capacity;
    toll_map_piece *extents; /* finished: neighbouring pieces of one subprogram joined, of it */
    size_t extent_count, extent_capacity;
    uint32_t *shown; /* finished: by id of a text, that of the text demangled */
    size_t shown_count;
    bool any_line; /* there is a row with a line */
} toll_address_map;

void toll_address_map_init(toll_address_map *map, const toll_mem *mem);
void toll_address_map_free(toll_address_map *map);

/* The id of a text, TOLL_MAP_NONE: no memory. What is not valid UTF-8 in it is replaced. */
uint32_t toll_address_map_text(toll_address_map *map, const char *text, size_t size);

/* Add one of each; false: no memory. */
bool toll_address_map_add_body(toll_address_map *map, toll_map_body body);
bool toll_address_map_add_unit(toll_address_map *map, uint32_t *out);
bool toll_address_map_add_row(toll_address_map *map, toll_map_row row); /* of the newest unit */
bool toll_address_map_add_function(toll_address_map *map, toll_map_function function,
                                   uint32_t *out);
bool toll_address_map_add_scope(toll_address_map *map, toll_map_scope scope, uint32_t *out);
bool toll_address_map_add_piece(toll_address_map *map, toll_map_piece piece);

/* Remove all but bodies and texts: what was read of the debug information is of no use. */
void toll_address_map_drop_lines(toll_address_map *map);

/* How many scopes, their functions and pieces there are; and remove those that came later. */
typedef struct toll_map_mark {
    size_t functions, scopes, pieces;
} toll_map_mark;

toll_map_mark toll_address_map_mark(const toll_address_map *map);
void toll_address_map_drop_scopes(toll_address_map *map, toll_map_mark mark);

/* Order the bodies; after this they can be looked up. */
void toll_address_map_sort_bodies(toll_address_map *map);

/* All is added. False: no memory. */
bool toll_address_map_finish(toll_address_map *map);

/* The body that holds `address`, or NULL. */
const toll_map_body *toll_address_map_body(const toll_address_map *map, uint64_t address);

/* The piece that holds `address`, or NULL. */
const toll_map_piece *toll_address_map_piece(const toll_address_map *map, uint64_t address);

/* From the first piece of the subprogram around `address` to the last without a gap; NULL: the
 * address is in none. `scope` of it is the subprogram's. */
const toll_map_piece *toll_address_map_extent(const toll_address_map *map, uint64_t address);

/* The first row with a line of the code from `begin` up to `end`, which is in `unit`; or NULL. */
const toll_map_row *toll_address_map_first_row(const toll_address_map *map, uint32_t unit,
                                               uint64_t begin, uint64_t end);

/* The row that holds for `address`, which is in `unit`; or NULL. TOLL_MAP_NONE: in no scope, which
 * is in the one unit of a file that has lines alone. */
const toll_map_row *toll_address_map_row(const toll_address_map *map, uint32_t unit,
                                         uint64_t address);

#endif

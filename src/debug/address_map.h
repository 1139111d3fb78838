/* address_map.h - maps each address of a program's code to its function, the calls that were
 * inlined there, and the line.
 *
 * Readers of debug information build it once, in three steps: add what the file contains, finish,
 * look up. Addresses are those of the debug information: in a WebAssembly module they count from
 * the first byte of the code section's contents, in an ELF file they are virtual ones.
 *
 * A body is the range of a function's code, with its name from the symbol table (ELF) or the name
 * section (WebAssembly). Bodies do not overlap.
 *
 * A unit is one compiled source file, with the rows of its line table.
 *
 * A scope is a DWARF subprogram, or a call that was inlined in one; the enclosing scope is its
 * parent. A unit without any subprogram may have a scope that is not a function, for its rows.
 *
 * A piece is a range of addresses, and the scope that it belongs to. Pieces may overlap while they
 * are added; then one of them counts. Among several units it is the piece of the first unit:
 * linkers keep the first of several copies of an inline function, and the debug information of all
 * copies refers to it. Within a unit it is the piece of the scope that was added last: the
 * innermost one, since scopes are added before the scopes within them.
 *
 * It owns all of this, and the texts. */
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
    uint64_t address; /* valid from here up to the next row's address */
    uint32_t file, line, column;
    bool is_end; /* no line is valid from here on */
} toll_map_row;

/* A function in the source; many inlined calls share one. */
typedef struct toll_map_function {
    uint32_t system_name; /* the linker's name */
    uint32_t plain_name;  /* without namespaces and parameters, if there is a linker's name; else
                           * 0 */
    uint32_t file, line;
} toll_map_function;

typedef struct toll_map_scope {
    uint32_t parent; /* TOLL_MAP_NONE for a subprogram, or a unit's scope */
    uint32_t unit;
    uint32_t function;                          /* TOLL_MAP_NONE for a unit's scope */
    uint32_t call_file, call_line, call_column; /* the source position of the inlined call */
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
    toll_map_piece *pieces; /* when finished: by address, without overlaps */
    size_t piece_count, piece_capacity;
    toll_map_piece *extents; /* when finished: adjacent pieces of one subprogram joined, with its
                              * scope */
    size_t extent_count, extent_capacity;
    uint32_t *shown; /* when finished: by id of a text, the id of the demangled text */
    size_t shown_count;
    bool any_line; /* some row has a line */
} toll_address_map;

void toll_address_map_init(toll_address_map *map, const toll_mem *mem);
void toll_address_map_free(toll_address_map *map);

/* Get the id of a text. TOLL_MAP_NONE: no memory. Invalid UTF-8 in it is replaced. */
uint32_t toll_address_map_text(toll_address_map *map, const char *text, size_t size);

/* Add one item. False: no memory. */
bool toll_address_map_add_body(toll_address_map *map, toll_map_body body);
bool toll_address_map_add_unit(toll_address_map *map, uint32_t *out);
bool toll_address_map_add_row(toll_address_map *map, toll_map_row row); /* of the newest unit */
bool toll_address_map_add_function(toll_address_map *map, toll_map_function function,
                                   uint32_t *out);
bool toll_address_map_add_scope(toll_address_map *map, toll_map_scope scope, uint32_t *out);
bool toll_address_map_add_piece(toll_address_map *map, toll_map_piece piece);

/* Remove everything except bodies and texts: the debug information cannot be used. */
void toll_address_map_drop_lines(toll_address_map *map);

/* Count the scopes, their functions and pieces; and remove those that were added later. */
typedef struct toll_map_mark {
    size_t functions, scopes, pieces;
} toll_map_mark;

toll_map_mark toll_address_map_mark(const toll_address_map *map);
void toll_address_map_drop_scopes(toll_address_map *map, toll_map_mark mark);

/* Sort the bodies; after this they can be looked up. */
void toll_address_map_sort_bodies(toll_address_map *map);

/* Finish, after everything was added. False: no memory. */
bool toll_address_map_finish(toll_address_map *map);

/* The body that contains `address`, or NULL. */
const toll_map_body *toll_address_map_body(const toll_address_map *map, uint64_t address);

/* The piece that contains `address`, or NULL. */
const toll_map_piece *toll_address_map_piece(const toll_address_map *map, uint64_t address);

/* The range of the subprogram around `address`, from its first piece to the last one without a gap;
 * NULL if the address is in none. Its `scope` is the subprogram's. */
const toll_map_piece *toll_address_map_extent(const toll_address_map *map, uint64_t address);

/* The first row with a line in the code from `begin` up to `end`, which must be in `unit`; or
 * NULL. */
const toll_map_row *toll_address_map_first_row(const toll_address_map *map, uint32_t unit,
                                               uint64_t begin, uint64_t end);

/* The row that is valid for `address`, which must be in `unit`; or NULL. TOLL_MAP_NONE: the address
 * is in no scope; a file with nothing but lines has one unit, which is then used. */
const toll_map_row *toll_address_map_row(const toll_address_map *map, uint32_t unit,
                                         uint64_t address);

#endif

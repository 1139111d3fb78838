/* source_map.h - lines from a source map (ECMA-426) of a WebAssembly module, whose "columns" are
 * offsets in the module's file. */
#ifndef TOLL_DEBUG_SOURCE_MAP_H
#define TOLL_DEBUG_SOURCE_MAP_H

#include "base/input.h"
#include "debug/address_map.h"
#include "debug/source_texts.h"

/* Read `in` to its end, and add a unit with its rows to `map`.
 *   code_offset  where in the module's file address 0 is
 *   texts        empty; gets the texts of sources that the map carries, by the names that rows have
 * Texts that are missing, too large or no texts cost no lines. Errors: TOLL_E_SYNTAX,
 * TOLL_E_TRUNCATED, TOLL_E_UNSUPPORTED (a map of maps), TOLL_E_NOMEM, TOLL_E_IO; nothing has been
 * added but texts, or after toll_address_map_drop_lines. */
toll_status toll_source_map_read(toll_input *in, uint64_t code_offset, toll_address_map *map,
                                 toll_source_texts *texts, toll_error *err);

#endif

/* map_pieces.h - makes the pieces of an address map that overlap ones that do not: of several at an
 * address, the one that counts (address_map.h) remains. */
#ifndef TOLL_DEBUG_MAP_PIECES_H
#define TOLL_DEBUG_MAP_PIECES_H

#include "debug/address_map.h"

/* Sort and replace the map's pieces. Adjacent pieces of one scope are joined. False: no memory. */
bool toll_map_pieces_flatten(toll_address_map *map);

#endif

/* function_places.h - the frames of Lua functions, by source, first line and last line. All
 * closures of a function share one frame. */
#ifndef TOLL_LUA_FUNCTION_PLACES_H
#define TOLL_LUA_FUNCTION_PLACES_H

#include "lua_api.h"

#include <stddef.h>
#include <toll/toll.h>

typedef struct known_function {
    char *source;
    int first_line, last_line;
    toll_frame_id frame;
} known_function;

typedef struct function_places {
    known_function *functions;
    size_t count, capacity;
    size_t *slots; /* index + 1 into functions, by hash; 0: free */
    size_t slot_count;
} function_places;

void host_free_places(function_places *places);

/* Find the function at `ar`, which has the fields that lua_getinfo fills for "S". NULL: it is new.
 */
const known_function *host_find_place(const function_places *places, const lua_Debug *ar);

/* Remember the frame of a function that was not found. If memory is short it is not remembered, and
 * its next closure is named again. */
void host_remember_place(function_places *places, const lua_Debug *ar, toll_frame_id frame);

#endif

/* stored_names.h - the name of a function from where it is stored: "string.format",
 * "Account.deposit", "FILE*:write". */
#ifndef TOLL_LUA_STORED_NAMES_H
#define TOLL_LUA_STORED_NAMES_H

#include "lua_api.h"

enum { HOST_NAME_SIZE = 128 }; /* longer names are cut */

/* To be called once for a state, outside of an event, before the first search: it keeps the names
 * of the fields that a search looks up as strings in the registry. A search pushes no string of its
 * own, since that may collect garbage, and a finalizer may end the process in the middle of an
 * event, when no file can be written. It may raise an error for lack of memory. */
void host_keep_field_names(lua_State *L);

/* Where the function on top of the stack is stored, or "". For a C function (`native`) more places
 * are searched. */
void host_stored_name(lua_State *L, bool native, char name[HOST_NAME_SIZE]);

#endif

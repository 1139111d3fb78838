/* stored_names.h - names a function by the table field where it is stored: "string.format",
 * "Account.deposit", "FILE*:write". */
#ifndef TOLL_LUA_STORED_NAMES_H
#define TOLL_LUA_STORED_NAMES_H

#include "lua_api.h"

enum { HOST_NAME_SIZE = 128 }; /* longer names are cut */

/* Store the names of the fields that a search looks up as strings in the registry. To be called
 * once for a state, outside of an event, before the first search. May raise an error for lack of
 * memory.
 *
 * A search must not make a string: that may collect garbage, and a finalizer may end the process in
 * the middle of an event, when no file can be written. */
void host_keep_field_names(lua_State *L);

/* Write where the function on top of the stack is stored, or "", to `name`. For a C function
 * (`native`) more tables are searched. */
void host_stored_name(lua_State *L, bool native, char name[HOST_NAME_SIZE]);

/* The same for a C function that need not be on the stack. */
void host_stored_c_name(lua_State *L, lua_CFunction c, char name[HOST_NAME_SIZE]);

#endif

/* stored_names.h - the name of a function from where it is stored: "string.format",
 * "Account.deposit", "FILE*:write". */
#ifndef TOLL_LUA_STORED_NAMES_H
#define TOLL_LUA_STORED_NAMES_H

#include "lua_api.h"

enum { HOST_NAME_SIZE = 128 }; /* longer names are cut */

/* Where the function on top of the stack is stored, or "". For a C function (`native`) more places
 * are searched. */
void host_stored_name(lua_State *L, bool native, char name[HOST_NAME_SIZE]);

#endif

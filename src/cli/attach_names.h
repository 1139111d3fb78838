/* attach_names.h - names the functions on the stacks of another process that contains Lua.
 *
 * A Lua function has the name that its definition gives it, in the line of its source file:
 * "function Account.deposit(", "local function fib(", "parse = function(". Without the file it is
 * "file.lua:12". A C function has the name in the table with which its library registers it
 * (luaL_Reg), else its place: "libfoo.so+0x1234". */
#ifndef TOLL_CLI_ATTACH_NAMES_H
#define TOLL_CLI_ATTACH_NAMES_H

#include <toll/profile.h>

#include "base/u64map.h"
#include "luastack/lua_walk.h"
#include "luastack/process_memory.h"

typedef struct toll_attach_names {
    toll_profile *profile;         /* borrowed, and so are */
    const toll_mappings *mappings; /* these */
    toll_u64map frames;            /* by a hash of what identifies the function */
    char *source;                  /* the source file read last, and */
    size_t source_size;
    char source_path[512]; /* its path in the process */
} toll_attach_names;

void toll_attach_names_begin(toll_attach_names *names, toll_profile *profile,
                             const toll_mappings *mappings, const toll_mem *mem);
void toll_attach_names_end(toll_attach_names *names);

/* The profile's frame of a function. `walk` is one of the function's state. */
toll_status toll_attach_frame(toll_attach_names *names, const toll_lua_walk *walk,
                              const toll_lua_frame *function, toll_frame_id *frame,
                              toll_error *err);

#endif

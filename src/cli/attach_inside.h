/* attach_inside.h - records another process that contains Lua from within: the Lua module is loaded
 * into it. */
#ifndef TOLL_CLI_ATTACH_INSIDE_H
#define TOLL_CLI_ATTACH_INSIDE_H

#include "job.h"

#include "luastack/lua_find.h"

typedef struct toll_inside_options {
    uint32_t hz; /* so many samples a second; 0: every call */
    uint32_t seconds;
} toll_inside_options;

/* Record for so many seconds, or until SIGINT or SIGTERM arrives. `versions` are those that the
 * process contains. *out is a new profile. Returns an exit status, after a message if it failed. */
int toll_attach_inside(toll_job *job, const toll_mappings *mappings, const toll_lua_states *states,
                       unsigned versions, const toll_inside_options *options, toll_profile **out);

#endif

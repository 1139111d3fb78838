/* attach_sample.h - samples another process that contains Lua, from outside: nothing is loaded into
 * it, and what runs in it is stopped only while its stacks are read. */
#ifndef TOLL_CLI_ATTACH_SAMPLE_H
#define TOLL_CLI_ATTACH_SAMPLE_H

#include <toll/profile.h>

#include "luastack/lua_find.h"

typedef struct toll_attach_options {
    uint32_t hz, seconds;
} toll_attach_options;

/* Sample until the time is over, the process ends, or SIGINT or SIGTERM arrives. *out is a new
 * profile. */
toll_status toll_attach_sample(const toll_mappings *mappings, const toll_lua_states *states,
                               const toll_attach_options *options, const toll_allocator *allocator,
                               toll_profile **out, toll_error *err);

#endif

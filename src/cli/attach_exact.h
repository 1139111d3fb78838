/* attach_exact.h - records every call of another process that contains Lua: the Lua module is
 * loaded into it. */
#ifndef TOLL_CLI_ATTACH_EXACT_H
#define TOLL_CLI_ATTACH_EXACT_H

#include "job.h"

#include "luastack/lua_find.h"

/* Record for so many seconds, or until SIGINT or SIGTERM arrives. `versions` are those that the
 * process contains. *out is a new profile. Returns an exit status, after a message if it failed. */
int toll_attach_exact(toll_job *job, const toll_mappings *mappings, const toll_lua_states *states,
                      unsigned versions, uint32_t seconds, toll_profile **out);

#endif

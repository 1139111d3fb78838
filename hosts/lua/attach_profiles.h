/* attach_profiles.h - where the profiles of toll attach go: into memory that the command
 * reads by a descriptor, since the process may see other files than the command, or may write none.
 */
#ifndef TOLL_LUA_ATTACH_PROFILES_H
#define TOLL_LUA_ATTACH_PROFILES_H

#include <stdbool.h>

#include "lua_profiler.h"

/* Begin with none. Returns the descriptor of the memory; -1: there is none (errno). */
int host_attach_profiles_open(void);

/* Append a profile. After a close it is dropped. May be called in any thread. */
toll_status host_attach_profiles_add(profiler *p, const toll_profile *profile,
                                     const toll_format_options *options, toll_error *err);

/* Forget the memory. `is_alone`: the command is gone, so write the profiles behind its first
 * `taken` bytes to files before that, into a new folder /tmp/toll-attach-*. */
void host_attach_profiles_close(bool is_alone, uint64_t taken);

#endif

/* lua_snapshot.h - the snapshots of a recording that scripts get: userdata with the methods write
 * and report. */
#ifndef TOLL_LUA_LUA_SNAPSHOT_H
#define TOLL_LUA_LUA_SNAPSHOT_H

#include "lua_profiler.h"

/* Raise an error; or return nil and a message, as Lua's io library does, where a request of a
 * server should go on: a file could not be written, or a recording runs already, or does not. */
int host_fail(lua_State *L, const toll_error *err);
int host_fail_softly(lua_State *L, const toll_error *err);

/* Make the types of the userdata, once for each state. */
void host_open_snapshots(lua_State *L);

/* The functions of their metatables; the last one has no name. */
extern const luaL_Reg host_snapshot_methods[];

/* Push a userdata that will own a profile. */
toll_profile **host_push_snapshot(lua_State *L);

/* Write the snapshot, the first value on the stack, to the file named by the value at `first`, in
 * the format named by the next one. Returns what a function of Lua's returns. */
int host_save_snapshot(lua_State *L, int first);

#endif

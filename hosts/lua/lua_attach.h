/* lua_attach.h - records a process in which this module was put by toll attach.
 *
 * The command has toll_attach called in a thread that may be in the middle of Lua. So that function
 * does what a signal's handler may do, and a little more (it may allocate): it has the next
 * instruction of a coroutine, or the host's next call of Lua, begin the recording. */
#ifndef TOLL_LUA_LUA_ATTACH_H
#define TOLL_LUA_LUA_ATTACH_H

#include "lua_api.h"
#include "luastack/attach_request.h"

/* Begin: `begin` is called in each state, protected, at a point where Lua may be called. It sets
 * the state under the control of the signal (lua_control.h), which is its first argument, with so
 * many samples a second as the second says, and its profile goes to attach_profiles.h. Returns the
 * status, whose text says why nothing begins, and which has the address of `end`. */
toll_attach_status *host_attach(const toll_attach_request *request, lua_CFunction begin,
                                toll_attach_status *(*end)(void));

/* End, in the calling thread, what its time has not ended: of states that are not in use there. */
toll_attach_status *host_attach_end(void);

/* Is such a recording on? And: that of a state has ended. */
bool host_attach_is_on(void);
void host_attach_ended(void);

#endif

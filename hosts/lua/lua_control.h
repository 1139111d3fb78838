/* lua_control.h - a signal, or a command, begins and ends a recording of each state that has asked
 * for it. A command (control_socket.h) sends the signal.
 *
 * A signal's handler may not start a recording: Lua may be in the middle of anything. It only
 * requests it; the state's own thread does it at the next point where Lua may be called:
 *   - at the next instruction of the coroutine that runs, by a hook that the handler sets, as Lua's
 *     own interpreter does for SIGINT (code that LuaJIT has compiled has no hooks: it comes when
 * that code ends). Which one runs is read out of memory (running_stack.h); where that cannot be
 * done, a coroutine yields or ends first;
 *   - when the host calls Lua (host_calls.h), also in a coroutine that is not the state's own;
 *   - at the next event of a recording. */
#ifndef TOLL_LUA_LUA_CONTROL_H
#define TOLL_LUA_LUA_CONTROL_H

#include "control_outcome.h"
#include "control_socket.h"
#include "lua_profiler.h"

/* From now on the signals of the options, and commands at its socket, call functions[0] in L's
 * state, protected: an error goes to standard error. It finds out what to do by host_control_wants
 * and host_control_wants_snapshot. It is not called while one of `functions`, which end with a NULL
 * and live as long as the process, runs. To be called in the thread that runs the state. Called
 * again: the signals are others. `answer` is for the socket. Raises an error of Lua's for lack of
 * memory. False: *err says why not. */
bool host_control(lua_State *L, profiler *p, const host_options *options,
                  const lua_CFunction *functions, host_socket_answer *answer, toll_error *err);

/* Handle a signal as that of host_control. False: *err says why not. */
bool host_handle_control(int signal_number, toll_error *err);

/* Is that of host_handle_control still the handler of the signal? */
bool host_is_handled(int signal_number);

/* The signal by which states notice commands if they have no other: a real-time one that the
 * program does not handle, the same for all. 0: *err says why there is none. */
int host_command_signal(toll_error *err);

/* The state, which has control, shall record for toll attach. The caller calls functions[0].
 * `ended` is called once, when that recording ends or the state closes. */
void host_control_on(const profiler *p, void (*ended)(void));

/* That recording has not begun, since there was an error: `ended` is not called. */
void host_control_off(const profiler *p);

/* A recording has ended. */
void host_control_ended(const profiler *p);

/* Have a function called before each call of the host's, as host_before_call is; NULL: none. */
void host_control_attach(void (*function)(lua_State *L));

/* For toll attach: have functions called when it ends the recordings, or its timer does, in a
 * signal's handler; and in a forked process. */
void host_control_watch(void (*ends)(bool by_timer), void (*forked)(void));

/* Has any state control that its program has asked for? */
bool host_has_controls(void);

/* End the recordings of that signal: at once where that can be done in this thread, which waits in
 * the system; else at the next point where a request is taken. */
void host_control_end(int signal_number);

/* What came of the last request; NULL for a state without control. */
host_outcome *host_control_outcome(const profiler *p);

/* Shall the state record? False for a state without control. */
bool host_control_wants(const profiler *p);

/* Shall it write what it has recorded so far? True once for each request. */
bool host_control_wants_snapshot(const profiler *p);

#endif

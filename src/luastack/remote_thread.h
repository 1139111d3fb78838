/* remote_thread.h - a traced thread of another process: stops it, and says whether it may load a
 * library where it is. Linux on x86-64. */
#ifndef TOLL_LUA_REMOTE_THREAD_H
#define TOLL_LUA_REMOTE_THREAD_H

#include <sys/user.h>

#include "process_memory.h"

/* Stop a thread that was seized, and read its registers. Signals that it gets meanwhile are handed
 * on. False: it is gone. */
bool toll_remote_stop(pid_t thread, struct user_regs_struct *registers);

/* While it runs: hand on the signals that it gets. False: it is gone. */
bool toll_remote_hand_on_signals(pid_t thread);

/* May the stopped thread load a library? It waits in the system for something outside; or, unless
 * `waits_only`, it runs code of Lua. And its stack has room. */
bool toll_remote_may_load(const toll_mappings *mappings, const struct user_regs_struct *registers,
                          bool waits_only);

/* Has the thread not ended? One that has cannot be traced. */
bool toll_remote_is_alive(pid_t pid, pid_t thread);

#endif

/* control_signal.h - the signals that may begin and end a recording, and their way to a thread. */
#ifndef TOLL_LUA_CONTROL_SIGNAL_H
#define TOLL_LUA_CONTROL_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include <toll/toll.h>

typedef void host_signal_handler(int signal_number, siginfo_t *info, void *context);

/* The number of the signal of that name: USR1, USR2, URG, WINCH, IO, or a real-time signal's
 * number; 0: of no other signal. */
int host_control_signal(const char *name);

/* Have `handler` called for the signal, while no other signal is handled. False: *err says why not,
 * such as that the program itself handles it. */
bool host_handle_signal(int signal_number, host_signal_handler *handler, toll_error *err);

/* Is the handler still that of the signal? The program may have set its own. */
bool host_has_handler(int signal_number, host_signal_handler *handler);

/* Have the handler called in another thread of this process, whose id is the kernel's; and is a
 * call of the handler such a one? Both may be called in a signal's handler. */
void host_pass_on(int signal_number, pid_t thread);
bool host_is_passed_on(const siginfo_t *info);

#endif

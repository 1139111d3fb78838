/* embed_system.h - declares what the end of a recording needs from the system: signals, forks,
 * threads. embed_posix.c implements it for POSIX systems, embed_no_signals.c for Windows and WASI,
 * which have none of these; each file is empty elsewhere. */
#ifndef TOLL_EMBED_EMBED_SYSTEM_H
#define TOLL_EMBED_EMBED_SYSTEM_H

#include <stdbool.h>

/* The id of this process. Signal handlers may call it. */
unsigned long toll_embed_process(void);

/* Register this thread as the one that runs the VM. */
void toll_embed_set_thread(void);
bool toll_embed_is_vm_thread(void);

/* Wait for some milliseconds. Signal handlers may call it. */
void toll_embed_wait_a_little(void);

/* Call `on_signal` for SIGINT, SIGTERM and SIGHUP, if the signal would end the process. */
void toll_embed_watch_signals(void (*on_signal)(int signal_number));

/* Undo toll_embed_watch_signals, except for handlers that were replaced since. */
void toll_embed_leave_signals(void);

/* Call `on_fork` in each forked child. Call this once in a process. */
void toll_embed_watch_forks(void (*on_fork)(void));

/* End the process by the signal, as without a handler. */
void toll_embed_die(int signal_number);

#endif

/* embed_system.h - what the end of a recording needs of the system: signals, forks, other threads.
 * embed_posix.c has it for POSIX systems, embed_no_signals.c for Windows and WASI, where there are
 * none; each is empty elsewhere. */
#ifndef TOLL_EMBED_EMBED_SYSTEM_H
#define TOLL_EMBED_EMBED_SYSTEM_H

#include <stdbool.h>

/* The number of this process. For signal handlers, too. */
unsigned long toll_embed_process(void);

/* From here on this thread is the one that runs the VM. */
void toll_embed_set_thread(void);
bool toll_embed_is_vm_thread(void);

/* Some milliseconds pass. For signal handlers, too. */
void toll_embed_wait_a_little(void);

/* `on_signal` is called for SIGINT, SIGTERM and SIGHUP, where that would end the process. */
void toll_embed_watch_signals(void (*on_signal)(int signal_number));

/* What toll_embed_watch_signals changed is as before, unless somebody has changed it since. */
void toll_embed_leave_signals(void);

/* Once in a process: `on_fork` is called in each forked child. */
void toll_embed_watch_forks(void (*on_fork)(void));

/* The process ends by the signal, as if nobody had handled it. */
void toll_embed_die(int signal_number);

#endif

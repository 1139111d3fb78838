/* embed_no_signals.c - Windows and WASI, which have no signals and forks to handle. See
 * embed_system.h. */
#include "embed/embed_system.h"

#if defined(_WIN32) || defined(__wasi__)

#ifdef _WIN32
#include <process.h>
#endif

unsigned long toll_embed_process(void)
{
#ifdef _WIN32
    return (unsigned long)_getpid();
#else
    return 1; /* WASI has no process ids */
#endif
}

void toll_embed_set_thread(void)
{
}

bool toll_embed_is_vm_thread(void)
{
    return true;
}

void toll_embed_wait_a_little(void)
{
}

void toll_embed_watch_signals(void (*on_signal)(int signal_number))
{
    (void)on_signal;
}

void toll_embed_leave_signals(void)
{
}

void toll_embed_watch_forks(void (*on_fork)(void))
{
    (void)on_fork;
}

void toll_embed_die(int signal_number)
{
    (void)signal_number;
}

#endif

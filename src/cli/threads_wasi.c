/* threads_wasi.c - implements threads.h on WASI, which has no threads. */
#include "threads.h"

#ifdef __wasi__

void toll_lock_begin(toll_lock *lock)
{
    (void)lock;
}

void toll_lock_take(toll_lock *lock)
{
    (void)lock;
}

void toll_lock_release(toll_lock *lock)
{
    (void)lock;
}

bool toll_thread_start(toll_thread *thread, void (*work)(void *user), void *user)
{
    (void)thread;
    (void)work;
    (void)user;
    return false;
}

void toll_thread_join(toll_thread *thread)
{
    (void)thread;
}

unsigned toll_processor_count(void)
{
    return 1;
}

#endif

/* threads_posix.c - implements threads.h on POSIX systems. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "threads.h"

#if !defined(_WIN32) && !defined(__wasi__)

#include <stdlib.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#endif

void toll_lock_begin(toll_lock *lock)
{
    pthread_mutex_init(&lock->mutex, NULL);
}

void toll_lock_take(toll_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

void toll_lock_release(toll_lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

typedef struct start {
    void (*work)(void *user);
    void *user;
} start;

static void *run(void *given)
{
    start s = *(start *)given;
    free(given);
    s.work(s.user);
    return NULL;
}

bool toll_thread_start(toll_thread *thread, void (*work)(void *user), void *user)
{
    start *s = malloc(sizeof *s);
    if (!s)
        return false;
    *s = (start){ work, user };
    if (pthread_create(&thread->handle, NULL, run, s) == 0)
        return true;
    free(s);
    return false;
}

void toll_thread_join(toll_thread *thread)
{
    pthread_join(thread->handle, NULL);
}

unsigned toll_processor_count(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

#endif

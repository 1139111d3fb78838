/* threads.h - the threads, locks and processor count that toll merge needs. Implemented by
 * threads_posix.c and threads_windows.c; on WASI (threads_wasi.c) starting a thread fails, and the
 * caller does all of the work. */
#ifndef TOLL_CLI_THREADS_H
#define TOLL_CLI_THREADS_H

#include <stdbool.h>

#if defined(_WIN32)
typedef struct toll_lock {
    void *state; /* an SRWLOCK */
} toll_lock;
typedef struct toll_thread {
    void *handle;
} toll_thread;
#elif defined(__wasi__)
typedef struct toll_lock {
    char unused;
} toll_lock;
typedef struct toll_thread {
    char unused;
} toll_thread;
#else
#include <pthread.h>
typedef struct toll_lock {
    pthread_mutex_t mutex;
} toll_lock;
typedef struct toll_thread {
    pthread_t handle;
} toll_thread;
#endif

/* Call before other threads know the lock. A lock needs no cleanup. */
void toll_lock_begin(toll_lock *lock);

void toll_lock_take(toll_lock *lock);
void toll_lock_release(toll_lock *lock);

/* Run work(user) in a new thread. False: the system has no threads, or no more. */
bool toll_thread_start(toll_thread *thread, void (*work)(void *user), void *user);

/* Wait until the thread has ended. Call it once for each started thread. */
void toll_thread_join(toll_thread *thread);

/* How many processors this process may use; at least 1. */
unsigned toll_processor_count(void);

#endif

/* threads_windows.c - implements threads.h on Windows. */
#include "threads.h"

#ifdef _WIN32

#include <process.h>
#include <stdint.h>
#include <stdlib.h>
#include <windows.h>

_Static_assert(sizeof(SRWLOCK) == sizeof(void *), "the state of a toll_lock is an SRWLOCK");

void toll_lock_begin(toll_lock *lock)
{
    InitializeSRWLock((SRWLOCK *)&lock->state);
}

void toll_lock_take(toll_lock *lock)
{
    AcquireSRWLockExclusive((SRWLOCK *)&lock->state);
}

void toll_lock_release(toll_lock *lock)
{
    ReleaseSRWLockExclusive((SRWLOCK *)&lock->state);
}

typedef struct start {
    void (*work)(void *user);
    void *user;
} start;

static unsigned __stdcall run(void *given)
{
    start s = *(start *)given;
    free(given);
    s.work(s.user);
    return 0;
}

bool toll_thread_start(toll_thread *thread, void (*work)(void *user), void *user)
{
    start *s = malloc(sizeof *s);
    if (!s)
        return false;
    *s = (start){ work, user };
    uintptr_t handle = _beginthreadex(NULL, 0, run, s, 0, NULL);
    if (!handle)
        free(s);
    thread->handle = (void *)handle;
    return handle != 0;
}

void toll_thread_join(toll_thread *thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
}

unsigned toll_processor_count(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors ? (unsigned)info.dwNumberOfProcessors : 1;
}

#endif

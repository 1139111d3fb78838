/* unbroken.h - says without a system call whether a thread has been on its processor without a
 * break since it began to watch.
 *
 * Linux lets a thread name a range of code, in a field of its own (rseq(2), "restartable
 * sequences"): whenever the kernel has taken the thread off its processor, or has delivered a
 * signal to it, outside of that range, it sets the field to 0. The range named here is never
 * executed. So as long as the field has its value, there was no break.
 *
 * The C library registers the field for each thread: glibc since 2.35, unless
 * GLIBC_TUNABLES=glibc.pthread.rseq=0. Others in the process may use the field, too, for moments:
 * that looks like a break. */
#ifndef TOLL_BASE_UNBROKEN_H
#define TOLL_BASE_UNBROKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__) && defined(__GLIBC__) && defined(__x86_64__)
#define TOLL_HAVE_UNBROKEN 1
#endif

/* What one clock watches. All fields 0: nothing. */
typedef struct toll_unbroken {
    uint64_t value;           /* of the field; no other watch of this process has the same */
    ptrdiff_t offset;         /* of the field, from the thread pointer */
    const char *thread;       /* the thread pointer of the thread that is watched */
    volatile uint64_t *field; /* of that thread; it must not be read from another one, which may
                                 outlive it */
} toll_unbroken;

/* False: this system, C library or process has no such field. Threads: any. */
bool toll_unbroken_create(toll_unbroken *watch);

/* Threads: the one that is watched, or any if that has ended. */
void toll_unbroken_free(toll_unbroken *watch);

#ifdef TOLL_HAVE_UNBROKEN

static inline const char *toll_thread_pointer(void)
{
    const char *pointer;
    __asm__("mov %%fs:0, %0" : "=r"(pointer));
    return pointer;
}

/* Watch the calling thread from now on. */
static inline void toll_unbroken_begin(toll_unbroken *w)
{
    w->thread = toll_thread_pointer();
    w->field = (volatile uint64_t *)(uintptr_t)(w->thread + w->offset);
    *w->field = w->value;
}

/* Is the calling thread the watched one, and was there no break? */
static inline bool toll_unbroken_is(const toll_unbroken *w)
{
    return toll_thread_pointer() == w->thread && *w->field == w->value;
}

#endif
#endif

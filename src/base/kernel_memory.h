/* kernel_memory.h - an allocator that gets its memory directly from the kernel.
 *
 * A signal may interrupt the program in the middle of malloc, which must not be called again then.
 * So everything that a signal handler allocates to save a profile is allocated here. On Windows and
 * WASI, which have no such handlers, this is the C library's memory.
 *
 * Each use has its own allocator; one thread at a time uses it. */
#ifndef TOLL_BASE_KERNEL_MEMORY_H
#define TOLL_BASE_KERNEL_MEMORY_H

#include <stddef.h>
#include <toll/memory.h>

enum { TOLL_KERNEL_MEMORY_CLASSES = 14 };

/* Small blocks have sizes that are powers of two. They are cut from chunks of 1 MiB, and a freed
 * block goes to the free list of its size. A large block is a separate mapping. All 0: empty. */
typedef struct toll_kernel_memory {
    void *free[TOLL_KERNEL_MEMORY_CLASSES]; /* free blocks of 16 << class bytes; each points to the
                                               next */
    struct toll_kernel_chunk *chunks;
    char *next;  /* the unused rest of the newest chunk, */
    size_t left; /* and its size */
} toll_kernel_memory;

toll_allocator toll_kernel_memory_allocator(toll_kernel_memory *memory);

/* Unmap the chunks, with all small blocks in them. Large blocks must have been freed before. */
void toll_kernel_memory_free(toll_kernel_memory *memory);

#endif

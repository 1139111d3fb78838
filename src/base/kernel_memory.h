/* kernel_memory.h - an allocator whose memory comes straight from the kernel.
 *
 * A signal may end the program in the middle of malloc, which must not be called again then. All
 * that a signal handler allocates to save a profile is therefore allocated here. On Windows and
 * WASI, which have no such handlers, it is the C library's memory.
 *
 * One allocator for each use; one thread at a time uses it. */
#ifndef TOLL_BASE_KERNEL_MEMORY_H
#define TOLL_BASE_KERNEL_MEMORY_H

#include <stddef.h>
#include <toll/memory.h>

enum { TOLL_KERNEL_MEMORY_CLASSES = 14 };

/* Small blocks have sizes that are powers of two. They are cut from chunks of 1 MiB, and a freed
 * block goes to the free list of its size. A large block is a mapping of its own. All 0: empty. */
typedef struct toll_kernel_memory {
    void *free[TOLL_KERNEL_MEMORY_CLASSES]; /* free blocks of 16 << class bytes; each points to the
                                               next */
    struct toll_kernel_chunk *chunks;
    char *next;  /* the unused rest of the newest chunk, */
    size_t left; /* and its size */
} toll_kernel_memory;

toll_allocator toll_kernel_memory_allocator(toll_kernel_memory *memory);

/* Unmaps the chunks, with all small blocks in them. Large blocks must have been freed before. */
void toll_kernel_memory_free(toll_kernel_memory *memory);

#endif

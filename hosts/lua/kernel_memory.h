/* kernel_memory.h - an allocator whose memory comes straight from the kernel.
 *
 * A signal may end the program in the middle of malloc, which must not be called again then. All
 * that the handler reads and writes to save the profile (recorder, timeline, snapshot) is therefore
 * allocated here. One allocator for each profiler; one thread at a time uses it. */
#ifndef TOLL_LUA_KERNEL_MEMORY_H
#define TOLL_LUA_KERNEL_MEMORY_H

#include <stddef.h>
#include <toll/toll.h>

enum { HOST_MEMORY_CLASSES = 14 };

/* Small blocks have sizes that are powers of two. They are cut from chunks of 1 MiB, and a freed
 * block goes to the free list of its size. A large block is a mapping of its own. */
typedef struct host_memory {
    void *free[HOST_MEMORY_CLASSES]; /* free blocks of 16 << class bytes; each points to the next */
    struct host_chunk *chunks;
    char *next;  /* the unused rest of the newest chunk, */
    size_t left; /* and its size */
} host_memory;

toll_allocator host_memory_allocator(host_memory *memory);

/* Unmaps the chunks, with all small blocks in them. Large blocks must have been freed before. */
void host_memory_free(host_memory *memory);

#endif

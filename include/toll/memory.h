/* memory.h - defines where Toll's memory comes from.
 *
 * Every object is created with an allocator (NULL: the C library's) and keeps to it. */
#ifndef TOLL_MEMORY_H
#define TOLL_MEMORY_H

#include <stddef.h>
#include <toll/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One function allocates, resizes and frees, like realloc:
 *   block == NULL, new_size > 0   a new block
 *   block != NULL, new_size > 0   the block moved or resized, its contents kept
 *   new_size == 0                 the block (if any) freed; returns NULL
 * old_size is exactly the size last asked for. Blocks are aligned as malloc's are. NULL for
 * new_size > 0 means "no memory": the old block is then unchanged.
 * `user` is passed through; it must outlive every object made with the allocator. resize must not
 * be NULL: this is not checked. */
typedef struct toll_allocator {
    void *(*resize)(void *user, void *block, size_t old_size, size_t new_size);
    void *user;
} toll_allocator;

/* The C library's allocator: the one that NULL means where an object is created. Threads: any.
 * Since 0.1. */
TOLL_API toll_allocator toll_c_allocator(void);

/* A budget: the C library's allocator with a limit of `limit` bytes in use. Do not copy it once it
 * is in use. One thread at a time. */
typedef struct toll_budget {
    size_t limit; /* bytes */
    size_t used;  /* bytes in use now */
    size_t peak;  /* the most that was ever in use */
    int refused;  /* 1 once an allocation was refused because of the limit */
} toll_budget;

/* An allocator that counts against `budget`, which must outlive all objects made with it. NULL: no
 * limit, which is the C library's allocator. Threads: one at a time may use objects made with it.
 * Since 0.1. */
TOLL_API toll_allocator toll_budget_allocator(toll_budget *budget);

#ifdef __cplusplus
}
#endif
#endif

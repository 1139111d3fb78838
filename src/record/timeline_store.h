/* timeline_store.h - stores the bytes of a timeline: consecutive blocks, in a file or in memory.
 *
 * A block's user writes it and then gives it back. If the file's room can be reserved, a block is a
 * mapping of the file itself: writing takes no system call, and the data outlives the process
 * however it ends. Otherwise a block is memory, which is copied to the file when it is given back,
 * except for the parts that must be in the file at once. Both ways give the same bytes.
 *
 * Owns: the descriptor. Used by timeline*.c only. */
#ifndef TOLL_RECORD_TIMELINE_STORE_H
#define TOLL_RECORD_TIMELINE_STORE_H

#include "base/buffer.h"

#include <toll/error.h>

typedef struct toll_store {
    toll_mem mem;
    int fd;            /* -1: in memory */
    const char *error; /* why the last call failed: the system's text */
    toll_buffer memory;
    uint64_t size;     /* bytes of all blocks so far, and of the header */
    uint64_t reserved; /* bytes of the file, for its blocks and future ones */
    bool maps;         /* the file system can reserve room, so blocks are mapped */
    uint32_t mapped;   /* blocks that are mapped now */
} toll_store;

/* A block; zeroed: none. */
typedef struct toll_store_block {
    uint8_t *data; /* zeroed when new */
    uint64_t offset;
    uint32_t size;
    bool is_mapped;
} toll_store_block;

/* Open a store in memory (fd -1) or in an empty file, whose descriptor the store then owns. */
void toll_store_open(toll_store *store, const toll_mem *mem, int fd);
void toll_store_close(toll_store *store);

/* Add a block of `size` bytes at the end. Errors: TOLL_E_NOMEM, TOLL_E_IO; nothing has changed
 * then. */
toll_status toll_store_add(toll_store *store, uint32_t size, toll_store_block *block);

/* Write these bytes of the block to the file at once, the first byte last. Later bytes of the block
 * may be zero in the file until it is given back. Does nothing for a mapped block, or a store in
 * memory. Errors: TOLL_E_IO. */
toll_status toll_store_put_through(toll_store *store, const toll_store_block *block, size_t from,
                                   size_t size);

/* Give a block back, with its final bytes. Does nothing for a zeroed block. */
toll_status toll_store_give_back(toll_store *store, toll_store_block *block);

/* Free a block without storing more of it. */
void toll_store_drop(toll_store *store, toll_store_block *block);

/* Read bytes of blocks that were given back. False: they cannot be read. */
bool toll_store_read(const toll_store *store, uint64_t offset, void *to, size_t size);

/* End the store: cut the file after the last block. False: errno has the reason. */
bool toll_store_end(toll_store *store);

/* Remove all blocks. They must have been given back or dropped. */
bool toll_store_clear(toll_store *store);

#endif

/* timeline_store.h - the bytes of a timeline: blocks behind one another, in a file or in memory.
 *
 * A block is written by whoever has it, and then given back. In a file whose room can be reserved
 * it is a mapping of the file itself: what is written to it outlives this process, however that
 * ends, and takes no call of the system. Elsewhere it is memory that is copied when it is given
 * back, but for what must be in the file at once. Both leave the same bytes.
 *
 * Owns: the descriptor. Used by timeline*.c only. */
#ifndef TOLL_RECORD_TIMELINE_STORE_H
#define TOLL_RECORD_TIMELINE_STORE_H

#include "base/buffer.h"

#include <toll/error.h>

typedef struct toll_store {
    toll_mem mem;
    int fd;            /* -1: in memory */
    const char *error; /* why the last call failed: a text of the system's */
    toll_buffer memory;
    uint64_t size;     /* bytes of all blocks so far, and of the header */
    uint64_t reserved; /* bytes of the file, its blocks' and those to come */
    bool maps;         /* the file system can reserve */
    uint32_t mapped;   /* blocks that are mapped now */
} toll_store;

/* Zeroed, it is no block. */
typedef struct toll_store_block {
    uint8_t *data; /* zeroed when new */
    uint64_t offset;
    uint32_t size;
    bool is_mapped;
} toll_store_block;

/* A store in memory (fd -1) or in an empty file, which becomes the store's. */
void toll_store_open(toll_store *store, const toll_mem *mem, int fd);
void toll_store_close(toll_store *store);

/* A new block of `size` bytes at the end. TOLL_E_NOMEM, TOLL_E_IO: nothing has changed. */
toll_status toll_store_add(toll_store *store, uint32_t size, toll_store_block *block);

/* What the block has there is in the file from now on; later bytes may be zero there until the
 * block is given back. The first byte is written last. Of a mapped block, or in memory, nothing is
 * to be done. TOLL_E_IO. */
toll_status toll_store_put_through(toll_store *store, const toll_store_block *block, size_t from,
                                   size_t size);

/* Give a block back: its bytes are as they shall stay. Of one that is none nothing happens. */
toll_status toll_store_give_back(toll_store *store, toll_store_block *block);

/* Free a block, and keep nothing that is not kept already. */
void toll_store_drop(toll_store *store, toll_store_block *block);

/* Bytes of blocks that were given back. False: they cannot be read. */
bool toll_store_read(const toll_store *store, uint64_t offset, void *to, size_t size);

/* No block follows: the file ends with the last one. False: the system says why in errno. */
bool toll_store_end(toll_store *store);

/* Forget all blocks, which were given back or dropped. */
bool toll_store_clear(toll_store *store);

#endif

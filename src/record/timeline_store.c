/* timeline_store.c - see timeline_store.h. */
#include "record/timeline_store.h"

#include "base/os.h"

#include <errno.h>
#include <string.h>

/* The file doubles within these bounds: so a short run leaves a small file, and a long one grows
 * its file rarely. A process may have a limited number of mappings, so at most MOST_MAPPED are
 * used. */
enum { LEAST_STEP = 64 * 1024, MOST_STEP = 8 * 1024 * 1024, MOST_MAPPED = 4096 };

void toll_store_open(toll_store *s, const toll_mem *mem, int fd)
{
    *s = (toll_store){ .mem = *mem, .fd = fd, .maps = fd >= 0 };
    toll_buffer_init(&s->memory, mem);
}

void toll_store_close(toll_store *s)
{
    if (s->fd >= 0)
        toll_os_close(s->fd);
    toll_buffer_free(&s->memory);
    s->fd = -1;
}

static toll_status failed(toll_store *s)
{
    s->error = strerror(errno);
    return TOLL_E_IO;
}

/* Reserve room on the disk up to `end`. If that is impossible, later blocks are not mapped. */
static toll_status reserve(toll_store *s, uint64_t end)
{
    uint64_t step = s->reserved < LEAST_STEP  ? LEAST_STEP
                    : s->reserved > MOST_STEP ? MOST_STEP
                                              : s->reserved;
    if (!s->maps || end <= s->reserved)
        return TOLL_OK;
    uint64_t wanted = end - s->reserved > step ? end : s->reserved + step;
    if (toll_os_reserve(s->fd, s->reserved, wanted)) {
        s->reserved = wanted;
        return TOLL_OK;
    }
    if (errno != ENOTSUP)
        return failed(s);
    s->maps = false;
    return TOLL_OK;
}

static bool map(toll_store *s, toll_store_block *block)
{
    if (!s->maps || s->mapped >= MOST_MAPPED)
        return false;
    block->data = toll_os_map(s->fd, block->offset, block->size);
    block->is_mapped = block->data != NULL;
    s->mapped += block->is_mapped;
    return block->is_mapped;
}

toll_status toll_store_add(toll_store *s, uint32_t size, toll_store_block *block)
{
    toll_store_block b = { .offset = s->size, .size = size };
    toll_status status = reserve(s, s->size + size);
    if (status)
        return status;
    if (!map(s, &b))
        b.data = toll_mem_new(&s->mem, size, 1);
    if (!b.data)
        return TOLL_E_NOMEM;
    s->size += size;
    *block = b;
    return TOLL_OK;
}

toll_status toll_store_put_through(toll_store *s, const toll_store_block *b, size_t from,
                                   size_t size)
{
    const uint8_t *first = b->data + from;
    uint64_t at = b->offset + from;
    if (b->is_mapped || s->fd < 0)
        return TOLL_OK;
    return toll_os_write_at(s->fd, first + 1, size - 1, at + 1) &&
                   toll_os_write_at(s->fd, first, 1, at)
               ? TOLL_OK
               : failed(s);
}

/* Copy a block to the store in memory. Blocks are given back in any order; the bytes of earlier
 * ones stay zero until then. */
static toll_status copy_to_memory(toll_store *s, const toll_store_block *b)
{
    size_t end = (size_t)b->offset + b->size;
    if (end > s->memory.size) {
        uint8_t *room = toll_buffer_room(&s->memory, end - s->memory.size);
        if (!room)
            return TOLL_E_NOMEM;
        memset(room, 0, end - s->memory.size);
        s->memory.size = end;
    }
    memcpy(s->memory.data + b->offset, b->data, b->size);
    return TOLL_OK;
}

toll_status toll_store_give_back(toll_store *s, toll_store_block *b)
{
    toll_status status = TOLL_OK;
    if (!b->data)
        return TOLL_OK;
    if (!b->is_mapped && s->fd < 0)
        status = copy_to_memory(s, b);
    else if (!b->is_mapped && !toll_os_write_at(s->fd, b->data, b->size, b->offset))
        status = failed(s);
    toll_store_drop(s, b);
    return status;
}

void toll_store_drop(toll_store *s, toll_store_block *b)
{
    if (!b->data)
        return;
    if (b->is_mapped) {
        toll_os_unmap(b->data, b->size);
        s->mapped--;
    } else {
        toll_mem_free(&s->mem, b->data, b->size, 1);
    }
    *b = (toll_store_block){ 0 };
}

bool toll_store_read(const toll_store *s, uint64_t offset, void *to, size_t size)
{
    if (s->fd >= 0)
        return toll_os_read_at(s->fd, to, size, offset);
    if (offset > s->memory.size || size > s->memory.size - offset)
        return false; /* there was no memory for the block when it was given back */
    memcpy(to, s->memory.data + offset, size);
    return true;
}

bool toll_store_end(toll_store *s)
{
    if (s->fd < 0 || !s->reserved)
        return true;
    s->reserved = s->size;
    return toll_os_set_size(s->fd, s->size);
}

bool toll_store_clear(toll_store *s)
{
    bool empty = s->fd < 0 || toll_os_set_size(s->fd, 0);
    if (!empty)
        failed(s);
    toll_buffer_clear(&s->memory);
    s->size = s->reserved = 0;
    return empty;
}

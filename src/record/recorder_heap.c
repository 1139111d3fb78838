/* recorder_heap.c - allocations by stack. See recorder.h. */
#include "record/recorder_data.h"

/* The order of the heap's columns. */
enum { ALLOC_OBJECTS, ALLOC_SPACE, INUSE_OBJECTS, INUSE_SPACE };

static void remove_from_site(const toll_recorder *r, const toll_block *block)
{
    int64_t *values = block->site->values + r->heap_column;
    values[INUSE_OBJECTS] -= 1;
    values[INUSE_SPACE] -= (int64_t)block->size;
}

static bool recording_heap(toll_recorder *r)
{
    if (!r)
        return false;
    if (r->state == TOLL_RECORDER_STOPPED)
        r->counts[TOLL_COUNT_AFTER_STOP]++;
    return r->heap_column && r->state != TOLL_RECORDER_STOPPED;
}

static void add_block(toll_recorder *r, uint64_t address, uint64_t size)
{
    toll_block block = { address, size, r->track->place.node };
    if (size > INT64_MAX / 2 || r->heap_bytes > INT64_MAX / 2) {
        r->counts[TOLL_COUNT_HEAP_HUGE]++;
        return;
    }
    if (!toll_heap_map_put(&r->heap, block)) {
        r->counts[TOLL_COUNT_HEAP_NOMEM]++;
        return;
    }
    r->heap_bytes += size;
    int64_t *values = block.site->values + r->heap_column;
    values[ALLOC_OBJECTS] += 1;
    values[ALLOC_SPACE] += (int64_t)size;
    values[INUSE_OBJECTS] += 1;
    values[INUSE_SPACE] += (int64_t)size;
}

void toll_recorder_heap_alloc(toll_recorder *r, uint64_t address, uint64_t size_bytes)
{
    toll_block old;
    if (!recording_heap(r))
        return;
    if (toll_heap_map_take(&r->heap, address, &old)) {
        r->counts[TOLL_COUNT_LIVE_ALLOC]++;
        remove_from_site(r, &old);
    }
    add_block(r, address, size_bytes);
}

void toll_recorder_heap_free(toll_recorder *r, uint64_t address)
{
    toll_block block;
    if (!recording_heap(r))
        return;
    if (toll_heap_map_take(&r->heap, address, &block))
        remove_from_site(r, &block);
    else
        r->counts[TOLL_COUNT_UNKNOWN_FREE]++;
}

void toll_recorder_heap_realloc(toll_recorder *r, uint64_t old_address, uint64_t new_address,
                                uint64_t new_size_bytes)
{
    toll_recorder_heap_free(r, old_address);
    toll_recorder_heap_alloc(r, new_address, new_size_bytes);
}

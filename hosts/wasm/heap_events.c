/* heap_events.c - see heap_events.h. */
#include "heap_events.h"

#include "delivery.h"

#include <toll/embedder.h>

static uint32_t allocating; /* the depth of the outermost open allocator; 0: none */
static uint32_t instance;   /* instances before the current one, and 1 */

void host_unwind_allocator(uint64_t depth)
{
    if (allocating > depth)
        allocating = 0;
}

void host_heap_next_instance(void)
{
    instance++;
    allocating = 0;
}

/* An allocator is entered. If one allocator calls another (calloc calls malloc), only the outermost
 * one counts. */
void host_allocating(void)
{
    uint32_t now = host_depth();
    if (!allocating || now < allocating)
        allocating = now;
}

/* The number of a block for the recorder. Each instance has a memory of its own, so the same
 * address may be another block. */
static uint64_t name_of_block(uint64_t address)
{
    return address ^ (uint64_t)instance << 48;
}

/* The block at `old_address` is freed, and one of `size` bytes at `new_address` is allocated. An
 * address of 0: no block. */
void host_heap(uint64_t old_address, uint64_t new_address, uint64_t size)
{
    uint64_t old_block = name_of_block(old_address), new_block = name_of_block(new_address);
    if (host_depth() != allocating)
        return;
    allocating = 0;
    if (old_address && new_address)
        toll_recorder_heap_realloc(host_recorder(), old_block, new_block, size);
    else if (new_address)
        toll_recorder_heap_alloc(host_recorder(), new_block, size);
    else if (old_address && !size)
        toll_recorder_heap_free(host_recorder(), old_block);
}

/* heap_events.c - what the guest's allocators report. See wasm_host.h. */
#include "wasm_host.h"

/* Where one allocator calls another (calloc malloc), the outermost one counts. */
void host_allocating(void)
{
    uint32_t now = host_depth();
    if (!host.allocating || now < host.allocating)
        host.allocating = now;
}

/* Each instance has a memory of its own. */
static uint64_t name_of_block(uint64_t address)
{
    return address ^ (uint64_t)host.instance << 48;
}

/* The block at `old_address` is freed, one of `size` bytes at `new_address` is in use; 0: none. */
void host_heap(uint64_t old_address, uint64_t new_address, uint64_t size)
{
    uint64_t old_block = name_of_block(old_address), new_block = name_of_block(new_address);
    if (host_depth() != host.allocating)
        return;
    host.allocating = 0;
    if (old_address && new_address)
        toll_recorder_heap_realloc(host_recorder(), old_block, new_block, size);
    else if (new_address)
        toll_recorder_heap_alloc(host_recorder(), new_block, size);
    else if (old_address && !size)
        toll_recorder_heap_free(host_recorder(), old_block);
}

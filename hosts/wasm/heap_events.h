/* heap_events.h - what the guest's allocators report. Owns the depth of the outermost open one. */
#ifndef TOLL_HOSTS_WASM_HEAP_EVENTS_H
#define TOLL_HOSTS_WASM_HEAP_EVENTS_H

#include <stdint.h>

/* Only functions up to `depth` are still open: an exception may have left the allocator. */
void host_unwind_allocator(uint64_t depth);

/* Another instance begins, with a memory of its own. */
void host_heap_next_instance(void);

#endif

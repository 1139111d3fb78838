/* heap_events.h - handles the reports of the guest's allocators. Owns the depth of the outermost
 * open allocator. */
#ifndef TOLL_HOSTS_WASM_HEAP_EVENTS_H
#define TOLL_HOSTS_WASM_HEAP_EVENTS_H

#include <stdint.h>

/* Only functions up to `depth` are still open: an exception may have unwound the allocator. */
void host_unwind_allocator(uint64_t depth);

/* Another instance begins, with a memory of its own. */
void host_heap_next_instance(void);

#endif

/* gated_events.c - events behind the gate (memory_gate.h). Those of functions are where they are
 * without it. */
#include "memory_gate.h"

uint32_t host_settle_watched(uint32_t event, uint64_t ticks)
{
    host_pass_gate();
    uint32_t result = host_settle(event, ticks);
    host_leave_gate();
    return result;
}

void host_unwind_watched(uint32_t to, uint64_t ticks)
{
    host_pass_gate();
    host_unwind(to, ticks);
    host_leave_gate();
}

void host_allocating_watched(void)
{
    host_pass_gate();
    host_allocating();
    host_leave_gate();
}

void host_heap_watched(uint64_t old_address, uint64_t new_address, uint64_t size)
{
    host_pass_gate();
    host_heap(old_address, new_address, size);
    host_leave_gate();
}

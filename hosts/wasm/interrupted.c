/* interrupted.c - see interrupted.h.
 *
 * When the engine ends the guest within an event, the state is consistent except for four things,
 * which host_recover handles:
 *   - this module's own stack, whose pointer was not reset;
 *   - the pending event, which may be delivered although the guest still has it;
 *   - the timeline, which may lack the frame of the event's call, or still have frames that were
 *     left;
 *   - the allocator: if it was running, its state cannot be repaired, and the recording is lost. */
#include "interrupted.h"

#include "delivery.h"
#include "guest_events.h"
#include "record/timeline_event.h"

#include <stdlib.h>
#include <string.h>
#include <toll/embedder.h>

static void *stack;                 /* of toll.wasm */
static volatile uint32_t allocates; /* the allocator is running */

__asm__(".globaltype __stack_pointer, i32\n");

/* Save the stack pointer; restore it. Neither function has a frame of its own on that stack. */
__attribute__((noinline)) void host_remember_stack(void)
{
    __asm__ volatile("global.get __stack_pointer\n"
                     "local.set %0\n"
                     : "=r"(stack));
}

static __attribute__((noinline)) void restore_stack(void)
{
    __asm__ volatile("local.get %0\n"
                     "global.set __stack_pointer\n"
                     :
                     : "r"(stack));
}

/* The linker makes the library call these wrappers in place of the allocator's own functions. */
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

void *__wrap_realloc(void *block, size_t size)
{
    allocates = 1;
    void *moved = __real_realloc(block, size);
    allocates = 0;
    return moved;
}

void __wrap_free(void *block)
{
    allocates = 1;
    __real_free(block);
    allocates = 0;
}

/* Clear the bytes of a half-written event. False: a new block was being made, so that the state is
 * not known. */
static bool clear_event(const toll_timeline_thread *events)
{
    const toll_store_block *block = &events->block;
    if (!events->block_count)
        return true;
    if (!block->data || events->next < block->data || events->next > block->data + block->size)
        return false;
    size_t left = (size_t)(block->data + block->size - events->next);
    memset(events->next, 0, left < TOLL_EVENT_MOST ? left : TOLL_EVENT_MOST);
    return true;
}

/* Make the timeline's open frames those of the stack: close frames that were left, and open the one
 * of a call. False: it cannot be repaired. */
static bool mend_timeline(toll_recorder *r, bool is_called)
{
    toll_track *t = r->track;
    uint64_t open = 0;
    if (t->timeline_thread != TOLL_NONE) {
        const toll_timeline_thread *events = r->timeline->threads[t->timeline_thread];
        if (!clear_event(events))
            return false;
        open = events->opened - events->closed;
    }
    if (open == t->place.depth)
        return true;
    t->timeline_depth = open;
    for (t->events = &r->no_events; open > t->place.depth; open--) {
        toll_recorder_timeline_close(r, TOLL_NONE);
        t->events = &r->no_events; /* so that timeline_depth counts the open frames */
    }
    if (is_called && open < t->place.depth)
        toll_recorder_timeline_open(r, t->place.node->frame, true);
    return true;
}

static __attribute__((noinline)) int recover(void)
{
    host_interruption was = host_interrupt_events();
    uint32_t depth = host_depth();
    if (allocates)
        return TOLL_IS_LOST;
    toll_recorder *r = host_recorder();
    bool is_called = was.step != HOST_IDLE && depth == was.depth + 1;
    if (r->timeline && !mend_timeline(r, is_called))
        return TOLL_IS_LOST;
    bool is_delivered = was.step == HOST_SECOND || (was.step == HOST_FIRST && depth != was.depth);
    return is_delivered && host_delivery_state() == HOST_PAIRED ? TOLL_IS_SETTLED : 0;
}

int host_recover(void)
{
    restore_stack();
    return recover();
}

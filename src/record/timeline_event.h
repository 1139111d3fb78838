/* timeline_event.h - the fast path of an event on a timeline. See docs/timeline.md for the bytes.
 *
 * The first byte is written last. Before that the block ends before the event, so a process that is
 * killed leaves whole events only. */
#ifndef TOLL_RECORD_TIMELINE_EVENT_H
#define TOLL_RECORD_TIMELINE_EVENT_H

#include "base/wire.h"
#include "record/timeline_data.h"

#include <stdatomic.h>

/* What was written before is in the block before what is written after. */
static inline void toll_publish(uint8_t *at, uint8_t byte)
{
    atomic_signal_fence(memory_order_release);
    *at = byte;
}

/* Write an event at `to`, where there is room; neither axis goes back. Returns the end. */
static inline uint8_t *toll_put_event(const toll_timeline *t, toll_timeline_thread *thread,
                                      uint8_t *to, uint64_t code, uint64_t at, uint64_t second)
{
    uint8_t *first = to++;
    uint8_t byte = (uint8_t)code;
    if (code >= 0x80) {
        byte |= 0x80;
        to = toll_put_varint(to, code >> 7);
    }
    to = toll_put_varint(to, at - thread->last_at);
    thread->last_at = at;
    if (t->has_second) {
        to = toll_put_varint(to, second - thread->last_second);
        thread->last_second = second;
    }
    toll_publish(first, byte);
    return to;
}

/* False: the event needs the general path, and nothing has changed. */
static inline bool toll_fast_event(const toll_timeline *t, toll_timeline_thread *thread,
                                   uint64_t code, uint64_t at, uint64_t second)
{
    if (thread->next >= thread->limit || at < thread->last_at || second < thread->last_second)
        return false;
    thread->next = toll_put_event(t, thread, thread->next, code, at, second);
    return true;
}

#endif

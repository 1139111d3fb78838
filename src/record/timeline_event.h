/* timeline_event.h - the fast path of an event on a timeline. See docs/timeline.md for the bytes.
 *
 * A process that is killed leaves only complete events. The first byte of an event is written last;
 * until then it is 0, which ends the block. Nearly all events have at most eight bytes: they are
 * composed in a register and written by one store. Others are written byte by byte, the first byte
 * last.
 * */
#ifndef TOLL_RECORD_TIMELINE_EVENT_H
#define TOLL_RECORD_TIMELINE_EVENT_H

#include "base/wire.h"
#include "record/timeline_data.h"

#include <stdatomic.h>

/* Write a byte so that it reaches the block after all earlier writes and before all later ones. */
static inline void toll_publish(uint8_t *at, uint8_t byte)
{
    atomic_signal_fence(memory_order_release);
    *at = byte;
}

/* Write an event at `to`, where there is room. Neither axis may go back. Returns the end. */
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
    if (t->has_second)
        to = toll_put_varint(to, second - thread->last_second);
    thread->last_at = at;
    if (t->has_second)
        thread->last_second = second;
    toll_publish(first, byte);
    return to;
}

/* --- short events ------------------------------------------------------------------------------*/

enum {
    TOLL_SHORT_STEP = 1 << 14, /* smaller steps have a varint of one or two bytes */
    TOLL_SHORT_CODE = 1 << 21  /* smaller codes have one of at most three bytes */
};

/* The first bytes of an event: the varint of its code in the lower 24 bits, and the varint's size
 * in the upper 8. 0 if the code needs more than 3 bytes. */
typedef uint32_t toll_code_word;

static const toll_code_word TOLL_CLOSE_WORD = UINT32_C(1) << 24 | TOLL_EVENT_CLOSE;

static inline toll_code_word toll_code_word_of(uint64_t code)
{
    uint8_t bytes[10];
    toll_code_word word = 0;
    if (code >= TOLL_SHORT_CODE)
        return 0;
    unsigned size = (unsigned)(toll_put_varint(bytes, code) - bytes);
    for (unsigned i = 0; i < size; i++)
        word |= (toll_code_word)bytes[i] << 8 * i;
    return word | size << 24;
}

/* Code word of a continued frame; 0 if it needs more than 3 bytes. */
static inline toll_code_word toll_goes_on_word(toll_code_word open)
{
    unsigned size = open >> 24;
    return size && size < 3
               ? (toll_code_word)(size + 1) << 24 | (open & 0xffff) << 8 | TOLL_EVENT_GOES_ON
               : 0;
}

/* The first `size` bytes of a short event; the rest of the word is 0. */
typedef struct toll_event_word {
    uint64_t bytes;
    unsigned size;
} toll_event_word;

static inline toll_event_word toll_begin_word(toll_code_word code)
{
    return (toll_event_word){ code & 0xffffff, code >> 24 };
}

/* Append a short step to the word. */
static inline toll_event_word toll_word_add(toll_event_word w, uint64_t step)
{
    uint64_t upper = step & ~UINT64_C(0x7f), is_long = upper != 0;
    uint64_t varint = step + upper + (is_long << 7); /* `upper` moves up by one bit */
    return (toll_event_word){ w.bytes | varint << 8 * w.size, w.size + 1 + (unsigned)is_long };
}

/* Write the event and advance past it. There is room for the whole word, and the bytes after the
 * event stay 0. On these processors the write is one instruction, so it happens completely or not
 * at all. */
static inline void toll_publish_word(toll_timeline_thread *thread, toll_event_word w)
{
    uint8_t *at = thread->next;
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__wasm__))
    typedef uint64_t __attribute__((aligned(1), may_alias)) unaligned;
    *(volatile unaligned *)at = w.bytes;
#else
    for (unsigned i = 1; i < sizeof w.bytes; i++)
        at[i] = (uint8_t)(w.bytes >> 8 * i);
    toll_publish(at, (uint8_t)w.bytes);
#endif
    thread->next = at + w.size;
}

/* Append an event to a timeline with one axis. Nearly all steps fit into one byte, so the branch is
 * predicted well. False: take the general path; nothing was written. */
static inline bool toll_fast_event(toll_timeline_thread *thread, toll_code_word code, uint64_t at)
{
    uint64_t step = at - thread->last_at; /* a huge number if the counter went back */
    toll_event_word w = toll_begin_word(code);
    if (thread->next >= thread->limit || step >= TOLL_SHORT_STEP || !code)
        return false;
    thread->last_at = at;
    if (step < 0x80)
        toll_publish_word(thread, (toll_event_word){ w.bytes | step << 8 * w.size, w.size + 1 });
    else
        toll_publish_word(thread, toll_word_add(w, step));
    return true;
}

/* The same for two axes, with steps of one or two bytes. */
static inline bool toll_fast_event_of_two(toll_timeline_thread *thread, toll_code_word code,
                                          uint64_t at, uint64_t second)
{
    uint64_t step = at - thread->last_at, second_step = second - thread->last_second;
    if (thread->next >= thread->limit || (step | second_step) >= TOLL_SHORT_STEP || !code)
        return false;
    thread->last_at = at;
    thread->last_second = second;
    toll_publish_word(thread,
                      toll_word_add(toll_word_add(toll_begin_word(code), step), second_step));
    return true;
}

#endif

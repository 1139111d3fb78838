/* guest_events.h - the events that the guest reports: toll/embedder.h's enter, leave and settle,
 * and what makes them quick. Owns the fast path, and which event is being delivered.
 *
 * In the state HOST_PAIRED (delivery.h) the guest keeps every other event in "toll:pending", and
 * reports it together with the one that follows. Steps of such a report:
 *
 *     HOST_IDLE    enter or leave, and the fast path takes both events   HOST_IDLE
 *                  enter or leave, and it does not; settle               HOST_FIRST, or without a
 *                                                                        pending event HOST_SECOND
 *     HOST_FIRST   the pending event is delivered                        HOST_SECOND
 *     HOST_SECOND  the event that follows is delivered; settle ends      HOST_IDLE
 *
 * An engine may end the guest in HOST_FIRST and HOST_SECOND, but not while the fast path delivers:
 * that calls no function, and has no loop. host_recover() then answers for the pending event:
 *
 *     HOST_IDLE    it is still pending, if there is one
 *     HOST_FIRST   it was delivered if the depth has changed; else it is still pending
 *     HOST_SECOND  it was delivered
 *
 * and the step becomes HOST_IDLE.
 *
 * The fast path opens after an event on the general path if delivery.h's table allows it, no frame
 * is folded, recursion is not, and functions are called, not resumed. It closes as soon as anything
 * else uses the recorder (host_recorder). */
#ifndef TOLL_HOSTS_WASM_GUEST_EVENTS_H
#define TOLL_HOSTS_WASM_GUEST_EVENTS_H

#include <stdint.h>

typedef enum host_step {
    HOST_IDLE,   /* no event is being delivered on the general path */
    HOST_FIRST,  /* the pending one is */
    HOST_SECOND, /* the pending one has been, and the one that follows may be under way */
} host_step;

/* What was being delivered when the engine ended the guest, and the depth before it. */
typedef struct host_interruption {
    host_step step;
    uint32_t depth;
} host_interruption;

/* The step becomes HOST_IDLE. */
host_interruption host_interrupt_events(void);

/* The current module, or its frames, have changed. */
void host_use_current_module(void);

/* With sampled time: 1 while an event is being delivered. Another thread reads it. */
const volatile uint32_t *host_busy_word(void);

#endif

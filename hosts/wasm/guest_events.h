/* guest_events.h - the events that the guest reports (enter, leave and settle of toll/embedder.h),
 * and their fast path.
 *
 * Owns the fast path, and which event is being delivered.
 *
 * In the state HOST_PAIRED (delivery.h) the guest keeps every second event in its global
 * "toll:pending", and reports it together with the next one. A report consists of these steps:
 *
 *     HOST_IDLE    enter or leave, and the fast path takes both events   HOST_IDLE
 *                  enter or leave, and it does not; settle               HOST_FIRST, or without a
 *                                                                        pending event HOST_SECOND
 *     HOST_FIRST   the pending event is delivered                        HOST_SECOND
 *     HOST_SECOND  the event that follows is delivered; settle ends      HOST_IDLE
 *
 * An engine may end the guest in HOST_FIRST and HOST_SECOND. It cannot end it in the fast path,
 * which calls no function and has no loop; what clocked_events.c calls behind it is HOST_SECOND.
 * host_recover() then finds out about the pending event:
 *
 *     HOST_IDLE    it is still pending, if there is one
 *     HOST_FIRST   it was delivered if the depth has changed; else it is still pending
 *     HOST_SECOND  it was delivered
 *
 * and the step becomes HOST_IDLE.
 *
 * With time by windows a pair takes the fast path if clocked_time.h has nothing to do at it, and no
 * event stays pending at which the clock may have to be read. Then a single event takes it, too.
 *
 * The fast path opens after an event on the general path if the table in delivery.h allows it, no
 * frame and no recursion is folded, and functions are called, not resumed. It closes as soon as
 * anything else uses the recorder (host_recorder). */
#ifndef TOLL_HOSTS_WASM_GUEST_EVENTS_H
#define TOLL_HOSTS_WASM_GUEST_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum host_step {
    HOST_IDLE,   /* no event is being delivered on the general path */
    HOST_FIRST,  /* the pending event is being delivered */
    HOST_SECOND, /* the pending event is delivered; the next one may be in progress */
} host_step;

/* The step when the engine ended the guest, and the depth before that step's event. */
typedef struct host_interruption {
    host_step step;
    uint32_t depth;
} host_interruption;

/* Values of the guest's toll:pending that are not events (toll/wasm.h): the next event is reported
 * at once; it may stay pending. */
enum { HOST_CLOSED, HOST_OPEN };

/* Deliver the pending event, if there is one, and the next one, on the general path. Returns the
 * new value of the guest's toll:pending. `placed`: of a module with call_lines. */
uint64_t host_one_by_one(uint64_t event, uint64_t then, bool leaves, uint64_t function,
                         uint64_t ticks, bool placed);

/* What happens after events were delivered, and before the guest knows, is a part of HOST_SECOND,
 * too. */
void host_set_step(host_step step);

/* Return from the function that the last event has called, and call it again, a few times, by the
 * fast path alone. Nothing of it is recorded. Returns how many times. */
uint64_t host_repeat(uint64_t function, bool placed);

/* What was interrupted. The step becomes HOST_IDLE. */
host_interruption host_interrupt_events(void);

/* Prepare the fast path for the current module: it, or its frames, have changed. */
void host_use_current_module(void);

#endif

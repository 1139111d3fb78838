/* delivery.h - delivers events to the recorder: owns the recorder, the counters' values at each
 * event, and the state of delivery.
 *
 * An instance of toll.wasm makes one recording, and has one recorder.
 *
 * States:
 *                      an event may stay   each event       the fast path of
 *                      pending in a guest  reads the clock  guest_events.h
 *     HOST_ONE_BY_ONE  no                  no               closed
 *     HOST_PAIRED      yes                 no               may be open, for two events at once
 *     HOST_TIMED       no                  yes              closed
 *     HOST_LAST_TIMED  no                  yes              closed
 *
 * With time by windows (clocked_time.h) events are delivered as without time; where the clock may
 * have to be read, none stays pending. Time that the engine samples (TOLL_RECORD_SAMPLES) needs
 * nothing from events: once sampling has begun, they are delivered as without time.
 *
 * All changes of state:
 *     begin() without time              -> HOST_ONE_BY_ONE, or HOST_PAIRED after settles(1)
 *     begin() with time                 -> HOST_TIMED; by windows: as without time
 *     HOST_ONE_BY_ONE  settles(1)       -> HOST_PAIRED
 *     HOST_PAIRED      settles(0)       -> HOST_ONE_BY_ONE
 *     HOST_TIMED       sampling_begins()    -> HOST_LAST_TIMED
 *     HOST_LAST_TIMED  the next event   -> as without time: HOST_PAIRED or HOST_ONE_BY_ONE
 *
 * How an event changes the stack does not depend on this state: see events.h. */
#ifndef TOLL_HOSTS_WASM_DELIVERY_H
#define TOLL_HOSTS_WASM_DELIVERY_H

#include "record/recorder_data.h"

#include <stdbool.h>
#include <toll/toll.h>

typedef enum host_delivery {
    HOST_ONE_BY_ONE,
    HOST_PAIRED,
    HOST_TIMED,
    HOST_LAST_TIMED
} host_delivery;

host_delivery host_delivery_state(void);

static inline bool host_delivery_is_timed(void)
{
    host_delivery state = host_delivery_state();
    return state == HOST_TIMED || state == HOST_LAST_TIMED;
}

/* The engine has begun to sample (sampling_begins()). TOLL_E_STATE: events do not read the clock.
 */
toll_status host_deliver_sampled(void);

/* Time is by windows: events are delivered as without time. */
void host_deliver_by_windows(void);

/* Make the recorder. The options' counters are ticks, time, both or none, in this order. */
toll_status host_make_recorder(const toll_recorder_options *options, bool has_ticks, bool has_time);

bool host_has_recorder(void);

/* The recorder. Closes the fast path, whose copy (host_fast) is written to the recorder. Traps if
 * there is no recorder: events cannot return a status, and address 0 is ordinary memory in
 * WebAssembly, so using NULL would not trap. */
toll_recorder *host_recorder(void);

/* While the fast path is open: a copy of the recorder's current place at a fixed address. Reading
 * it there saves a seventh of the cost of two events (bench/wasm). Invariant: while `capacity` is
 * not 0, the recorder's own place is out of date, so the recorder is only reached by host_recorder,
 * which copies this one back. */
typedef struct host_fast {
    uint32_t capacity; /* host_frames.capacity; 0: the path is closed */
    toll_node *node;   /* of the innermost frame */
    uint64_t depth;
    uint64_t ticks; /* charged so far */
} host_fast;

/* The address never changes. */
host_fast *host_fast_path(void);
void host_open_fast_path(uint32_t capacity);

bool host_has_ticks(void);
bool host_has_time(void); /* time is a counter, even if events do not read the clock (sampled) */

/* The counters' values at an event: the guest's ticks, and the clock if the state says so. */
const uint64_t *host_counters(uint64_t ticks);

/* The guest's ticks at the last event; 0 without ticks. */
uint64_t host_last_ticks(void);

/* The time at the last reading of the clock, in nanoseconds; 0: it was never read. */
uint64_t host_last_time(void);

/* Note a return from a function that is not the innermost one. `is_open`: the function is open, so
 * deeper ones are left with it; else it is not open at all. */
void host_note_unmatched(bool is_open);

#endif

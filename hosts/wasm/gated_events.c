/* gated_events.c - the events for an embedder that reads this module's memory from another thread
 * while the guest runs.
 *
 * The embedder must not see half an event. So it closes the gate, and waits until stores of other
 * threads have certainly arrived (a millisecond is far more than enough). From then on it may read
 * the memory while the state is not EVENT_HANDLED. Then it opens the gate again. While the gate is
 * closed no event begins: an event waits in host_now.
 *
 * host_now is also called every EVENTS_A_LOOK events while the gate is open. There engines get
 * control that cannot interrupt a guest otherwise; wazero needs that for Go's garbage collector.
 * See toll/embedder.h. */
#include <toll/embedder.h>

enum { NO_EVENT, EVENT_HANDLED, EVENT_WAITS };

/* is_closed is written by another thread, at any time. */
static volatile struct {
    uint32_t is_closed, state;
} gate;

enum { EVENTS_A_LOOK = 1 << 16 }; /* a power of two */

static uint32_t events; /* so far; may wrap */

/* A barrier for the compiler: it moves no store of an event across this. */
#define ALL_IS_STORED() __asm__ volatile("" ::: "memory")

/* The address of the gate's two words. */
const volatile void *host_gate(void)
{
    return &gate;
}

static inline void begin_event(void)
{
    gate.state = EVENT_HANDLED;
    while (gate.is_closed) {
        gate.state = EVENT_WAITS;
        host_now(); /* in which the embedder waits */
        gate.state = EVENT_HANDLED;
    }
    ALL_IS_STORED();
    if (++events % EVENTS_A_LOOK == 0)
        host_now();
}

static inline void end_event(void)
{
    ALL_IS_STORED();
    gate.state = NO_EVENT;
}

uint32_t host_enter_watched(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    begin_event();
    uint32_t result = host_enter(pending, then, function, ticks);
    end_event();
    return result;
}

uint32_t host_leave_watched(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    begin_event();
    uint32_t result = host_leave(pending, then, function, ticks);
    end_event();
    return result;
}

uint32_t host_enter_clocked_watched(uint32_t pending, uint64_t then, uint32_t function,
                                    uint64_t ticks)
{
    begin_event();
    uint32_t result = host_enter_clocked(pending, then, function, ticks);
    end_event();
    return result;
}

uint32_t host_leave_clocked_watched(uint32_t pending, uint64_t then, uint32_t function,
                                    uint64_t ticks)
{
    begin_event();
    uint32_t result = host_leave_clocked(pending, then, function, ticks);
    end_event();
    return result;
}

uint32_t host_settle_watched(uint32_t event, uint64_t ticks)
{
    begin_event();
    uint32_t result = host_settle(event, ticks);
    end_event();
    return result;
}

void host_unwind_watched(uint32_t to, uint64_t ticks)
{
    begin_event();
    host_unwind(to, ticks);
    end_event();
}

void host_allocating_watched(void)
{
    begin_event();
    host_allocating();
    end_event();
}

void host_heap_watched(uint64_t old_address, uint64_t new_address, uint64_t size)
{
    begin_event();
    host_heap(old_address, new_address, size);
    end_event();
}

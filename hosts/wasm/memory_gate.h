/* memory_gate.h - the events for an embedder that reads this module's memory from another thread
 * while the guest runs.
 *
 * The embedder must not see half an event. So it closes the gate, and waits until stores of other
 * threads have certainly arrived (a millisecond is far more than enough). From then on it may read
 * the memory while the state is not HOST_EVENT_HANDLED. Then it opens the gate again. While the
 * gate is closed no event begins: an event waits in host_now.
 *
 * host_now is also called every HOST_EVENTS_A_LOOK events while the gate is open. There engines get
 * control that cannot interrupt a guest otherwise; wazero needs that for Go's garbage collector.
 * See toll/embedder.h. */
#ifndef TOLL_HOSTS_WASM_MEMORY_GATE_H
#define TOLL_HOSTS_WASM_MEMORY_GATE_H

#include <stdint.h>
#include <toll/embedder.h>

typedef enum host_gate_state {
    HOST_NO_EVENT,
    HOST_EVENT_HANDLED,
    HOST_EVENT_WAITS
} host_gate_state;

/* `is_closed` is written by another thread, at any time. */
typedef struct host_gate_words {
    volatile uint32_t is_closed, state;
    uint32_t events; /* so far; may wrap */
} host_gate_words;

/* The address never changes. */
host_gate_words *host_gate_memory(void);

enum { HOST_EVENTS_A_LOOK = 1 << 16 }; /* a power of two */

/* A barrier for the compiler: it moves no store of an event across this. */
#define HOST_ALL_IS_STORED() __asm__ volatile("" ::: "memory")

static inline void host_pass_gate(void)
{
    host_gate_words *gate = host_gate_memory();
    gate->state = HOST_EVENT_HANDLED;
    while (gate->is_closed) {
        gate->state = HOST_EVENT_WAITS;
        host_now(); /* in which the embedder waits */
        gate->state = HOST_EVENT_HANDLED;
    }
    HOST_ALL_IS_STORED();
    if (++gate->events % HOST_EVENTS_A_LOOK == 0)
        host_now();
}

static inline void host_leave_gate(void)
{
    HOST_ALL_IS_STORED();
    host_gate_memory()->state = HOST_NO_EVENT;
}

#endif

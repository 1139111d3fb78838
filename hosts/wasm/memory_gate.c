/* memory_gate.c - see memory_gate.h. */
#include "memory_gate.h"

static host_gate_words gate;

host_gate_words *host_gate_memory(void)
{
    return &gate;
}

/* The address of the gate's two words. */
const volatile void *host_gate(void)
{
    return &gate;
}

/* clock_cost.c - what reading the clock costs. See wasm_host.h.
 *
 * Each event reads the clock, which is a call out of this module. Between two readings lies the end
 * of the first and the beginning of the second: so of the time recorded each reading is about one
 * reading's cost, whatever function that time is charged to. */
#include "wasm_host.h"

/* The number of times that the clock was read for the counters. */
EXPORT("clock_readings") uint64_t host_clock_readings(void)
{
    return host.clock_readings;
}

/* The cost of one reading in nanoseconds: the least mean of `rounds` rounds of `count` readings,
 * since other load on the machine only adds to it. */
EXPORT("clock_cost") double host_clock_cost(uint32_t rounds, uint32_t count)
{
    double least = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        double begin = host_now(), end = begin;
        for (uint32_t j = 0; j < count; j++)
            end = host_now();
        if (i == 0 || end - begin < least)
            least = end - begin;
    }
    return least / count;
}

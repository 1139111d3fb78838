/* clock_cost.c - what reading the clock costs. See wasm_host.h.
 *
 * Each event reads the clock, which is a call out of this module. Between two readings lies the end
 * of the first and the beginning of the second: so of the time recorded each reading is about one
 * reading's cost, whatever function that time is charged to. */
#include "wasm_host.h"

uint64_t host_clock_readings(void)
{
    return host.clock_readings;
}

/* Other load on the machine only adds to a round: so the least is the truth. */
double host_clock_cost(uint32_t rounds, uint32_t count)
{
    double least = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        double begin = host_clock(), end = begin;
        for (uint32_t j = 0; j < count; j++)
            end = host_clock();
        if (i == 0 || end - begin < least)
            least = end - begin;
    }
    return least / count;
}

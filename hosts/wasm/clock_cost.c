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

/* What one reading costs, measured for so long as the clock can tell, but for a tenth of the
 * readings so far at most. The clock seems to stand still meanwhile. */
static double measure_reading(void)
{
    enum { ROUNDS = 5, LEAST = 20, MOST = 10000, ENOUGH_NS = 200000 };
    uint64_t share = host.clock_readings / 100, most = share < MOST ? share : MOST;
    uint32_t count = LEAST;
    double began = host_clock(), each = host_clock_cost(1, count);
    while (count < most && each * count < ENOUGH_NS) {
        count *= 2;
        each = host_clock_cost(1, count);
    }
    each = host_clock_cost(ROUNDS, count);
    host.clock_began += host_clock() - began;
    return each;
}

uint64_t host_clock_overhead(void)
{
    if (!host.clock_readings || host.looks_began)
        return 0;
    if (host.clock_readings > 2 * host.clock_measured) { /* else it is known */
        host.clock_measured = host.clock_readings;
        host.clock_each = measure_reading();
    }
    return (uint64_t)(host.clock_each * (double)host.clock_readings + 0.5);
}

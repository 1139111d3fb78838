/* event_clock.c - see event_clock.h.
 *
 * Each reading is a call out of this module. The time between two readings contains the end of the
 * first call and the begin of the second one. So each reading adds about the cost of one reading to
 * the recorded time, whichever function is charged for it. */
#include "event_clock.h"

#include <toll/embedder.h>

static struct {
    bool uses_wasi;
    int64_t start_ns; /* since 1970 */
    double began;     /* the clock's time then */
    uint64_t readings;
    uint64_t measured_at; /* the number of readings when each_ns was measured */
    double each_ns;       /* the cost of a reading */
} event_clock;

double host_clock(void)
{
    return event_clock.uses_wasi ? host_wasi_now() : host_now();
}

void host_begin_clock(int64_t start_ns, bool uses_wasi, bool reads)
{
    event_clock.start_ns = start_ns;
    event_clock.uses_wasi = uses_wasi;
    if (reads)
        event_clock.began = host_clock();
}

int64_t host_start_ns(void)
{
    return event_clock.start_ns;
}

uint64_t host_read_clock(void)
{
    event_clock.readings++;
    return (uint64_t)(host_clock() - event_clock.began);
}

uint64_t host_clock_readings(void)
{
    return event_clock.readings;
}

/* The cost of a reading: the least of several rounds, since other load on the machine only makes a
 * round longer. */
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

/* Measure the cost of one reading. The number of measured readings grows until the clock resolves
 * their time. It stays small beside the readings so far, so that measuring is cheap. */
static double measure_reading(void)
{
    enum { ROUNDS = 5, LEAST = 20, MOST = 10000, ENOUGH_NS = 200000 };
    uint64_t share = event_clock.readings / 100, most = share < MOST ? share : MOST;
    uint32_t count = LEAST;
    double began = host_clock(), each = host_clock_cost(1, count);
    while (count < most && each * count < ENOUGH_NS) {
        count *= 2;
        each = host_clock_cost(1, count);
    }
    each = host_clock_cost(ROUNDS, count);
    event_clock.began += host_clock() - began;
    return each;
}

uint64_t host_clock_overhead(void)
{
    uint64_t readings = event_clock.readings;
    if (!readings)
        return 0;
    if (readings > 2 * event_clock.measured_at) { /* else each_ns is recent enough */
        event_clock.measured_at = readings;
        event_clock.each_ns = measure_reading();
    }
    return (uint64_t)(event_clock.each_ns * (double)readings + 0.5);
}

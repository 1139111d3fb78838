/* system_clock.h - reads the system's clocks, where an event of a recording does not. */
#ifndef TOLL_LUA_SYSTEM_CLOCK_H
#define TOLL_LUA_SYSTEM_CLOCK_H

#include <stdint.h>
#include <time.h>

enum { HOST_NS_A_SECOND = 1000000000 };

/* In nanoseconds. Safe in a signal's handler. */
static inline uint64_t host_read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * HOST_NS_A_SECOND + (uint64_t)t.tv_nsec;
}

#endif

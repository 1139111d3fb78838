/* cpu_time.c - see cpu_time.h. */
#include "cpu_time.h"

#include <time.h>

uint64_t host_cpu_time_now(host_cpu_time *c, uint64_t thread, uint64_t last)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    uint64_t now = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    if (c->thread && c->thread != thread)
        c->ahead = last - now; /* modulo 2^64, as the sum below */
    c->thread = thread;
    return now + c->ahead;
}

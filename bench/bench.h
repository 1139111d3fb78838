/* bench.h - what benches share: a clock, and giving up loudly. */
#ifndef TOLL_BENCH_H
#define TOLL_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <toll/toll.h>

/* How often to measure: BENCH_ROUNDS in the environment, where the tests only see to it that
 * benches run. */
static inline int bench_rounds(int usual)
{
    const char *text = getenv("BENCH_ROUNDS");
    return text && atoi(text) > 0 ? atoi(text) : usual;
}

/* Seconds on a clock that only goes forward. */
static inline double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#define bench_ok(call)                                                                             \
    do {                                                                                           \
        toll_status bench_status = (call);                                                         \
        if (bench_status) {                                                                        \
            fprintf(stderr, "%s: %s\n", #call, toll_status_name(bench_status));                    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#endif

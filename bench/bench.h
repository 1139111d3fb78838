/* bench.h - for all benches: a clock, and an end with a message on failure. */
#ifndef TOLL_BENCH_H
#define TOLL_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <toll/toll.h>

/* How many rounds to measure: BENCH_ROUNDS in the environment, which tests set to the minimum. */
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

/* Create folder/name, and close such a file. A failure ends the bench. */
static inline FILE *bench_create(const char *folder, const char *name)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f) {
        perror(path);
        exit(1);
    }
    return f;
}

static inline void bench_finish(FILE *f)
{
    if (fclose(f) != 0) {
        perror("closing a file");
        exit(1);
    }
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

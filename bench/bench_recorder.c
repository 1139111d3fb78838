/* bench_recorder.c - the cost of recording, as ratios within one run:
 *
 *   hot    a call and return of the same child again, against two calls of empty functions
 *   wide   calls of 100,000 children of one node in random order, against hot
 *   bytes  memory a node, one counter
 *   timed  hot with the time read at each event: from toll/clock.h, and from clock_gettime
 *
 * Each figure is the least of several rounds, since noise of the machine only adds. */
#include "bench.h"

#include <toll/clock.h>
#include <toll/recorder.h>

enum { ROUNDS = 7, HOT = 5000000, TIMED = 2000000, CHILDREN = 100000, WIDE = 2000000 };

/* Not inlined and with a side effect that a compiler must keep. */
__attribute__((noinline)) static void empty_enter(uint64_t *p)
{
    __asm__ volatile("" : : "r"(p) : "memory");
}

__attribute__((noinline)) static void empty_leave(uint64_t *p)
{
    __asm__ volatile("" : : "r"(p) : "memory");
}

static double empty_pair(void)
{
    uint64_t now = 0;
    double start = bench_now();
    for (int i = 0; i < HOT; i++) {
        empty_enter(&now);
        empty_leave(&now);
    }
    return (bench_now() - start) / HOT;
}

static toll_frame_id frame(toll_recorder *r, int i)
{
    char name[32];
    toll_frame_id id;
    snprintf(name, sizeof name, "f%d", i);
    bench_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = name }, &id, NULL));
    return id;
}

static toll_recorder *recorder(const toll_allocator *allocator)
{
    static const toll_counter ticks = { "ticks", "count", 0 };
    toll_recorder_options o = {
        .size = sizeof o, .allocator = allocator, .counters = &ticks, .counter_count = 1
    };
    toll_recorder *r;
    bench_ok(toll_recorder_create(&o, &r, NULL));
    return r;
}

static double hot_pair(toll_recorder *r, toll_frame_id f)
{
    static uint64_t now = 0;
    double start = bench_now();
    for (int i = 0; i < HOT; i++) {
        now++;
        toll_recorder_call(r, f, &now);
        now++;
        toll_recorder_return(r, &now);
    }
    return (bench_now() - start) / HOT;
}

static double clock_pair(toll_recorder *r, toll_frame_id f, toll_clock *clock)
{
    double start = bench_now();
    for (int i = 0; i < TIMED; i++) {
        uint64_t now = toll_clock_now(clock);
        toll_recorder_call(r, f, &now);
        now = toll_clock_now(clock);
        toll_recorder_return(r, &now);
    }
    return (bench_now() - start) / TIMED;
}

static uint64_t system_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static double system_pair(toll_recorder *r, toll_frame_id f)
{
    double start = bench_now();
    for (int i = 0; i < TIMED; i++) {
        uint64_t now = system_now();
        toll_recorder_call(r, f, &now);
        now = system_now();
        toll_recorder_return(r, &now);
    }
    return (bench_now() - start) / TIMED;
}

static double wide_pair(toll_recorder *r, const uint32_t *order, uint64_t *now)
{
    double start = bench_now();
    for (int i = 0; i < WIDE; i++) {
        (*now)++;
        toll_recorder_call(r, order[i], now);
        (*now)++;
        toll_recorder_return(r, now);
    }
    return (bench_now() - start) / WIDE;
}

/* Children in random order, so that caches and branch predictors do not help. */
static uint32_t *random_order(const toll_frame_id *frames)
{
    uint32_t *order = malloc(WIDE * sizeof *order);
    uint64_t seed = 1;
    for (int i = 0; order && i < WIDE; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        order[i] = frames[(seed >> 33) % CHILDREN];
    }
    return order;
}

static double least(double a, double b)
{
    return a == 0 || b < a ? b : a;
}

/* How much reading a clock at each event adds to `hot`. */
static void bench_clocks(double hot)
{
    toll_clock *clock;
    toll_recorder *r = recorder(NULL), *s = recorder(NULL);
    toll_frame_id in_r = frame(r, 0), in_s = frame(s, 0);
    double own = 0, system = 0;
    int rounds = bench_rounds(ROUNDS);
    bench_ok(toll_clock_create(NULL, &clock, NULL));
    for (int round = 0; round < rounds; round++) {
        own = least(own, clock_pair(r, in_r, clock));
        system = least(system, system_pair(s, in_s));
    }
    printf("recorder: with toll_clock_now    %6.2f ns, %.2f times hot (%s)\n", own * 1e9, own / hot,
           toll_clock_source(clock));
    printf("recorder: with clock_gettime     %6.2f ns, %.2f times hot\n", system * 1e9,
           system / hot);
    toll_clock_free(clock);
    toll_recorder_free(r);
    toll_recorder_free(s);
}

int main(void)
{
    toll_budget budget = { .limit = SIZE_MAX };
    toll_allocator allocator = toll_budget_allocator(&budget);
    toll_recorder *narrow = recorder(NULL), *wide = recorder(&allocator);
    toll_frame_id f = frame(narrow, 0), *frames = malloc(CHILDREN * sizeof *frames);
    uint64_t now = 0;
    double empty = 0, hot = 0, fan = 0;
    for (int i = 0; i < CHILDREN; i++)
        frames[i] = frame(wide, i);
    size_t before = budget.used;
    for (int i = 0; i < CHILDREN; i++) {
        toll_recorder_call(wide, frames[i], &now);
        toll_recorder_return(wide, &now);
    }
    double bytes = (double)(budget.used - before) / CHILDREN;
    uint32_t *order = random_order(frames);
    for (int round = bench_rounds(ROUNDS); round > 0; round--) {
        empty = least(empty, empty_pair());
        hot = least(hot, hot_pair(narrow, f));
        fan = least(fan, wide_pair(wide, order, &now));
    }
    printf("recorder: two empty calls        %6.2f ns\n", empty * 1e9);
    printf("recorder: hot call + return      %6.2f ns, %.2f times empty (goal: 4)\n", hot * 1e9,
           hot / empty);
    printf("recorder: wide call + return     %6.2f ns, %.2f times hot (goal: 10)\n", fan * 1e9,
           fan / hot);
    printf("recorder: memory a node          %6.1f bytes (goal: 64)\n", bytes);
    bench_clocks(hot);
    free(order);
    free(frames);
    toll_recorder_free(narrow);
    toll_recorder_free(wide);
    return 0;
}

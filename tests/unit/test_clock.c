/* test_clock.c - toll/clock.h compared with CLOCK_MONOTONIC, the clock that it reproduces. */
#include "support_arguments.h"

#include "base/os.h"
#include "base/tsc_clock.h"

#include <time.h>

static const int64_t slack_ns = 100000000; /* some microseconds on a busy machine */

static uint64_t monotonic_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Check that `now` is between `before` and `after`, which the system's clock has shown before and
 * after it. */
static void assert_between(uint64_t before, uint64_t now, uint64_t after)
{
    assert_true((int64_t)(now - before) >= -slack_ns);
    assert_true((int64_t)(after - now) >= -slack_ns);
}

static toll_status clock_life(const toll_allocator *allocator, void *user)
{
    (void)user;
    toll_clock *clock = test_stale();
    toll_status status = toll_clock_create(allocator, &clock, NULL);
    if (status)
        assert_null(clock);
    else
        assert_true(toll_clock_now(clock) > 0);
    toll_clock_free(clock);
    return status;
}

static void test_there_may_be_no_memory_for_a_clock(void **state)
{
    (void)state;
    test_every_allocation(clock_life, NULL);
}

/* Over some hundred milliseconds, in which the clock is compared with the system's several times.
 */
static void test_time_goes_on_as_the_systems_does(void **state)
{
    (void)state;
    toll_clock *clock;
    uint64_t last = 0, first = monotonic_now();
    assert_ok(toll_clock_create(NULL, &clock, err));
    const char *source = toll_clock_source(clock);
    assert_true(!strcmp(source, "time stamp counter") || !strcmp(source, toll_os_clock_name()));
    while (last < first + 200000000) {
        uint64_t before = monotonic_now(), now = toll_clock_now(clock);
        assert_between(before, now, monotonic_now());
        assert_true(now >= last);
        last = now;
    }
    toll_clock_free(clock);
}

static void test_without_a_counter_it_is_the_systems_clock(void **state)
{
    (void)state;
    toll_tsc c = { 0 };
    uint64_t before = monotonic_now(), unused, now;
    assert_false(toll_tsc_read(&c, &unused));
    now = toll_tsc_now(&c);
    assert_true(before <= now && now <= monotonic_now());
}

/* The machine has slept, or the process was stopped, so the base of the span is long ago. */
static void test_after_a_sleep_it_catches_up_at_once(void **state)
{
    (void)state;
    toll_tsc c;
    toll_tsc_start(&c);
    if (!c.is_scaled)
        return;
    c.ns_base -= UINT64_C(10000000000);
    c.tsc_base -= TOLL_TSC_SPAN;
    uint64_t before = monotonic_now(), now = toll_tsc_now(&c);
    assert_between(before, now, monotonic_now());
}

/* If the clock is ahead of the system's, it runs slower until they agree; it never runs backwards.
 */
static void test_it_never_goes_back(void **state)
{
    (void)state;
    toll_tsc c;
    toll_tsc_start(&c);
    if (!c.is_scaled)
        return;
    c.ns_base += UINT64_C(10000000000);
    uint64_t last = toll_tsc_now(&c);
    for (int i = 0; i < 1000; i++) {
        c.tsc_base -= TOLL_TSC_SPAN; /* the span is over */
        c.tsc_start -= TOLL_TSC_SPAN;
        uint64_t now = toll_tsc_now(&c);
        assert_true(now >= last);
        last = now;
    }
}

/* After the machine has slept, or after a move to another machine, the counter may have a smaller
 * value. */
static void test_a_counter_that_steps_back_stops_no_clock(void **state)
{
    (void)state;
    static const uint64_t steps[] = { 1, TOLL_TSC_SPAN - 1, (uint64_t)1 << 34, (uint64_t)1 << 50 };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        toll_tsc c;
        toll_tsc_start(&c);
        /* Not what it shows now: this thread may be suspended here until the counter has caught up.
         */
        uint64_t last = c.ns_base, end = monotonic_now() + 100000000;
        c.tsc_base += steps[i];
        c.tsc_start += steps[i];
        while (monotonic_now() < end) {
            uint64_t before = monotonic_now(), now = toll_tsc_now(&c);
            assert_true(now >= last);
            assert_between(before, now, monotonic_now());
            last = now;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_may_be_no_memory_for_a_clock),
        cmocka_unit_test(test_time_goes_on_as_the_systems_does),
        cmocka_unit_test(test_a_counter_that_steps_back_stops_no_clock),
        cmocka_unit_test(test_without_a_counter_it_is_the_systems_clock),
        cmocka_unit_test(test_after_a_sleep_it_catches_up_at_once),
        cmocka_unit_test(test_it_never_goes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

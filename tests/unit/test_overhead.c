/* test_overhead.c - the cost of the profiler's own work is subtracted from the time. */
#include "support_profile.h"

/* A stack: its frame, its parent's node, and its values. */
typedef struct stack {
    toll_frame_id frame;
    toll_node_id parent;
    int64_t calls, time, executions;
} stack;

enum { STACKS = 4 };

/* Frames main, f, g, and a place in f, in these stacks. `time`: the name of its column. */
static toll_profile *make(const toll_allocator *a, const char *time, toll_frame_kind kind_of_g,
                          const stack stacks[STACKS])
{
    const toll_frame frames[] = {
        { .name = "main" },
        { .name = "f", .file = "a.c" },
        { .name = "g", .kind = kind_of_g },
        { .name = "f", .file = "a.c", .at_line = 7 },
    };
    toll_profile *p;
    toll_thread_id thread;
    toll_node_id node;
    assert_ok(toll_profile_create(a, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, time, "nanoseconds", NULL, err));
    assert_ok(toll_profile_add_column(p, "executions", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "main", &thread, err));
    for (size_t i = 0; i < STACKS; i++)
        assert_ok(toll_profile_add_frame(p, &frames[i], NULL, err));
    for (size_t i = 0; i < STACKS; i++) {
        assert_ok(toll_profile_add_child(p, stacks[i].parent, stacks[i].frame, &node, err));
        assert_int_equal(node, i + 1);
        assert_ok(toll_profile_add_self(p, node, 0, stacks[i].calls, err));
        assert_ok(toll_profile_add_self(p, node, 1, stacks[i].time, err));
        assert_ok(toll_profile_add_self(p, node, 2, stacks[i].executions, err));
    }
    return p;
}

/* main calls f twice, which calls g three times in all; f's places are siblings of it. */
static toll_profile *profile(const toll_allocator *a)
{
    static const stack stacks[STACKS] = {
        { 0, 0, 1, 1000, 0 }, { 1, 1, 2, 500, 0 }, { 3, 1, 0, 0, 0 }, { 2, 3, 3, 100, 0 }
    };
    return make(a, "time", TOLL_KIND_FUNCTION, stacks);
}

static void assert_times(const toll_profile *p, int64_t of_main, int64_t f, int64_t place,
                         int64_t g)
{
    assert_int_equal(toll_profile_self(p, 1, 1), of_main);
    assert_int_equal(toll_profile_self(p, 2, 1), f);
    assert_int_equal(toll_profile_self(p, 3, 1), place);
    assert_int_equal(toll_profile_self(p, 4, 1), g);
}

/* 10 ns for each call received, 100 for each made: main 1 and 2, f 2 and 3, g 3 and none. */
static void test_costs_go_to_callee_and_caller(void **state)
{
    (void)state;
    toll_profile *p = profile(NULL);
    uint64_t off;
    assert_ok(toll_profile_take_call_costs(p, 10000, 100000, &off, err));
    assert_times(p, 1000 - 10 - 200, 500 - 20 - 300, 0, 100 - 30);
    assert_int_equal(off, 210 + 320 + 30);
    assert_int_equal(toll_profile_node_count(p), 5);
    toll_profile_free(p);
}

static void test_no_time_becomes_negative(void **state)
{
    (void)state;
    toll_profile *p = profile(NULL);
    uint64_t off;
    assert_ok(toll_profile_take_call_costs(p, UINT64_MAX, 1, &off, err));
    assert_times(p, 0, 0, 0, 0);
    assert_int_equal(off, 1600);
    toll_profile_free(p);
}

/* 6 calls read the clock 12 times: 20 ns each. */
static void test_readings_of_the_clock_are_taken_off(void **state)
{
    (void)state;
    toll_profile *p = profile(NULL), *q;
    uint64_t count;
    assert_ok(toll_profile_add_note(p, TOLL_NOTE_CLOCK, 240, err));
    assert_ok(toll_profile_without_overhead(p, &q, err));
    assert_times(q, 1000 - 60, 500 - 100, 0, 100 - 60);
    assert_int_equal(toll_profile_note_count(q), 2);
    assert_string_equal(toll_profile_note(q, 0, &count),
                        "nanoseconds of reading the clock, taken off the time");
    assert_int_equal(count, 220);
    assert_times(p, 1000, 500, 0, 100);
    toll_profile_free(q);
    toll_profile_free(p);
}

/* Without a note there is no answer; a profile that is without the costs already is copied. */
static void test_costs_that_nothing_tells_of(void **state)
{
    (void)state;
    toll_profile *p = profile(NULL), *q;
    assert_int_equal(toll_profile_without_overhead(p, &q, NULL), TOLL_E_UNSUPPORTED);
    assert_null(q);
    assert_ok(toll_profile_add_note(p, TOLL_NOTE_NOT_IN_TIME, 5, err));
    assert_ok(toll_profile_without_overhead(p, &q, err));
    assert_times(q, 1000, 500, 0, 100);
    assert_int_equal(toll_profile_note_count(q), 1);
    toll_profile_free(q);
    toll_profile_free(p);
}

/* CPU time, in which each call of main and f, guest functions, cost 4 ns in them and 5 in their
 * callers; each call of g, a native one, 7 and 9; and each of 10 executions of a line 2. */
static void test_costs_of_recording(void **state)
{
    (void)state;
    static const stack stacks[STACKS] = {
        { 0, 0, 1, 1000, 0 }, { 1, 1, 2, 500, 0 }, { 3, 1, 0, 300, 10 }, { 2, 3, 3, 100, 0 }
    };
    toll_profile *p = make(NULL, "cpu", TOLL_KIND_NATIVE, stacks), *q;
    uint64_t count;
    const struct {
        const char *text;
        uint64_t ns;
    } notes[] = { { TOLL_NOTE_RECORDING TOLL_RECORDING_CALLED, 3 * 4 },
                  { TOLL_NOTE_RECORDING TOLL_RECORDING_CALLERS, 3 * 5 },
                  { TOLL_NOTE_RECORDING TOLL_RECORDING_CALLED_NATIVE, 3 * 7 },
                  { TOLL_NOTE_RECORDING TOLL_RECORDING_CALLERS_OF_NATIVE, 3 * 9 },
                  { TOLL_NOTE_RECORDING TOLL_RECORDING_LINES, 10 * 2 } };
    for (size_t i = 0; i < 5; i++)
        assert_ok(toll_profile_add_note(p, notes[i].text, notes[i].ns, err));
    assert_ok(toll_profile_without_overhead(p, &q, err));
    assert_times(q, 1000 - 4 - 2 * 5, 500 - 2 * 4 - 3 * 9, 300 - 10 * 2, 100 - 3 * 7);
    assert_int_equal(toll_profile_note_count(q), 1);
    assert_string_equal(toll_profile_note(q, 0, &count),
                        "nanoseconds of recording, taken off the time");
    assert_int_equal(count, 14 + 35 + 20 + 21);
    toll_profile_free(q);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs_go_to_callee_and_caller),
        cmocka_unit_test(test_no_time_becomes_negative),
        cmocka_unit_test(test_readings_of_the_clock_are_taken_off),
        cmocka_unit_test(test_costs_that_nothing_tells_of),
        cmocka_unit_test(test_costs_of_recording),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

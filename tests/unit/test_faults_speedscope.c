/* test_faults_speedscope.c - edge cases of the reader of speedscope files which were untested (see
 * test_faults_readers.c): units, names, and the order of fields and events. */
#include "support.h"

#define FRAMES "\"shared\":{\"frames\":[{\"name\":\"f\"},{\"name\":\"g\"}]},"
#define SAMPLED(fields, weights)                                                                   \
    "\"profiles\":[{\"type\":\"sampled\"," fields ",\"startValue\":0,\"endValue\":9,"              \
    "\"samples\":[[0],[0,1]],\"weights\":" weights "}]}"
#define NAMED(name, unit) "\"name\":\"" name "\",\"unit\":\"" unit "\""
#define EVENTED(unit, events)                                                                      \
    "{" FRAMES "\"profiles\":[{\"type\":\"evented\"," unit "\"name\":\"t\",\"startValue\":0,"      \
    "\"endValue\":9,\"events\":[" events "]}]}"
#define OPEN(frame, at) "{\"type\":\"O\",\"frame\":" frame ",\"at\":" at "}"
#define CLOSE(frame, at) "{\"type\":\"C\",\"frame\":" frame ",\"at\":" at "}"

static toll_profile *read_text(const char *text)
{
    toll_profile *p;
    assert_ok(test_read(NULL, text, strlen(text), "speedscope", &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

static void expect_error(const char *text, toll_status status, const char *said)
{
    toll_profile *p;
    toll_error e = { TOLL_OK, "" };
    assert_int_equal(test_read(NULL, text, strlen(text), "speedscope", &p, &e), status);
    assert_int_equal(strncmp(e.text, said, strlen(said)), 0);
}

/* The one column of a file, and the weight of its first stack. */
static void expect_column(const char *text, const char *thread, const char *type, const char *unit,
                          int64_t weight)
{
    toll_profile *p = read_text(text);
    assert_int_equal(toll_profile_column_count(p), 1);
    assert_string_equal(toll_profile_column(p, 0).type, type);
    assert_string_equal(toll_profile_column(p, 0).unit, unit);
    assert_int_equal(test_self(p, thread, "f", 0), weight);
    toll_profile_free(p);
}

/* speedscope_profile.c: the scale of a unit is off by one. */
static void test_speedscope_times_are_nanoseconds(void **state)
{
    static const struct {
        const char *name, *type, *unit;
        int64_t weight;
    } units[] = {
        { "nanoseconds", "time", "nanoseconds", 3 },
        { "microseconds", "time", "nanoseconds", 3000 },
        { "milliseconds", "time", "nanoseconds", 3000000 },
        { "seconds", "time", "nanoseconds", 3000000000 },
        { "bytes", "space", "bytes", 3 },
        { "none", "samples", "count", 3 },
    };
    char text[1000];
    (void)state;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        snprintf(text, sizeof text, "{" FRAMES SAMPLED(NAMED("t", "%s"), "[3,4]"), units[i].name);
        expect_column(text, "t", units[i].type, units[i].unit, units[i].weight);
    }
}

/* speedscope_profile.c: seconds, whose scale is not 0, are taken for no unit; no unit is taken for
 * one. */
static void test_speedscope_the_unit_comes_first(void **state)
{
    static const char seconds[] =
        EVENTED("\"unit\":\"seconds\",",
                OPEN("0", "1") "," OPEN("1", "2") "," CLOSE("1", "4.5") "," CLOSE("0", "8"));
    toll_profile *p = read_text(seconds);
    (void)state;
    assert_int_equal(test_self(p, "t", "f;g", 1), INT64_C(2500000000));
    assert_int_equal(test_self(p, "t", "f", 1), INT64_C(4500000000));
    assert_int_equal(toll_profile_note_count(p), 0);
    toll_profile_free(p);
    expect_error(EVENTED("", OPEN("0", "1")), TOLL_E_UNSUPPORTED,
                 "file:1: the unit comes after the values; put it before them");
    expect_error("{" FRAMES SAMPLED("\"name\":\"t\"", "[1,2]"), TOLL_E_UNSUPPORTED,
                 "file:1: the unit comes after the values; put it before them");
}

/* speedscope_profile.c: an event may close any frame as long as one is open, or any at all. */
static void test_speedscope_events_close_the_innermost_frame(void **state)
{
    static const char said[] = "file:1: an event closes a frame that is not the innermost one";
    (void)state;
    expect_error(EVENTED("\"unit\":\"none\",", CLOSE("0", "1")), TOLL_E_SYNTAX, said);
    expect_error(EVENTED("\"unit\":\"none\",", OPEN("0", "1") "," CLOSE("1", "2")), TOLL_E_SYNTAX,
                 said);
    expect_error(
        EVENTED("\"unit\":\"none\",", OPEN("0", "1") "," CLOSE("0", "2") "," CLOSE("0", "3")),
        TOLL_E_SYNTAX, said);
}

/* speedscope_profile.c: an event without its time, its frame or its type is accepted. */
static void test_speedscope_events_are_whole(void **state)
{
    static const char *const events[] = {
        "{\"type\":\"O\",\"frame\":0}",
        "{\"type\":\"O\",\"at\":0}",
        "{\"frame\":0,\"at\":0}",
        "{\"type\":\"X\",\"frame\":0,\"at\":0}",
        "{\"type\":\"O\",\"frame\":-1,\"at\":0}",
    };
    char text[1000];
    (void)state;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        snprintf(text, sizeof text, EVENTED("\"unit\":\"none\",", "%s"), events[i]);
        expect_error(text, TOLL_E_SYNTAX,
                     "file:1: an event needs a type O or C, a frame and a time at");
    }
}

/* speedscope_profile.c: the last indices that 32 bits hold are taken for frames. */
static void test_speedscope_frame_indices_are_bounded(void **state)
{
    (void)state;
    expect_error(EVENTED("\"unit\":\"none\",", OPEN("4294967293", "1")), TOLL_E_SYNTAX,
                 "file:1: a frame index is beyond the list of frames");
    expect_error(EVENTED("\"unit\":\"none\",", OPEN("4294967294", "1")), TOLL_E_SYNTAX,
                 "file:1: a frame index is out of range");
    expect_error(EVENTED("\"unit\":\"none\",", OPEN("4294967295", "1")), TOLL_E_SYNTAX,
                 "file:1: a frame index is out of range");
}

/* speedscope_profile.c: values that are rounded are counted down. */
static void test_speedscope_rounded_values_are_counted(void **state)
{
    (void)state;
    toll_profile *p = read_text("{" FRAMES SAMPLED(NAMED("t", "none"), "[1.25,2.5]"));
    assert_int_equal(test_note(p, "fractional values, rounded"), 2);
    toll_profile_free(p);
    p = read_text("{" FRAMES SAMPLED(NAMED("t", "microseconds"), "[1.25,2.0001]"));
    assert_int_equal(test_note(p, "fractional values, rounded"), 1);
    toll_profile_free(p);
    p = read_text(EVENTED("\"unit\":\"none\",", OPEN("0", "1.5") "," CLOSE("0", "2.5")));
    assert_int_equal(test_note(p, "fractional values, rounded"), 2);
    toll_profile_free(p);
}

/* speedscope_order.c: a second profile of one name is not told apart in a timeline; the memory for
 * its frames is freed with another size than it was made with. */
static void test_speedscope_threads_of_a_timeline_have_names_of_their_own(void **state)
{
#define PART                                                                                       \
    "{\"type\":\"evented\",\"name\":\"t\",\"unit\":\"none\",\"startValue\":0,\"endValue\":9,"      \
    "\"events\":[" OPEN("0", "1") "," CLOSE("0", "3") "]}"
    static const char text[] = "{" FRAMES "\"profiles\":[" PART "," PART "]}";
    test_allocator a = { .allowed = SIZE_MAX };
    toll_allocator allocator = { test_resize, &a };
    toll_input *in;
    toll_timeline *timeline;
    toll_profile *p;
    (void)state;
    assert_ok(toll_input_from_memory(&allocator, text, sizeof text - 1, "file", &in, err));
    assert_ok(toll_profile_read(in, "speedscope", NULL, &timeline, &p, err));
    toll_input_free(in);
    const toll_profile *names = toll_timeline_names(timeline);
    assert_int_equal(toll_profile_thread_count(names), 2);
    assert_string_equal(toll_profile_thread_name(names, 0), "t");
    assert_string_equal(toll_profile_thread_name(names, 1), "t #2");
    assert_int_equal(test_self(p, "t", "f", 1), 2);
    assert_int_equal(test_self(p, "t #2", "f", 1), 2);
    toll_timeline_free(timeline);
    toll_profile_free(p);
    assert_int_equal(a.live_bytes, 0);
}

#define OURS(fields) "{\"exporter\":\"toll 1\"," FRAMES SAMPLED(fields, "[3,4]")

/* speedscope_join.c: a unit in brackets is taken out of any name, or of none. */
static void test_speedscope_units_in_our_own_names(void **state)
{
    (void)state;
    expect_column(OURS(NAMED("t: gas [CU]", "none")), "t", "gas", "CU", 3);
    expect_column(OURS(NAMED("t: gas", "none")), "t", "gas", "count", 3);
    expect_column(OURS(NAMED("t: gas [CU", "none")), "t", "gas [CU", "count", 3);
    expect_column(OURS(NAMED("t:  [CU]", "none")), "t", " [CU]", "count", 3);
    expect_column(OURS(NAMED("t: gas [CU]", "bytes")), "t", "gas [CU]", "bytes", 3);
    expect_column("{" FRAMES SAMPLED(NAMED("t: gas [CU]", "none"), "[3,4]"), "t: gas [CU]",
                  "samples", "count", 3);
}

/* speedscope_join.c: any profile of bytes is taken for a snapshot of a heap. */
static void test_speedscope_snapshots_of_heaps_are_our_own(void **state)
{
#define HEAP NAMED("Native Memory Allocations", "bytes")
    (void)state;
    expect_column(OURS(HEAP), "Native Memory Allocations", "inuse_space", "bytes", 3);
    expect_column(OURS(NAMED("t", "bytes")), "t", "space", "bytes", 3);
    expect_column(OURS("\"unit\":\"bytes\""), "", "space", "bytes", 3);
    expect_column("{" FRAMES SAMPLED(HEAP, "[3,4]"), "Native Memory Allocations", "space", "bytes",
                  3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_speedscope_times_are_nanoseconds),
        cmocka_unit_test(test_speedscope_the_unit_comes_first),
        cmocka_unit_test(test_speedscope_events_close_the_innermost_frame),
        cmocka_unit_test(test_speedscope_events_are_whole),
        cmocka_unit_test(test_speedscope_frame_indices_are_bounded),
        cmocka_unit_test(test_speedscope_rounded_values_are_counted),
        cmocka_unit_test(test_speedscope_threads_of_a_timeline_have_names_of_their_own),
        cmocka_unit_test(test_speedscope_units_in_our_own_names),
        cmocka_unit_test(test_speedscope_snapshots_of_heaps_are_our_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

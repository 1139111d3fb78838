/* test_second_axis.c - a timeline of time and ticks: recorded, read, and written. */
#include "support.h"

#include <toll/format.h>
#include <toll/recorder.h>

static const toll_value_type ns = { "time", "nanoseconds" }, ticks = { "ticks", "count" };

typedef struct run {
    toll_timeline *timeline;
    toll_recorder *recorder;
    toll_profile *profile;
} run;

static toll_status begin(const toll_allocator *allocator, run *r)
{
    const toll_counter counters[] = { { "ticks", "count", 0 }, { "time", "nanoseconds", 0 } };
    toll_status status = toll_timeline_create(allocator, ns, 1, &r->timeline, NULL);
    if (!status)
        status = toll_timeline_add_second_axis(r->timeline, ticks, NULL);
    const toll_recorder_options o = { .size = sizeof o,
                                      .allocator = allocator,
                                      .counters = counters,
                                      .counter_count = 2,
                                      .timeline = r->timeline,
                                      .timeline_counter = 1,
                                      .timeline_second = 0 };
    return status ? status : toll_recorder_create(&o, &r->recorder, NULL);
}

/* f called at 10 ns, g at 30, which returns at 31, f at 40: 0, 5, 8 and 9 ticks. */
static toll_status record(const toll_allocator *allocator, run *r)
{
    toll_frame_id f = TOLL_NONE, g = TOLL_NONE;
    toll_status status = begin(allocator, r);
    if (!status)
        status = toll_recorder_add_frame(r->recorder, &(toll_frame){ .name = "f" }, &f, NULL);
    if (!status)
        status = toll_recorder_add_frame(r->recorder, &(toll_frame){ .name = "g" }, &g, NULL);
    if (status)
        return status;
#define AT(ticks, time) ((const uint64_t[]){ 100 + ticks, time })
    toll_recorder_rebase(r->recorder, AT(0, 0));
    toll_recorder_call(r->recorder, f, AT(0, 10));
    toll_recorder_call(r->recorder, g, AT(5, 30));
    toll_recorder_return(r->recorder, AT(8, 31));
    toll_recorder_return(r->recorder, AT(9, 40));
    toll_recorder_stop(r->recorder, AT(9, 40));
#undef AT
    status = toll_timeline_status(r->timeline, NULL);
    return status ? status : toll_recorder_snapshot(r->recorder, allocator, &r->profile, NULL);
}

static void end(run *r)
{
    toll_profile_free(r->profile);
    toll_recorder_free(r->recorder);
    toll_timeline_free(r->timeline);
}

static toll_status write_run(const toll_allocator *allocator, const run *r, const char *format,
                             const char *value, toll_output **out)
{
    const toll_format_options o = { .size = sizeof o,
                                    .value = value,
                                    .flamechart = strcmp(format, "folded") == 0 };
    toll_status status = toll_output_to_memory(allocator, 0, out, NULL);
    if (!status)
        status = toll_profile_write(r->profile, r->timeline, format, &o, *out, NULL);
    return status ? status : toll_output_commit(*out, NULL);
}

static void assert_written(const run *r, const char *format, const char *value, const char *part)
{
    toll_output *out;
    size_t size;
    assert_int_equal(write_run(NULL, r, format, value, &out), TOLL_OK);
    const char *data = toll_output_data(out, &size);
    char *text = calloc(size + 1, 1);
    assert_non_null(text);
    memcpy(text, data, size);
    if (!strstr(text, part))
        fail_msg("%s, %s: %s", format, value ? value : "-", text);
    free(text);
    toll_output_free(out);
}

static void test_second_axis_is_another_one(void **state)
{
    toll_timeline *t;
    toll_value_type axis;
    toll_error e;
    (void)state;
    assert_ok(toll_timeline_create(NULL, ns, 1, &t, err));
    assert_int_equal(toll_timeline_add_second_axis(t, ns, &e), TOLL_E_ARGUMENT);
    assert_string_equal(e.text, "two value types are both 'time' in 'nanoseconds'");
    assert_false(toll_timeline_second_axis(t, &axis));
    assert_ok(toll_timeline_add_second_axis(t, ticks, err));
    assert_true(toll_timeline_second_axis(t, &axis));
    assert_string_equal(axis.type, "ticks");
    assert_int_equal(toll_timeline_add_second_axis(t, ticks, NULL), TOLL_E_ARGUMENT);
    toll_timeline_free(t);
}

static void test_second_axis_is_recorded(void **state)
{
    (void)state;
    static const toll_timeline_event expected[] = {
        { 1, 0, 10, 0, 1, 0 }, { 1, 1, 30, 5, 1, 0 }, { 0, 1, 31, 8, 0, 0 }, { 0, 0, 40, 9, 0, 0 }
    };
    run r = { 0 };
    toll_timeline_reader *reader;
    toll_timeline_event e;
    assert_int_equal(record(NULL, &r), TOLL_OK);
    assert_ok(toll_timeline_read_thread(r.timeline, 0, &reader, err));
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(toll_timeline_next(reader, &e, NULL), 1);
        assert_int_equal(e.is_open, expected[i].is_open);
        assert_int_equal(e.frame, expected[i].frame);
        assert_int_equal(e.at, expected[i].at);
        assert_int_equal(e.second, expected[i].second);
        assert_int_equal(e.is_call, expected[i].is_call);
    }
    assert_int_equal(toll_timeline_next(reader, &e, NULL), 0);
    toll_timeline_reader_free(reader);
    end(&r);
}

static void test_second_axis_is_written(void **state)
{
    (void)state;
    run r = { 0 };
    assert_int_equal(record(NULL, &r), TOLL_OK);
    assert_written(&r, "folded", NULL, "f 20\nf;g 1\nf 9\n");
    assert_written(&r, "folded", "ticks", "f 5\nf;g 3\nf 1\n");
    assert_written(&r, "speedscope", "time", "\"name\":\"main: time\",\"unit\":\"nanoseconds\"");
    assert_written(&r, "speedscope", "ticks", "\"name\":\"main: ticks\",\"unit\":\"none\"");
    assert_written(&r, "speedscope", "ticks", "{\"type\":\"C\",\"frame\":1,\"at\":8}");
    assert_written(&r, "speedscope", "ticks", "\"endValue\":9}");
    assert_written(&r, "chrome", NULL, "\"ts\":0.031,\"name\":\"g\",\"args\":{\"ticks\":3}}");
    assert_written(&r, "chrome", NULL, "\"ts\":0.040,\"name\":\"f\",\"args\":{\"ticks\":9}}");
    end(&r);
}

static void keep_text(void *user, const char *text)
{
    snprintf(user, 200, "%s", text);
}

/* A Chrome trace keeps both axes: of calls, time and ticks one is left out. */
static void test_second_axis_is_not_left_out(void **state)
{
    (void)state;
    run r = { 0 };
    toll_output *out;
    char told[200] = "";
    const toll_format_options o = { .size = sizeof o, .warn = keep_text, .warn_user = told };
    assert_int_equal(record(NULL, &r), TOLL_OK);
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(r.profile, r.timeline, "chrome", &o, out, err));
    assert_string_equal(told, "format chrome cannot hold everything; left out: "
                              "1 other value types");
    toll_output_free(out);
    end(&r);
}

/* A thread's second axis never decreases: a smaller value is replaced, and counted. */
static void test_second_axis_never_decreases(void **state)
{
    (void)state;
    toll_timeline *t;
    toll_timeline_reader *r;
    toll_timeline_event e;
    assert_ok(toll_timeline_create(NULL, ns, 1, &t, err));
    assert_ok(toll_timeline_add_second_axis(t, ticks, err));
    assert_ok(toll_timeline_add_frame(t, &(toll_frame){ .name = "f" }, NULL, err));
    assert_ok(toll_timeline_add_thread(t, "main", NULL, err));
    toll_timeline_set_second(t, 7);
    toll_timeline_open(t, 0, 0, 1);
    toll_timeline_set_second(t, 6);
    toll_timeline_close(t, 0, 2);
    assert_int_equal(toll_profile_note_count(toll_timeline_names(t)), 1);
    assert_ok(toll_timeline_read_thread(t, 0, &r, err));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(toll_timeline_next(r, &e, NULL), 1);
        assert_int_equal(e.second, 7);
    }
    toll_timeline_reader_free(r);
    toll_timeline_free(t);
}

static void test_second_counter_is_checked(void **state)
{
    (void)state;
    const toll_counter time = { "time", "nanoseconds", 0 };
    toll_timeline *t;
    toll_recorder *r;
    assert_ok(toll_timeline_create(NULL, ns, 1, &t, err));
    assert_ok(toll_timeline_add_second_axis(t, ticks, err));
    const toll_recorder_options o = {
        .size = sizeof o, .counters = &time, .counter_count = 1, .timeline = t, .timeline_second = 1
    };
    assert_int_equal(toll_recorder_create(&o, &r, NULL), TOLL_E_ARGUMENT);
    toll_timeline_free(t);
}

static toll_status life(const toll_allocator *allocator, void *user)
{
    run r = { 0 };
    toll_output *out = NULL;
    toll_status status = record(allocator, &r);
    if (!status)
        status = write_run(allocator, &r, user, "ticks", &out);
    toll_output_free(out);
    end(&r);
    return status;
}

static void test_second_axis_without_memory(void **state)
{
    (void)state;
    char formats[][12] = { "chrome", "folded", "speedscope" };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        test_allocations(life, formats[i], true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_second_axis_is_another_one),
        cmocka_unit_test(test_second_axis_is_recorded),
        cmocka_unit_test(test_second_axis_is_written),
        cmocka_unit_test(test_second_axis_is_not_left_out),
        cmocka_unit_test(test_second_axis_never_decreases),
        cmocka_unit_test(test_second_counter_is_checked),
        cmocka_unit_test(test_second_axis_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

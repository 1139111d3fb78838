/* test_main_thread.c - one recorder for each OS thread: their profiles merge by the names of their
 * main tracks. See toll_recorder_options.main_thread. */
#include "support.h"

/* The profile of a recorder whose main track is of thread `name`: f, which spent `ticks`. */
static toll_profile *record(const char *name, uint64_t ticks, toll_timeline *timeline)
{
    static const toll_counter counter = { "ticks", "count", 0 };
    toll_recorder_options o = { .size = sizeof o,
                                .counters = &counter,
                                .counter_count = 1,
                                .main_thread = name,
                                .timeline = timeline };
    toll_frame f = { .name = "f" };
    toll_recorder *r;
    toll_profile *p;
    toll_frame_id id;
    uint64_t now = 0;
    assert_ok(toll_recorder_create(&o, &r, err));
    assert_ok(toll_recorder_add_frame(r, &f, &id, err));
    toll_recorder_call(r, id, &now);
    now = ticks;
    toll_recorder_stop(r, &now);
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    toll_recorder_free(r);
    return p;
}

static toll_profile *merge_two(const char *first, const char *second)
{
    toll_profile *p = record(first, 3, NULL), *q = record(second, 5, NULL);
    assert_ok(toll_profile_merge(p, q, err));
    assert_ok(toll_profile_check(p, 0, err));
    toll_profile_free(q);
    return p;
}

static void test_main_tracks_of_two_names_are_two_threads(void **state)
{
    (void)state;
    toll_profile *p = merge_two("worker 1", "worker 2");
    assert_int_equal(toll_profile_thread_count(p), 2);
    assert_int_equal(test_self(p, "worker 1", "f", 1), 3);
    assert_int_equal(test_self(p, "worker 2", "f", 1), 5);
    toll_profile_free(p);
}

static void test_main_tracks_of_one_name_are_one_thread(void **state)
{
    (void)state;
    toll_profile *p = merge_two("worker", "worker");
    assert_int_equal(toll_profile_thread_count(p), 1);
    assert_int_equal(test_self(p, "worker", "f", 1), 8);
    toll_profile_free(p);
}

static void test_main_track_is_called_main_if_nothing_is_said(void **state)
{
    (void)state;
    toll_profile *p = merge_two(NULL, "main");
    assert_int_equal(toll_profile_thread_count(p), 1);
    assert_int_equal(test_self(p, "main", "f", 1), 8);
    toll_profile_free(p);
}

static void test_the_name_is_copied_and_made_valid(void **state)
{
    (void)state;
    char name[] = "w\xff";
    toll_profile *p = record(name, 1, NULL);
    name[0] = 'x';
    assert_string_equal(toll_profile_thread_name(p, 0), "w\xef\xbf\xbd");
    toll_profile_free(p);
}

static void test_the_timeline_has_the_name_too(void **state)
{
    (void)state;
    toll_value_type axis = { "ticks", "count" };
    toll_timeline *t;
    assert_ok(toll_timeline_create(NULL, axis, 1, &t, err));
    toll_profile_free(record("worker 1", 3, t));
    assert_ok(toll_timeline_status(t, err));
    assert_int_equal(toll_profile_thread_count(toll_timeline_names(t)), 1);
    assert_string_equal(toll_profile_thread_name(toll_timeline_names(t), 0), "worker 1");
    toll_timeline_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_main_tracks_of_two_names_are_two_threads),
        cmocka_unit_test(test_main_tracks_of_one_name_are_one_thread),
        cmocka_unit_test(test_main_track_is_called_main_if_nothing_is_said),
        cmocka_unit_test(test_the_name_is_copied_and_made_valid),
        cmocka_unit_test(test_the_timeline_has_the_name_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

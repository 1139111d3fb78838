/* test_arguments_timeline.c - wrong arguments for a timeline's second axis, its file and its end.
 */
#include "support_arguments.h"

#include <toll/timeline.h>
#include <unistd.h>

static const toll_value_type ns = { "time", "nanoseconds" }, ticks = { "ticks", "count" };

static toll_timeline *new_timeline(void)
{
    toll_timeline *t;
    assert_ok(toll_timeline_create(NULL, ns, 1, &t, err));
    return t;
}

static void test_toll_timeline_add_second_axis(void **state)
{
    (void)state;
    const toll_value_type no_type = { NULL, "count" }, no_unit = { "ticks", NULL };
    toll_timeline *t = new_timeline();
    assert_argument(toll_timeline_add_second_axis(t, no_type, err));
    assert_argument(toll_timeline_add_second_axis(t, no_unit, err));
    assert_argument(toll_timeline_add_second_axis(t, ns, err));
    assert_int_equal(toll_timeline_second_axis(t, NULL), 0);
    assert_ok(toll_timeline_add_second_axis(t, ticks, err));
    assert_argument(toll_timeline_add_second_axis(t, ticks, err));
    toll_timeline_free(t);

    t = new_timeline();
    assert_ok(toll_timeline_add_frame(t, &(toll_frame){ .name = "f" }, NULL, err));
    assert_ok(toll_timeline_add_thread(t, "main", NULL, err));
    toll_timeline_open(t, 0, 0, 0);
    assert_argument(toll_timeline_add_second_axis(t, ticks, err));
    toll_timeline_free(t);
}

static void test_toll_timeline_second_axis(void **state)
{
    (void)state;
    toll_timeline *t = new_timeline();
    toll_value_type axis = { "unchanged", "" };
    assert_int_equal(toll_timeline_second_axis(t, &axis), 0);
    assert_string_equal(axis.type, "unchanged");
    assert_ok(toll_timeline_add_second_axis(t, ticks, err));
    assert_int_equal(toll_timeline_second_axis(t, NULL), 1);
    assert_int_equal(toll_timeline_second_axis(t, &axis), 1);
    assert_string_equal(axis.type, "ticks");
    toll_timeline_free(t);
}

/* Without a second axis it does nothing. */
static void test_toll_timeline_set_second(void **state)
{
    (void)state;
    toll_timeline *t = new_timeline();
    toll_timeline_reader *r;
    toll_timeline_event e;
    assert_ok(toll_timeline_add_frame(t, &(toll_frame){ .name = "f" }, NULL, err));
    assert_ok(toll_timeline_add_thread(t, "main", NULL, err));
    toll_timeline_set_second(t, 7);
    toll_timeline_open(t, 0, 0, 1);
    assert_ok(toll_timeline_read_thread(t, 0, &r, err));
    assert_int_equal(toll_timeline_next(r, &e, NULL), 1);
    assert_int_equal(e.second, 0);
    toll_timeline_reader_free(r);
    toll_timeline_free(t);
}

static void test_toll_timeline_create_file(void **state)
{
    (void)state;
    const toll_value_type no_type = { NULL, "count" };
    toll_timeline *t;
    toll_error e;
    assert_argument(toll_timeline_create_file(NULL, ns, "x", NULL, err));
    assert_argument(toll_timeline_create_file(NULL, ns, NULL, &t, err));
    assert_null(t);
    assert_int_equal(toll_timeline_create_file(NULL, ns, "/dev/null", &t, &e), TOLL_E_IO);
    assert_non_null(strstr(e.text, "/dev/null: is no file"));
    assert_int_equal(toll_timeline_create_file(NULL, ns, "/nowhere/at/all", &t, &e), TOLL_E_IO);
    assert_null(t);
    assert_argument(toll_timeline_create_file(NULL, no_type, "/tmp/toll-arguments", &t, err));
    assert_null(t);
    unlink("/tmp/toll-arguments");
}

/* Events that follow are ignored. */
static void test_toll_timeline_finish(void **state)
{
    (void)state;
    toll_timeline *t = new_timeline();
    assert_ok(toll_timeline_add_frame(t, &(toll_frame){ .name = "f" }, NULL, err));
    assert_ok(toll_timeline_add_thread(t, "main", NULL, err));
    toll_timeline_open(t, 0, 0, 1);
    assert_ok(toll_timeline_finish(t, err));
    toll_timeline_close(t, 0, 2);
    assert_ok(toll_timeline_finish(t, err));
    assert_int_equal(toll_timeline_event_count(t), 1);
    toll_timeline_free(t);
}

static void test_toll_timeline_set_start(void **state)
{
    (void)state;
    toll_timeline *t = new_timeline();
    toll_timeline_set_start(t, 5);
    assert_int_equal(toll_timeline_start(t), 5);
    toll_timeline_free(t);
}

static void test_toll_timeline_set_labels(void **state)
{
    (void)state;
    toll_timeline *t = new_timeline();
    const char *const bad[] = { "a", "=b", "a=", "a=b,c", "thread=x" };
    assert_argument(toll_timeline_set_labels(t, NULL, err));
    for (int i = 0; i < 5; i++)
        assert_argument(toll_timeline_set_labels(t, bad[i], err));
    assert_ok(toll_timeline_set_labels(t, "a=b", err));
    assert_ok(toll_timeline_set_labels(t, "", err));
    assert_ok(toll_timeline_add_thread(t, "main", NULL, err));
    assert_argument(toll_timeline_set_labels(t, "a=b", err));
    assert_string_equal(toll_profile_thread_title(toll_timeline_names(t), 0), "main");
    toll_timeline_free(t);
}

static void test_toll_timeline_start(void **state)
{
    (void)state;
    toll_timeline *t = new_timeline();
    assert_int_equal(toll_timeline_start(t), 0);
    toll_timeline_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_toll_timeline_add_second_axis),
        cmocka_unit_test(test_toll_timeline_second_axis),
        cmocka_unit_test(test_toll_timeline_set_second),
        cmocka_unit_test(test_toll_timeline_create_file),
        cmocka_unit_test(test_toll_timeline_finish),
        cmocka_unit_test(test_toll_timeline_set_start),
        cmocka_unit_test(test_toll_timeline_set_labels),
        cmocka_unit_test(test_toll_timeline_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_calls_only.c - a recorder without counters records calls, and the heap on request. */
#include "support.h"

static toll_profile *record(const toll_recorder_options *options)
{
    toll_recorder *r;
    toll_profile *p;
    toll_frame_id f, g;
    assert_ok(toll_recorder_create(options, &r, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "f" }, &f, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "g" }, &g, err));
    toll_recorder_call(r, f, NULL);
    for (int i = 0; i < 3; i++) {
        toll_recorder_call(r, g, NULL);
        toll_recorder_heap_alloc(r, 16 + (uint64_t)i, 10);
        toll_recorder_return(r, NULL);
    }
    toll_recorder_charge(r, NULL);
    toll_recorder_unwind(r, 0, NULL);
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    toll_recorder_free(r);
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

static int64_t sum_of(const toll_profile *p, const char *type)
{
    int64_t sum = 0;
    uint32_t column = toll_profile_find_column(p, type);
    assert_true(column != TOLL_NONE);
    for (uint32_t node = 0; node < toll_profile_node_count(p); node++)
        sum += toll_profile_self(p, node, column);
    return sum;
}

static void test_calls_without_a_counter(void **state)
{
    (void)state;
    const toll_recorder_options options = { .size = sizeof options, .counter_count = 0 };
    toll_profile *p = record(&options);
    assert_int_equal(toll_profile_column_count(p), 1);
    assert_int_equal(toll_profile_default_column(p), 0);
    assert_int_equal(sum_of(p, "calls"), 4);
    toll_profile_free(p);
}

static void test_heap_without_a_counter(void **state)
{
    (void)state;
    const toll_recorder_options options = { .size = sizeof options, .heap = 1 };
    toll_profile *p = record(&options);
    assert_int_equal(toll_profile_column_count(p), 5);
    assert_int_equal(sum_of(p, "calls"), 4);
    assert_int_equal(sum_of(p, "inuse_space"), 30);
    toll_profile_free(p);
}

static void test_an_order_in_time_needs_a_counter(void **state)
{
    (void)state;
    toll_recorder *r;
    toll_timeline *timeline;
    assert_ok(toll_timeline_create(NULL, (toll_value_type){ "ticks", "count" }, 1, &timeline, err));
    const toll_recorder_options options = { .size = sizeof options, .timeline = timeline };
    assert_int_equal(toll_recorder_create(&options, &r, NULL), TOLL_E_ARGUMENT);
    assert_null(r);
    toll_timeline_free(timeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_without_a_counter),
        cmocka_unit_test(test_heap_without_a_counter),
        cmocka_unit_test(test_an_order_in_time_needs_a_counter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

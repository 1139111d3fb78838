/* test_start_over.c - a recorder in a child process forgets what its parent has recorded. */
#include "support.h"

static void test_start_over_forgets_costs_and_keeps_frames(void **state)
{
    (void)state;
    static const toll_counter ticks = { "ticks", "count", 0 };
    toll_recorder_options o = {
        .size = sizeof o, .counters = &ticks, .counter_count = 1, .heap = 1
    };
    toll_recorder *r;
    toll_profile *p;
    toll_frame_id f, g;
    uint64_t now = 10;
    assert_ok(toll_recorder_create(&o, &r, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "f" }, &f, err));
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = "g" }, &g, err));
    toll_recorder_call(r, f, &now);
    toll_recorder_heap_alloc(r, 1, 100);
    toll_recorder_return(r, &(uint64_t){ 20 });
    toll_recorder_return(r, &(uint64_t){ 21 }); /* counted in a note */
    toll_recorder_call(r, f, &(uint64_t){ 30 });
    toll_recorder_note(r, "something", 1, NULL);
    toll_recorder_start_over(r);
    toll_recorder_call(r, g, &(uint64_t){ 33 });
    toll_recorder_return(r, &(uint64_t){ 40 });
    toll_recorder_stop(r, &(uint64_t){ 42 });
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    uint32_t time = toll_profile_find_column(p, "ticks");
    assert_int_equal(test_self(p, "main", "f", toll_profile_find_column(p, "calls")), 0);
    assert_int_equal(test_self(p, "main", "f", time), 3 + 2);
    assert_int_equal(test_self(p, "main", "f;g", toll_profile_find_column(p, "calls")), 1);
    assert_int_equal(test_self(p, "main", "f;g", time), 7);
    assert_int_equal(test_self(p, "main", "f", toll_profile_find_column(p, "alloc_space")), 0);
    assert_int_equal(test_self(p, "main", "f", toll_profile_find_column(p, "inuse_space")), 100);
    assert_int_equal(toll_profile_self(p, toll_profile_root(p, 0), time), 0);
    assert_int_equal(toll_profile_note_count(p), 0);
    assert_ok(toll_profile_check(p, 0, err));
    toll_profile_free(p);
    toll_recorder_free(r);
}

/* Nodes are allocated by 512: here the first block of them is full, and there is no second one. */
static void test_start_over_with_full_blocks(void **state)
{
    (void)state;
    static const toll_counter ticks = { "ticks", "count", 0 };
    toll_recorder_options o = { .size = sizeof o, .counters = &ticks, .counter_count = 1 };
    toll_recorder *r;
    toll_profile *p;
    uint64_t now = 0;
    assert_ok(toll_recorder_create(&o, &r, err));
    for (int i = 0; i < 511; i++) {
        char name[16];
        toll_frame_id f;
        snprintf(name, sizeof name, "f%d", i);
        assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = name }, &f, err));
        toll_recorder_call(r, f, &now);
        now++;
        toll_recorder_return(r, &now);
    }
    toll_recorder_start_over(r);
    toll_recorder_stop(r, &now);
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    assert_int_equal(toll_profile_node_count(p), 512);
    for (toll_node_id n = 0; n < 512; n++)
        assert_int_equal(toll_profile_self(p, n, 0) + toll_profile_self(p, n, 1), 0);
    toll_profile_free(p);
    toll_recorder_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_over_forgets_costs_and_keeps_frames),
        cmocka_unit_test(test_start_over_with_full_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_faults.c - small faults of record/ and profile/ that no other test noticed when they were
 * put in: each test here fails with its one. */
#include "support.h"

#include "profile/profile_data.h"

static const toll_counter ticks = { "ticks", "count", 0 };

static toll_recorder *recorder_of(toll_frame_id *f, toll_frame_id *g)
{
    toll_recorder_options o = { .counters = &ticks, .counter_count = 1, .heap = 1 };
    toll_recorder *r;
    assert_ok(toll_recorder_create(&o, &r, err));
    assert_ok(toll_recorder_frame(r, &(toll_frame){ .name = "f" }, f, err));
    assert_ok(toll_recorder_frame(r, &(toll_frame){ .name = "g" }, g, err));
    return r;
}

static toll_profile *look(const toll_recorder *r)
{
    toll_profile *p;
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

static void assert_same_stacks(const toll_profile *p, const toll_profile *q)
{
    assert_int_equal(toll_profile_node_count(p), toll_profile_node_count(q));
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++)
        for (uint32_t c = 0; c < toll_profile_column_count(p); c++)
            assert_int_equal(toll_profile_self(p, n, c), toll_profile_self(q, n, c));
}

/* recorder_inline.h: toll_recorder_begin returns true when the recorder has stopped. */
static void test_no_event_counts_after_the_stop(void **state)
{
    (void)state;
    toll_frame_id f, g;
    toll_recorder *r = recorder_of(&f, &g);
    toll_track *other;
    uint64_t now = 0;
    assert_ok(toll_recorder_new_track(r, "other", &other, err));
    toll_recorder_call(r, f, &now);
    now = 5;
    toll_recorder_stop(r, &now);
    toll_profile *before = look(r);
    now = 9;
    toll_recorder_charge(r, &now);
    toll_recorder_call(r, f, &now);
    toll_recorder_call(r, g, &now);
    assert_int_equal(toll_recorder_depth(r), 0);
    toll_recorder_return(r, &now);
    toll_recorder_tail_call(r, g, &now);
    toll_recorder_unwind(r, 0, &now);
    toll_recorder_adopt(r, &g, 1, &now);
    assert_ok(toll_recorder_section_begin(r, g, &now, err));
    assert_ok(toll_recorder_section_end(r, g, &now, err));
    toll_recorder_switch(r, other, &now);
    toll_recorder_resume(r, other, &now);
    assert_ptr_equal(toll_recorder_current_track(r), toll_recorder_main_track(r));
    toll_recorder_rebase(r, &now);
    toll_recorder_alloc(r, 1, 8);
    toll_recorder_heap_free(r, 1);
    toll_recorder_stop(r, &now);
    toll_profile *after = look(r);
    uint64_t count;
    assert_same_stacks(before, after);
    assert_int_equal(toll_profile_note_count(after), 1);
    assert_string_equal(toll_profile_note(after, 0, &count), "events after the stop, ignored");
    assert_int_equal(count, 15);
    toll_profile_free(before);
    toll_profile_free(after);
    toll_recorder_free(r);
}

/* track.c: toll_recorder_end_track makes the main track current if it is another that ends. */
static void test_a_track_that_ends_elsewhere_leaves_the_current_one(void **state)
{
    (void)state;
    toll_frame_id f, g;
    toll_recorder *r = recorder_of(&f, &g);
    toll_track *a, *b;
    uint64_t now = 0;
    assert_ok(toll_recorder_new_track(r, "a", &a, err));
    assert_ok(toll_recorder_new_track(r, "b", &b, err));
    toll_recorder_switch(r, b, &now);
    toll_recorder_call(r, f, &now);
    toll_recorder_end_track(r, a, &now);
    assert_ptr_equal(toll_recorder_current_track(r), b);
    now = 3;
    toll_recorder_return(r, &now);
    toll_profile *p = look(r);
    assert_int_equal(test_self(p, "b", "f", 1), 3);
    toll_profile_free(p);
    toll_recorder_free(r);
}

/* track.c: the same, when the current track ends after the stop, which switches no more. */
static void test_the_current_track_may_end_after_the_stop(void **state)
{
    (void)state;
    toll_frame_id f, g;
    toll_recorder *r = recorder_of(&f, &g);
    toll_track *a;
    uint64_t now = 0;
    assert_ok(toll_recorder_new_track(r, "a", &a, err));
    toll_recorder_switch(r, a, &now);
    toll_recorder_stop(r, &now);
    toll_recorder_end_track(r, a, &now);
    assert_ptr_equal(toll_recorder_current_track(r), toll_recorder_main_track(r));
    assert_int_equal(toll_recorder_depth(r), 0);
    toll_recorder_free(r);
}

/* ctx_tree.c: toll_tree_truncate keeps a last_child that it has taken back, or forgets one that it
 * has not. */
static void test_a_child_taken_back_is_not_found_again(void **state)
{
    (void)state;
    toll_profile *p, *more;
    toll_node_id node;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_create(NULL, &more, err));
    assert_ok(toll_profile_add_column(more, "calls", "count", NULL, err));
    test_add_stack(p, "main", "f", 0, INT64_MAX);
    test_add_stack(more, "main", "f", 0, 1); /* too much */
    test_add_stack(more, "main", "f;f", 0, 1);
    assert_int_equal(toll_profile_merge(p, more, NULL), TOLL_E_OVERFLOW);
    assert_int_equal(toll_profile_node_count(p), 2);
    assert_ptr_equal(toll_tree_node(&p->tree, 0)->last_child, toll_tree_node(&p->tree, 1));
    assert_ok(toll_profile_add_child(p, 1, 0, &node, err));
    assert_int_equal(node, 2);
    assert_int_equal(toll_profile_parent(p, node), 1);
    assert_ok(toll_profile_check(p, 0, err));
    toll_profile_free(p);
    toll_profile_free(more);
}

/* filter.c: a loop over the roots of threads takes one more than there are. The array first has
 * room for eight: sanitizers see the ninth. (Of matching frames and threads it may: one more than
 * there are is "", and the arrays of matches have room for it.) */
enum { EIGHT = 8 };

static void check_eight(toll_profile *p)
{
    assert_int_equal(toll_profile_node_count(p), 2 * EIGHT);
    for (int i = 0; i < EIGHT; i++) {
        char thread[2] = { (char)('a' + i), 0 }, frame[3] = { 'f', thread[0], 0 };
        assert_int_equal(test_self(p, thread, frame, 0), i + 1);
    }
    toll_profile_free(p);
}

static void test_filter_and_prune_look_at_what_there_is(void **state)
{
    (void)state;
    toll_profile *p, *filtered, *pruned;
    toll_filter all = { .focus = "f", .ignore = "x", .thread = "[a-h]" };
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    for (int i = 0; i < EIGHT; i++) {
        char thread[2] = { (char)('a' + i), 0 }, frame[3] = { 'f', thread[0], 0 };
        test_add_stack(p, thread, frame, 0, i + 1);
    }
    assert_int_equal(p->frame_count, p->frame_capacity);
    assert_int_equal(p->thread_count, p->thread_capacity);
    assert_ok(toll_profile_filter(p, &all, &filtered, err));
    assert_ok(toll_profile_prune(p, &pruned, err));
    check_eight(filtered);
    check_eight(pruned);
    check_eight(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_event_counts_after_the_stop),
        cmocka_unit_test(test_a_track_that_ends_elsewhere_leaves_the_current_one),
        cmocka_unit_test(test_the_current_track_may_end_after_the_stop),
        cmocka_unit_test(test_a_child_taken_back_is_not_found_again),
        cmocka_unit_test(test_filter_and_prune_look_at_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_no_recorder.c - a recorder that could not be made (options without a size and an ignored
 * status, or no memory): events do nothing, and functions with a status return the reason. */
#include "support_arguments.h"

static toll_recorder *not_made(void)
{
    toll_recorder_options o = { .counter_count = 0 }; /* without its size */
    toll_recorder *r = test_stale();
    toll_error err;
    assert_int_equal(toll_recorder_create(&o, &r, &err), TOLL_E_ARGUMENT);
    assert_non_null(strstr(err.text, "set it to sizeof(toll_recorder_options)"));
    return r;
}

static void test_events_without_a_recorder_do_nothing(void **state)
{
    (void)state;
    toll_recorder *r = not_made();
    uint64_t now = 5;
    assert_null(r);
    toll_recorder_rebase(r, &now);
    toll_recorder_call(r, 0, &now);
    toll_recorder_tail_call(r, 0, &now);
    toll_recorder_line(r, 0, &now);
    toll_recorder_adopt_line(r, 0, &now);
    toll_recorder_adopt(r, &(toll_frame_id){ 0 }, 1, &now);
    toll_recorder_unwind(r, 0, &now);
    toll_recorder_return(r, &now);
    toll_recorder_charge(r, &now);
    toll_recorder_switch(r, NULL, &now);
    toll_recorder_resume(r, NULL, &now);
    toll_recorder_end_track(r, NULL, &now);
    toll_recorder_heap_alloc(r, 1, 10);
    toll_recorder_heap_realloc(r, 1, 2, 20);
    toll_recorder_heap_free(r, 2);
    toll_recorder_start_over(r);
    toll_recorder_reset(r);
    toll_recorder_stop(r, &now);
    toll_recorder_free(r);
}

static void test_what_is_asked_of_no_recorder_is_nothing(void **state)
{
    (void)state;
    toll_frame f = toll_recorder_frame(NULL, 0);
    assert_int_equal(toll_recorder_depth(NULL), 0);
    assert_null(toll_recorder_main_track(NULL));
    assert_null(toll_recorder_current_track(NULL));
    assert_string_equal(f.name, "");
    assert_string_equal(f.file, "");
    assert_string_equal(f.system_name, "");
    assert_string_equal(f.module, "");
    assert_string_equal(f.build_id, "");
}

static void test_a_status_without_a_recorder_says_that_it_was_not_made(void **state)
{
    (void)state;
    const toll_frame f = { .name = "f" };
    const uint64_t now = 5;
    toll_error reason;
    toll_frame_id id = 3;
    toll_track *track = test_stale();
    toll_profile *p = test_stale();
    assert_argument(toll_recorder_add_frame(NULL, &f, &id, err));
    assert_int_equal(id, TOLL_NONE);
    assert_argument(toll_recorder_rename_frame(NULL, 0, "g", err));
    assert_argument(toll_recorder_new_track(NULL, "worker", &track, err));
    assert_null(track);
    assert_argument(toll_recorder_section_begin(NULL, 0, &now, err));
    assert_argument(toll_recorder_section_end(NULL, 0, &now, err));
    assert_argument(toll_recorder_note(NULL, "a note", 1, err));
    assert_argument(toll_recorder_snapshot(NULL, NULL, &p, err));
    assert_null(p);
    assert_int_equal(toll_recorder_snapshot(NULL, NULL, &p, &reason), TOLL_E_ARGUMENT);
    assert_non_null(strstr(reason.text, "toll_recorder_create failed"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_without_a_recorder_do_nothing),
        cmocka_unit_test(test_what_is_asked_of_no_recorder_is_nothing),
        cmocka_unit_test(test_a_status_without_a_recorder_says_that_it_was_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

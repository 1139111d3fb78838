/* test_shown.c - profile/shown.h: which column reports, differences and formats of one value show.
 */
#include "support.h"

#include "profile/shown.h"

/* calls, ticks, time; `values` of the stack "f" in that order. */
static toll_profile *make(const int64_t values[3])
{
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "time", "nanoseconds", NULL, err));
    for (uint32_t c = 0; c < 3; c++)
        test_add_stack(p, "", "f", c, values[c]);
    return p;
}

static void assert_shows(const toll_profile *p, const toll_profile *a, const toll_profile *b,
                         uint32_t column, uint32_t instead)
{
    toll_shown shown;
    assert_ok(toll_choose_shown(p, a, b, NULL, &shown, err));
    assert_int_equal(shown.column, column);
    assert_int_equal(shown.instead, instead);
}

static void assert_printed(toll_status (*print)(const toll_profile *, const toll_report_options *,
                                                toll_output *, toll_error *),
                           const toll_profile *p, const char *text)
{
    static const toll_report_options options = { .size = sizeof options };
    toll_output *out;
    size_t size;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(print(p, &options, out, err));
    toll_output_write(out, "", 1);
    assert_ok(toll_output_commit(out, err));
    assert_non_null(strstr(toll_output_data(out, &size), text));
    toll_output_free(out);
}

static void test_shown_is_the_default_column(void **state)
{
    toll_profile *p = make((int64_t[]){ 3, 5, 7 });
    (void)state;
    assert_shows(p, p, NULL, 1, TOLL_NONE);
    toll_profile_set_default_column(p, 2);
    assert_shows(p, p, NULL, 2, TOLL_NONE);
    toll_profile_free(p);
}

static void test_shown_has_values(void **state)
{
    toll_profile *calls = make((int64_t[]){ 3, 0, 0 }), *time = make((int64_t[]){ 3, 0, 7 });
    toll_profile *none = make((int64_t[]){ 0, 0, 0 });
    (void)state;
    assert_shows(calls, calls, NULL, 0, 1);
    assert_shows(time, time, NULL, 2, 1);
    assert_shows(none, none, NULL, 1, TOLL_NONE);
    assert_printed(toll_report_top, calls, "calls: 3 in 1 function");
    assert_printed(toll_report_top, calls, "note: every value of ticks is 0; calls is shown");
    assert_printed(toll_report_tree, calls, "note: every value of ticks is 0; calls is shown");
    assert_printed(toll_report_json, calls, "{\"value\":\"calls\"");
    toll_profile_free(calls);
    toll_profile_free(time);
    toll_profile_free(none);
}

static void test_shown_is_what_the_user_asks_for(void **state)
{
    toll_profile *p = make((int64_t[]){ 3, 0, 0 });
    toll_shown shown;
    toll_error err;
    (void)state;
    assert_int_equal(toll_choose_shown(p, p, NULL, "time", &shown, &err), TOLL_OK);
    assert_int_equal(shown.column, 2);
    assert_int_equal(toll_choose_shown(p, p, NULL, "fuel", &shown, &err), TOLL_E_NOT_FOUND);
    assert_string_equal(err.text, "no value type is called 'fuel'; there are calls, ticks, time");
    toll_profile_free(p);
}

/* The difference of two equal sides is 0 everywhere, which is no reason to show another column. */
static void test_shown_of_a_difference_is_that_of_its_sides(void **state)
{
    toll_profile *ticks = make((int64_t[]){ 3, 5, 0 }), *calls = make((int64_t[]){ 4, 0, 0 }), *d;
    (void)state;
    assert_ok(toll_profile_diff(ticks, ticks, &d, err));
    assert_shows(d, ticks, ticks, 1, TOLL_NONE);
    toll_profile_free(d);
    assert_ok(toll_profile_diff(calls, calls, &d, err));
    assert_shows(d, calls, calls, 0, 1);
    toll_profile_free(d);
    toll_profile_free(ticks);
    toll_profile_free(calls);
}

static void warn_into(void *text, const char *warning)
{
    strncat(text, warning, 500);
}

static void test_shown_is_what_folded_stacks_have(void **state)
{
    toll_profile *p = make((int64_t[]){ 3, 0, 0 });
    char warnings[2000] = "";
    const toll_format_options options = { .size = sizeof options,
                                          .warn = warn_into,
                                          .warn_user = warnings };
    toll_output *out;
    size_t size;
    (void)state;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, "folded", &options, out, err));
    assert_ok(toll_output_commit(out, err));
    assert_memory_equal(toll_output_data(out, &size), "f 3\n", 4);
    assert_non_null(strstr(warnings, "every value of ticks is 0; calls is shown"));
    toll_output_free(out);
    toll_profile_free(p);
}

/* Where the heap was recorded, it is shown: in a report, and in the difference of two recordings.
 */
static void test_shown_is_the_heap_where_it_was_recorded(void **state)
{
    static const toll_counter time = { "time", "nanoseconds", 0 };
    const toll_recorder_options o = {
        .size = sizeof o, .counters = &time, .counter_count = 1, .heap = 1
    };
    toll_recorder *r;
    toll_profile *p, *d;
    (void)state;
    assert_ok(toll_recorder_create(&o, &r, err));
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    assert_string_equal(toll_profile_column(p, toll_profile_default_column(p)).type, "inuse_space");
    assert_ok(toll_profile_diff(p, p, &d, err));
    assert_string_equal(toll_profile_column(d, toll_profile_default_column(d)).type, "inuse_space");
    toll_profile_free(d);
    toll_profile_free(p);
    toll_recorder_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shown_is_the_default_column),
        cmocka_unit_test(test_shown_has_values),
        cmocka_unit_test(test_shown_is_what_the_user_asks_for),
        cmocka_unit_test(test_shown_of_a_difference_is_that_of_its_sides),
        cmocka_unit_test(test_shown_is_what_folded_stacks_have),
        cmocka_unit_test(test_shown_is_the_heap_where_it_was_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_arguments_report.c - wrong arguments that the functions of toll/report.h refuse: NULL, and
 * numbers without a meaning. */
#include "support_arguments.h"

typedef toll_status report_function(const toll_profile *p, const toll_report_options *options,
                                    toll_output *out, toll_error *err);

static void refuses_order_and_output(report_function *report)
{
    toll_profile *p = small_profile();
    toll_output *out = to_memory();
    size_t size;
    toll_report_options by = { .size = sizeof by, .sort = TOLL_SORT_NAME };
    for (int i = 0; i < 2; i++) {
        by.sort = (toll_report_sort)(i ? TOLL_SORT_NAME + 1 : -1);
        assert_argument(report(p, &by, out, err));
    }
    assert_argument(report(p, NULL, NULL, err));
    toll_output_data(out, &size);
    assert_int_equal(size, 0);
    assert_ok(report(p, NULL, out, err)); /* as with all options 0 */
    toll_output_data(out, &size);
    assert_true(size > 0);
    toll_output_free(out);
    toll_profile_free(p);
}

static void test_toll_report_top(void **state)
{
    (void)state;
    refuses_order_and_output(toll_report_top);
}

static void test_toll_report_tree(void **state)
{
    (void)state;
    refuses_order_and_output(toll_report_tree);
}

static void test_toll_report_json(void **state)
{
    (void)state;
    refuses_order_and_output(toll_report_json);
}

static toll_status report_diff(const toll_profile *p, const toll_report_options *options,
                               toll_output *out, toll_error *why)
{
    toll_profile *d;
    assert_ok(toll_profile_diff(p, p, &d, err));
    toll_status status = toll_report_diff(p, p, d, options, out, why);
    toll_profile_free(d);
    return status;
}

static toll_status report_diff_json(const toll_profile *p, const toll_report_options *options,
                                    toll_output *out, toll_error *why)
{
    toll_profile *d;
    assert_ok(toll_profile_diff(p, p, &d, err));
    toll_status status = toll_report_diff_json(p, p, d, options, out, why);
    toll_profile_free(d);
    return status;
}

static toll_status report_diff_markdown(const toll_profile *p, const toll_report_options *options,
                                        toll_output *out, toll_error *why)
{
    toll_profile *d;
    assert_ok(toll_profile_diff(p, p, &d, err));
    toll_status status = toll_report_diff_markdown(p, p, d, options, out, why);
    toll_profile_free(d);
    return status;
}

/* A difference of other profiles, without the frames of these. */
static void refuses_another_difference(void)
{
    toll_profile *p = small_profile(), *other;
    toll_output *out = to_memory();
    assert_ok(toll_profile_create(NULL, &other, err));
    assert_ok(toll_profile_add_column(other, "calls", "count", NULL, err));
    assert_argument(toll_report_diff(p, p, other, NULL, out, err));
    assert_argument(toll_report_diff_json(p, p, other, NULL, out, err));
    assert_argument(toll_report_diff_markdown(p, p, other, NULL, out, err));
    toll_output_free(out);
    toll_profile_free(other);
    toll_profile_free(p);
}

static void test_toll_report_diff(void **state)
{
    (void)state;
    refuses_order_and_output(report_diff);
    refuses_another_difference();
}

static void test_toll_report_diff_json(void **state)
{
    (void)state;
    refuses_order_and_output(report_diff_json);
    refuses_another_difference();
}

static void test_toll_report_markdown(void **state)
{
    (void)state;
    refuses_order_and_output(toll_report_markdown);
}

static void test_toll_report_diff_markdown(void **state)
{
    (void)state;
    refuses_order_and_output(report_diff_markdown);
    refuses_another_difference();
}

typedef toll_status annotate_function(const toll_profile *p, const toll_profile *before,
                                      const toll_annotate_options *options, toll_output *out,
                                      toll_error *err);

static void annotates_what_is_there(annotate_function *annotate)
{
    toll_profile *p = small_profile();
    toll_output *out = to_memory();
    size_t size;
    toll_frame f = { .name = "f", .at_line = 3 };
    toll_annotate_options other = { .size = sizeof other, .what = "no such function" };
    assert_argument(annotate(p, NULL, NULL, NULL, err));
    assert_int_equal(annotate(p, NULL, NULL, out, NULL), TOLL_E_NOT_FOUND); /* no lines */
    toll_frame_id frame;
    toll_node_id node;
    assert_ok(toll_profile_add_frame(p, &f, &frame, err));
    assert_ok(toll_profile_add_child(p, toll_profile_root(p, 0), frame, &node, err));
    assert_ok(toll_profile_add_self(p, node, toll_profile_default_column(p), 1, err));
    assert_int_equal(annotate(p, NULL, &other, out, NULL), TOLL_E_NOT_FOUND);
    other = (toll_annotate_options){ .size = sizeof other, .value = "no such value" };
    assert_int_equal(annotate(p, NULL, &other, out, NULL), TOLL_E_NOT_FOUND);
    toll_output_data(out, &size);
    assert_int_equal(size, 0);
    assert_ok(annotate(p, NULL, NULL, out, err)); /* as with all options 0 */
    assert_ok(annotate(p, p, NULL, out, err));
    toll_output_data(out, &size);
    assert_true(size > 0);
    toll_output_free(out);
    toll_profile_free(p);
}

static void test_toll_report_annotate(void **state)
{
    (void)state;
    annotates_what_is_there(toll_report_annotate);
}

static void test_toll_report_annotate_json(void **state)
{
    (void)state;
    annotates_what_is_there(toll_report_annotate_json);
}

static void test_toll_report_flame(void **state)
{
    (void)state;
    toll_profile *p = small_profile();
    toll_output *out = to_memory();
    size_t size;
    toll_flame_options other = { .size = sizeof other, .value = "no such value" };
    assert_argument(toll_report_flame(p, NULL, NULL, err));
    assert_int_equal(toll_report_flame(p, &other, out, NULL), TOLL_E_NOT_FOUND);
    other = (toll_flame_options){ .size = sizeof other, .colors = (toll_colors)3 };
    assert_argument(toll_report_flame(p, &other, out, err));
    other = (toll_flame_options){ .width = 100 };
    assert_argument(toll_report_flame(p, &other, out, err)); /* no size */
    toll_output_data(out, &size);
    assert_int_equal(size, 0);
    assert_ok(toll_report_flame(p, NULL, out, err));
    toll_output_data(out, &size);
    assert_true(size > 0);
    toll_output_free(out);
    toll_profile_free(p);
}

static void test_toll_report_page(void **state)
{
    (void)state;
    toll_profile *p = small_profile();
    toll_output *out = to_memory();
    size_t size;
    toll_page_options other = { .size = sizeof other, .value = "no such value" };
    assert_argument(toll_report_page(p, NULL, NULL, NULL, err));
    assert_int_equal(toll_report_page(p, NULL, &other, out, NULL), TOLL_E_NOT_FOUND);
    other = (toll_page_options){ .title = "no size" };
    assert_argument(toll_report_page(p, NULL, &other, out, err));
    const toll_profile *between[] = { p };
    other = (toll_page_options){ .size = sizeof other, .between = between, .between_count = 1 };
    assert_argument(toll_report_page(p, NULL, &other, out, err));
    other.between = NULL;
    assert_argument(toll_report_page(p, p, &other, out, err));
    toll_output_data(out, &size);
    assert_int_equal(size, 0);
    assert_ok(toll_report_page(p, NULL, NULL, out, err));
    assert_ok(toll_report_page(p, p, NULL, out, err));
    toll_output_data(out, &size);
    assert_true(size > 0);
    toll_output_free(out);
    toll_profile_free(p);
}

typedef toll_status (*series_fn)(const toll_profile *const *, size_t, const toll_series_options *,
                                 toll_output *, toll_error *);

static void hold_series(series_fn series)
{
    toll_profile *p = small_profile();
    const toll_profile *const both[] = { p, p };
    toll_output *out = to_memory();
    size_t size;
    toll_series_options other = { .size = sizeof other, .value = "no such value" };
    assert_argument(series(both, 2, NULL, NULL, err));
    assert_argument(series(both, 0, NULL, out, err));
    assert_argument(series(NULL, 2, NULL, out, err));
    assert_argument(series(both, 1001, NULL, out, err));
    assert_int_equal(series(both, 2, &other, out, NULL), TOLL_E_NOT_FOUND);
    other = (toll_series_options){ .rows = 1 }; /* without its size */
    assert_argument(series(both, 2, &other, out, err));
    toll_output_data(out, &size);
    assert_int_equal(size, 0);
    assert_ok(series(both, 2, NULL, out, err));
    toll_output_data(out, &size);
    assert_true(size > 0);
    toll_output_free(out);
    toll_profile_free(p);
}

static void test_toll_report_series(void **state)
{
    (void)state;
    hold_series(toll_report_series);
}

static void test_toll_report_series_json(void **state)
{
    (void)state;
    hold_series(toll_report_series_json);
}

static void test_toll_report_series_markdown(void **state)
{
    (void)state;
    hold_series(toll_report_series_markdown);
}

static void test_toll_value_text(void **state)
{
    (void)state;
    char text[TOLL_VALUE_TEXT_SIZE];
    assert_string_equal(toll_value_text(1234, NULL, text), "1,234");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_toll_report_top),
        cmocka_unit_test(test_toll_report_tree),
        cmocka_unit_test(test_toll_report_json),
        cmocka_unit_test(test_toll_report_diff),
        cmocka_unit_test(test_toll_report_diff_json),
        cmocka_unit_test(test_toll_report_markdown),
        cmocka_unit_test(test_toll_report_diff_markdown),
        cmocka_unit_test(test_toll_report_annotate),
        cmocka_unit_test(test_toll_report_annotate_json),
        cmocka_unit_test(test_toll_report_flame),
        cmocka_unit_test(test_toll_report_page),
        cmocka_unit_test(test_toll_report_series),
        cmocka_unit_test(test_toll_report_series_json),
        cmocka_unit_test(test_toll_report_series_markdown),
        cmocka_unit_test(test_toll_value_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_report.c - reports: values as text; self, total and calls of functions; counts of omitted
 * rows; text from files cannot control a terminal; nothing leaks when memory runs out. */
#include "support.h"

static void test_values_with_their_units(void **state)
{
    (void)state;
    static const struct {
        int64_t value;
        const char *unit, *text;
    } cases[] = {
        { 0, "nanoseconds", "0 ns" },
        { 999, "nanoseconds", "999 ns" },
        { 1000, "nanoseconds", "1.00 \xc2\xb5s" },
        { 1234567, "nanoseconds", "1.23 ms" },
        { 999999, "nanoseconds", "1.00 ms" },
        { -1234567, "nanoseconds", "-1.23 ms" },
        { INT64_C(3600000000000), "nanoseconds", "3,600.00 s" },
        { 4096, "bytes", "4,096 B" },
        { 12345, "CU", "12,345 CU" },
        { 1234567, "count", "1,234,567" },
        { INT64_MIN, "count", "-9,223,372,036,854,775,808" },
        { INT64_MAX, "bytes", "9,223,372,036,854,775,807 B" },
        { INT64_MIN, "nanoseconds", "-9,223,372,036.85 s" },
        { 5, "", "5" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[TOLL_VALUE_TEXT_SIZE];
        assert_string_equal(toll_value_text(cases[i].value, cases[i].unit, text), cases[i].text);
    }
}

/* main calls f, f calls itself twice deep, and g; outside there is a bit too. */
static toll_profile *sample(const toll_allocator *a)
{
    toll_profile *p;
    assert_ok(toll_profile_create(a, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    toll_profile_set_default_column(p, 1);
    test_add_stack(p, "", "main", 0, 1);
    test_add_stack(p, "", "main;f", 0, 3);
    test_add_stack(p, "", "main;f;f", 0, 3);
    test_add_stack(p, "", "main;f;f;g", 0, 6);
    test_add_stack(p, "", "main;h", 0, 1);
    test_add_stack(p, "", "main", 1, 10);
    test_add_stack(p, "", "main;f", 1, 30);
    test_add_stack(p, "", "main;f;f", 1, 20);
    test_add_stack(p, "", "main;f;f;g", 1, 35);
    test_add_stack(p, "", "main;h", 1, 35);
    return p;
}

typedef toll_status report(const toll_profile *, const toll_report_options *, toll_output *,
                           toll_error *);

/* The text of a report, the caller's to free. */
static char *text_of(report *write, const toll_profile *p, const toll_report_options *o)
{
    toll_output *out;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(write(p, o, out, err));
    return test_text(out);
}

static void expect(report *write, const toll_profile *p, toll_report_options o,
                   const char *expected)
{
    char *text = text_of(write, p, &o);
    assert_string_equal(text, expected);
    free(text);
}

static void test_recursion_counts_once_in_totals(void **state)
{
    (void)state;
    toll_profile *p = sample(NULL);
    expect(toll_report_top, p,
           (toll_report_options){ .size = sizeof(toll_report_options), .rows = 0 },
           "ticks: 130 in 4 functions, 14 calls\n\n"
           "self  self%  total  total%  calls  function\n"
           "  50  38.5%     85   65.4%      6  f\n"
           "  35  26.9%     35   26.9%      6  g\n" /* equal selfs: by name */
           "  35  26.9%     35   26.9%      1  h\n"
           "  10   7.7%    130  100.0%      1  main\n");
    toll_profile_free(p);
}

static void test_rows_that_are_cut_are_counted(void **state)
{
    (void)state;
    toll_profile *p = sample(NULL);
    expect(toll_report_top, p,
           (toll_report_options){
               .size = sizeof(toll_report_options), .rows = 1, .sort = TOLL_SORT_TOTAL },
           "ticks: 130 in 4 functions, 14 calls\n\n"
           "self  self%  total  total%  calls  function\n"
           "  10   7.7%    130  100.0%      1  main\n"
           "... and 3 more rows\n");
    toll_profile_free(p);
}

/* What was spent outside of any frame is a row without a file or module. The module stands for a
 * file that is no path, if it is shorter. */
static void test_where_functions_are(void **state)
{
    static const struct {
        const char *file, *module, *shown;
        uint32_t line;
    } cases[] = { { "ATokenGPvbd", "Token", "Token", 0 },
                  { "ATok", "Token", "ATok", 0 },
                  { "a/ATokenGPvbd", "Tok", "a/ATokenGPvbd", 0 },
                  { "ATokenGPvbd", "", "ATokenGPvbd", 0 },
                  { "ATokenGPvbd", "Tok", "ATokenGPvbd:3", 3 } };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_profile *p;
        toll_frame_id id;
        toll_node_id root, node;
        const toll_frame frame = {
            .name = "f", .file = cases[i].file, .module = cases[i].module, .line = cases[i].line
        };
        const toll_report_options o = { .size = sizeof o };
        char expected[100];
        assert_ok(toll_profile_create(NULL, &p, err));
        assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
        assert_ok(toll_profile_add_thread(p, "", &root, err));
        assert_ok(toll_profile_add_frame(p, &frame, &id, err));
        assert_ok(toll_profile_add_child(p, root, id, &node, err));
        assert_ok(toll_profile_add_self(p, root, 0, 2, err));
        assert_ok(toll_profile_add_self(p, node, 0, 1, err));
        char *text = text_of(toll_report_top, p, &o), *json = text_of(toll_report_json, p, &o);
        assert_non_null(strstr(text, "(outside)\n"));
        snprintf(expected, sizeof expected, "  %s\n", cases[i].shown);
        assert_non_null(strstr(text, expected));
        snprintf(expected, sizeof expected, ",\"module\":\"%s\"", cases[i].module);
        assert_int_equal(strstr(json, expected) != NULL, *cases[i].module != 0);
        free(text);
        free(json);
        toll_profile_free(p);
    }
}

static void test_text_out_of_files_is_escaped(void **state)
{
    (void)state;
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    test_add_stack(p, "", "\x1b[2Jred\xc2\x9b", 0, 1);
    report *const reports[] = { toll_report_top, toll_report_tree, toll_report_json };
    for (int i = 0; i < 3; i++) {
        char *text =
            text_of(reports[i], p,
                    &(toll_report_options){ .size = sizeof(toll_report_options), .rows = 0 });
        assert_null(strchr(text, 0x1b));
        assert_non_null(strstr(text, "red"));
        free(text);
    }
    toll_profile_free(p);
}

static void test_an_unknown_value_is_an_error(void **state)
{
    (void)state;
    toll_profile *p = sample(NULL);
    toll_output *out;
    toll_error e = { TOLL_OK, "" };
    toll_report_options o = { .size = sizeof o, .value = "tick" };
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_int_equal(toll_report_top(p, &o, out, &e), TOLL_E_NOT_FOUND);
    assert_non_null(strstr(e.text, "ticks")); /* what there is */
    toll_output_free(out);
    toll_profile_free(p);
}

static void test_a_sum_that_does_not_fit_is_an_error(void **state)
{
    (void)state;
    toll_profile *p;
    toll_output *out;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    test_add_stack(p, "", "a", 0, INT64_MAX);
    test_add_stack(p, "", "b", 0, 1);
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    toll_report_options o = { .size = sizeof o, .rows = 0 };
    toll_error e = { TOLL_OK, "" };
    assert_int_equal(toll_report_top(p, &o, out, &e), TOLL_E_OVERFLOW);
    toll_output_free(out);
    toll_profile_free(p);
}

static toll_status write_report(const toll_allocator *a, void *user)
{
    report *const *write = user;
    toll_profile *made = sample(NULL), *p = NULL;
    toll_output *out = NULL;
    toll_report_options o = { .size = sizeof o, .rows = 2, .short_names = 1 };
    toll_status s = toll_profile_create(a, &p, NULL);
    if (!s)
        s = toll_profile_merge(p, made, NULL);
    if (!s)
        s = toll_output_to_memory(a, 0, &out, NULL);
    if (!s)
        s = (*write)(p, &o, out, NULL);
    if (!s)
        s = toll_output_commit(out, NULL);
    toll_output_free(out);
    toll_profile_free(p);
    toll_profile_free(made);
    return s;
}

static toll_status diff_itself(const toll_profile *p, const toll_report_options *o,
                               toll_output *out, toll_error *err)
{
    toll_profile *d;
    toll_status s = toll_profile_diff(p, p, &d, err);
    if (!s)
        s = toll_report_diff(p, p, d, o, out, err);
    if (!s)
        s = toll_report_diff_json(p, p, d, o, out, err);
    if (!s)
        s = toll_report_diff_markdown(p, p, d, o, out, err);
    toll_profile_free(d);
    return s;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    static report *const reports[] = { toll_report_top, toll_report_tree, toll_report_json,
                                       diff_itself };
    static report *const markdown = toll_report_markdown; /* with a flame graph: see test_flame.c */
    for (int i = 0; i < 4; i++)
        test_every_allocation(write_report, (void *)(uintptr_t)&reports[i]);
    test_allocations(write_report, (void *)(uintptr_t)&markdown, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_with_their_units),
        cmocka_unit_test(test_recursion_counts_once_in_totals),
        cmocka_unit_test(test_rows_that_are_cut_are_counted),
        cmocka_unit_test(test_where_functions_are),
        cmocka_unit_test(test_text_out_of_files_is_escaped),
        cmocka_unit_test(test_an_unknown_value_is_an_error),
        cmocka_unit_test(test_a_sum_that_does_not_fit_is_an_error),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_outside.c - time outside of any function, where it is more than half: every report leaves
 * the same out of its shares, and says how much. */
#include "support.h"

enum { TIME, CALLS, SAMPLES, WAITED };

/* Two threads of a server: `outside` nanoseconds are the host's, 40 are of functions. */
static toll_profile *server(const toll_allocator *a, int64_t outside)
{
    toll_profile *p;
    assert_ok(toll_profile_create(a, &p, err));
    assert_ok(toll_profile_add_column(p, "time", "nanoseconds", NULL, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "samples", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "waited", "milliseconds", NULL, err));
    test_add_stack(p, "", "", TIME, outside - 1);
    test_add_stack(p, "other", "", TIME, 1);
    test_add_stack(p, "", "", SAMPLES, 7);
    test_add_stack(p, "", "f", TIME, 10);
    test_add_stack(p, "", "f;g", TIME, 30);
    test_add_stack(p, "", "f;g", CALLS, 5);
    test_add_stack(p, "", "f;g", SAMPLES, 3);
    return p;
}

typedef toll_status report(const toll_profile *, int keep, toll_output *, toll_error *);

static toll_status top(const toll_profile *p, int keep, toll_output *out, toll_error *err)
{
    const toll_report_options o = { .size = sizeof o, .keep_outside = keep };
    return toll_report_top(p, &o, out, err);
}

static toll_status tree(const toll_profile *p, int keep, toll_output *out, toll_error *err)
{
    const toll_report_options o = { .size = sizeof o, .keep_outside = keep };
    return toll_report_tree(p, &o, out, err);
}

static toll_status json(const toll_profile *p, int keep, toll_output *out, toll_error *err)
{
    const toll_report_options o = { .size = sizeof o, .keep_outside = keep };
    return toll_report_json(p, &o, out, err);
}

static toll_status markdown(const toll_profile *p, int keep, toll_output *out, toll_error *err)
{
    const toll_report_options o = { .size = sizeof o, .keep_outside = keep };
    return toll_report_markdown(p, &o, out, err);
}

static toll_status flame(const toll_profile *p, int keep, toll_output *out, toll_error *err)
{
    const toll_flame_options o = { .size = sizeof o, .keep_outside = keep };
    return toll_report_flame(p, &o, out, err);
}

static toll_status svg(const toll_profile *p, int keep, toll_output *out, toll_error *err)
{
    (void)keep;
    return toll_profile_write(p, NULL, "svg", NULL, out, err);
}

static toll_status annotate(const toll_profile *p, int keep, toll_output *out, toll_error *err)
{
    const toll_annotate_options o = { .size = sizeof o, .keep_outside = keep };
    return toll_report_annotate(p, NULL, &o, out, err);
}

static toll_status page(const toll_profile *p, int keep, toll_output *out, toll_error *err)
{
    const toll_page_options o = { .size = sizeof o, .keep_outside = keep };
    return toll_report_page(p, NULL, &o, out, err);
}

/* The text of a report, the caller's to free. */
static char *text_of(report *write, const toll_profile *p, int keep)
{
    toll_output *out;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(write(p, keep, out, err));
    return test_text(out);
}

static void expect_in(report *write, const toll_profile *p, int keep, const char *part, bool is_in)
{
    char *text = text_of(write, p, keep);
    if ((strstr(text, part) != NULL) != is_in)
        fail_msg("%s'%s' in:\n%.3000s", is_in ? "no " : "", part, text);
    free(text);
}

#define NOTE                                                                                       \
    "outside of any function, in the host program: 1.00 \xc2\xb5s of time; no share counts this, " \
    "--outside does"

static void test_the_table(void **state)
{
    (void)state;
    toll_profile *p = server(NULL, 1000);
    char *text = text_of(top, p, 0);
    assert_string_equal(text,
                        "time: 40 ns in 2 functions, without 1.00 \xc2\xb5s outside, 5 calls, "
                        "2 threads\n\n"
                        " self  self%  total  total%  calls  function\n"
                        "30 ns  75.0%  30 ns   75.0%      5  g\n"
                        "10 ns  25.0%  40 ns  100.0%      0  f\n\n"
                        "note: " NOTE "\n");
    free(text);
    text = text_of(top, p, 1);
    assert_string_equal(text, "time: 1.04 \xc2\xb5s in 2 functions, 5 calls, 2 threads\n\n"
                              "   self  self%    total  total%  calls  function\n"
                              "1.00 \xc2\xb5s  96.2%  1.00 \xc2\xb5s   96.2%      0  (outside)\n"
                              "  30 ns   2.9%    30 ns    2.9%      5  g\n"
                              "  10 ns   1.0%    40 ns    3.8%      0  f\n");
    free(text);
    toll_profile_free(p);
}

static void test_every_report_leaves_out_the_same(void **state)
{
    static const struct {
        report *write;
        const char *whole, *kept;
        bool has_note;
    } cases[] = {
        { tree, "40 ns 100.0%", "1.04 \xc2\xb5s  99.9%", true },
        { flame, "40 ns in all, without 1.00 \xc2\xb5s outside", "1.04 \xc2\xb5s in all;", true },
        { markdown, "40 ns in 2 functions, without 1.00 \xc2\xb5s outside",
          "1.04 \xc2\xb5s in 2 functions\n", true },
        { page, "\"sum\":\"40\"", "\"sum\":\"1040\"", true },
        { page, "40 ns in all, without 1.00 \xc2\xb5s outside", "1.04 \xc2\xb5s in all<", true },
        { svg, "40 ns in all, without 1.00 \xc2\xb5s outside<", NULL, false },
    };
    (void)state;
    toll_profile *p = server(NULL, 1000);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_in(cases[i].write, p, 0, cases[i].whole, true);
        expect_in(cases[i].write, p, 0, " of time; no share counts this, --outside does",
                  cases[i].has_note);
        if (cases[i].kept)
            expect_in(cases[i].write, p, 1, cases[i].kept, true);
        if (cases[i].kept)
            expect_in(cases[i].write, p, 1, "no share counts", false);
    }
    expect_in(json, p, 0, "\"total\":1040,", true); /* has no shares */
    toll_profile_free(p);
}

/* A comparison keeps it: figures of both sides are of the whole. */
static void test_a_comparison_keeps_it(void **state)
{
    (void)state;
    toll_profile *p = server(NULL, 1000);
    toll_output *out;
    size_t size;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_report_page(p, p, NULL, out, err));
    assert_ok(toll_output_commit(out, err));
    const char *bytes = toll_output_data(out, &size);
    assert_non_null(strstr(bytes, "\"sum\":\"1040\""));
    assert_non_null(strstr(bytes, "1.04 \xc2\xb5s in all<"));
    toll_output_free(out);
    toll_profile_free(p);
}

static void test_what_stays(void **state)
{
    (void)state;
    toll_profile *p = server(NULL, 40); /* half is not more than half */
    expect_in(top, p, 0, "(outside)", true);
    toll_profile_free(p);
    p = server(NULL, 41);
    expect_in(top, p, 0, "(outside)", false);
    test_add_stack(p, "", "f;h", TIME, -1); /* there are no shares of a difference */
    expect_in(top, p, 0, "(outside)", true);
    toll_profile_free(p);
    assert_ok(toll_profile_create(NULL, &p, err)); /* all of it */
    assert_ok(toll_profile_add_column(p, "time", "nanoseconds", NULL, err));
    test_add_stack(p, "", "", TIME, 5);
    expect_in(top, p, 0, "(outside)", true);
    toll_profile_free(p);
    assert_ok(toll_profile_create(NULL, &p, err)); /* units that a program pays are all its own */
    assert_ok(toll_profile_add_column(p, "units", "CU", NULL, err));
    test_add_stack(p, "", "", 0, 50);
    test_add_stack(p, "", "f", 0, 5);
    expect_in(top, p, 0, "(outside)", true);
    toll_profile_free(p);
}

/* A second time is judged by itself; samples follow the time, if the profile is made of them. */
static void test_by_value(void **state)
{
    (void)state;
    toll_profile *p = server(NULL, 1000);
    const toll_report_options samples = { .size = sizeof samples, .value = "samples" };
    toll_output *out;
    size_t size;
    test_add_stack(p, "", "", WAITED, 1);
    test_add_stack(p, "", "f", WAITED, 2);
    expect_in(top, p, 0, "of waited", false);
    test_add_stack(p, "", "", WAITED, 2);
    expect_in(top, p, 0, "program: 3.00 ms of waited;", true);
    for (int is_sampled = 0; is_sampled < 2; is_sampled++) {
        if (is_sampled)
            assert_ok(toll_profile_add_comment(p, "sampled: every 10 nanoseconds of cpu", err));
        assert_ok(toll_output_to_memory(NULL, 0, &out, err));
        assert_ok(toll_report_top(p, &samples, out, err));
        assert_ok(toll_output_commit(out, err));
        const char *text = toll_output_data(out, &size);
        const char *begin = is_sampled ? "samples: 3 in 2 functions, without 7 outside"
                                       : "samples: 10 in 2 functions, 5 calls";
        assert_memory_equal(text, begin, strlen(begin));
        toll_output_free(out);
    }
    expect_in(top, p, 0, "in the host program: 7 samples; no share", true);
    toll_profile_free(p);
}

static void test_lines(void **state)
{
    (void)state;
    toll_profile *p = server(NULL, 1000);
    const toll_frame line = { .name = "f", .file = "f.lua", .line = 1, .at_line = 2 };
    toll_frame_id id;
    toll_node_id node;
    assert_ok(toll_profile_add_frame(p, &line, &id, err));
    assert_ok(toll_profile_add_child(p, toll_profile_root(p, 0), id, &node, err));
    assert_ok(toll_profile_add_self(p, node, TIME, 60, err));
    expect_in(annotate, p, 0, "60.0%", true);
    expect_in(annotate, p, 0, " of time; no share counts this", true);
    expect_in(annotate, p, 1, "5.5%", true);
    expect_in(annotate, p, 1, "no share counts", false);
    toll_profile_free(p);
}

static void test_the_profile_itself_is_untouched(void **state)
{
    (void)state;
    toll_profile *p = server(NULL, 1000);
    free(text_of(top, p, 0));
    assert_int_equal(test_self(p, "", "", TIME), 999);
    assert_int_equal(toll_profile_note_count(p), 0);
    toll_profile_free(p);
}

static toll_status write_report(const toll_allocator *a, void *user)
{
    toll_profile *p = server(NULL, 1000), *of;
    toll_output *out;
    toll_error err;
    toll_status status = toll_profile_create(a, &of, &err);
    if (!status) {
        status = toll_profile_merge(of, p, &err);
        if (!status)
            status = toll_output_to_memory(NULL, 0, &out, &err);
        if (!status) {
            status = (*(report **)user)(of, 0, out, &err);
            toll_output_free(out);
        }
        toll_profile_free(of);
    }
    toll_profile_free(p);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    static report *reports[] = { top, tree };
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
        test_every_allocation(write_report, &reports[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_table),
        cmocka_unit_test(test_every_report_leaves_out_the_same),
        cmocka_unit_test(test_a_comparison_keeps_it),
        cmocka_unit_test(test_what_stays),
        cmocka_unit_test(test_by_value),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_the_profile_itself_is_untouched),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

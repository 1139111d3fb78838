/* test_categories.c - report/categories.h: which function is the baseline, and what is left without
 * it. tests/cli/report/by_category.sh has whole reports. */
#include "support.h"

typedef struct row {
    const char *name, *file;
    uint32_t line;
    int64_t calls, self;
    bool calls_last; /* it also calls the row before */
} row;

static void add(toll_profile *p, const row *r, toll_node_id parent, toll_node_id *node)
{
    toll_frame frame = { .name = r->name, .file = r->file, .line = r->line };
    toll_frame_id id;
    assert_ok(toll_profile_add_frame(p, &frame, &id, err));
    assert_ok(toll_profile_add_child(p, parent, id, node, err));
    assert_ok(toll_profile_add_self(p, *node, 0, r->calls, err));
    assert_ok(toll_profile_add_self(p, *node, 1, r->self, err));
}

/* The report's text holds `expected`. */
static void check_report(const row *rows, size_t count, const char *expected)
{
    toll_report_options o = { .size = sizeof o, .by_category = 1, .value = "units" };
    toll_profile *p;
    toll_thread_id thread;
    toll_output *out;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "units", "count", NULL, err));
    assert_ok(toll_profile_add_thread(p, "", &thread, err));
    for (size_t i = 0; i < count; i++) {
        toll_node_id node;
        add(p, &rows[i], toll_profile_root(p, thread), &node);
        if (rows[i].calls_last)
            add(p, &rows[i - 1], node, &node);
    }
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_report_markdown(p, &o, out, err));
    toll_output_write(out, "", 1);
    assert_ok(toll_output_commit(out, err));
    if (!strstr(toll_output_data(out, NULL), expected))
        fail_msg("%s: not in\n%s", expected, (const char *)toll_output_data(out, NULL));
    toll_output_free(out);
    toll_profile_free(p);
}

#define LIB "x/src/lib.rs"
#define CHECK(expected, ...)                                                                       \
    check_report((row[]){ __VA_ARGS__ }, sizeof((row[]){ __VA_ARGS__ }) / sizeof(row), expected)
#define NONE "**Baseline:** none"

static void test_the_baseline_was_called_and_called_no_other(void **state)
{
    (void)state;
    CHECK(NONE, { "never", LIB, 1, 0, 5, false });
    CHECK(NONE, { "less", LIB, 1, 1, -5, false });
    CHECK(NONE, { "f", "x/src/a.rs", 1, 1, 5, false }, { "calls", LIB, 1, 1, 4, true });
    CHECK(NONE, { "elsewhere", "x/src/lib/lib.rs", 1, 1, 5, false });
    CHECK("**Baseline:** 5 a call, of <code>one</code>", { "one", LIB, 1, 1, 5, false });
    CHECK("**Baseline:** 0 a call, of <code>free</code>", { "one", LIB, 1, 1, 1, false },
          { "free", LIB, 2, 2, 0, false });
    CHECK("**Baseline:** 2 a call (rounded down), of <code>five</code>",
          { "dear", LIB, 1, 1, 3, false }, { "five", LIB, 2, 2, 5, false });
}

static void test_the_first_of_equal_ones_is_the_baseline(void **state)
{
    (void)state;
    CHECK("of <code>b</code>", { "a", LIB, 2, 1, 7, false }, { "b", LIB, 1, 1, 7, false },
          { "c", LIB, 3, 2, 15, false });
}

static void test_what_is_left_without_the_baseline(void **state)
{
    (void)state;
    CHECK("| 2 | 21 | 1 |", { "one", LIB, 1, 1, 10, false },
          { "f", "src/a/f.rs", 1, 2, 21, false });
    CHECK("| 2 | 9 | -11 |", { "one", LIB, 1, 1, 10, false },
          { "f", "src/a/f.rs", 1, 2, 9, false });
}

/* Baselines of so many calls are more than a sum can hold. */
static void test_what_is_left_may_not_fit(void **state)
{
    (void)state;
    CHECK("| 3,074,457,345,618,258,602 | 1 | -9,223,372,036,854,775,805 |",
          { "one", LIB, 1, 1, 3, false }, { "f", "src/a/f.rs", 1, INT64_MAX / 3, 1, false });
    CHECK("| 3,074,457,345,618,258,603 | 1 | - |", { "one", LIB, 1, 1, 3, false },
          { "f", "src/a/f.rs", 1, INT64_MAX / 3 + 1, 1, false });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_baseline_was_called_and_called_no_other),
        cmocka_unit_test(test_the_first_of_equal_ones_is_the_baseline),
        cmocka_unit_test(test_what_is_left_without_the_baseline),
        cmocka_unit_test(test_what_is_left_may_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

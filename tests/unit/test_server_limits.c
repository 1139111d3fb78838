/* test_server_limits.c - gates/server_limits.h: which parts of a profile a server would drop by
 * default. */
#include "support.h"

#include "gates/server_limits.h"

/* One limit of each kind that tests need, small. */
static const toll_server_limit small[] = {
    { "s", "1", TOLL_MEASURE_STACKS, 4, "stacks", "refused", NULL },
    { "s", "1", TOLL_MEASURE_DEPTH, 2, "frames of a stack", "cut", "--deep" },
    { "s", "1", TOLL_MEASURE_NAME, 3, "bytes of a name", "cut", NULL },
    { "s", "1", TOLL_MEASURE_NEGATIVE, 0, "negative values", "left out", NULL },
    { "s", "1", TOLL_MEASURE_DASHES, 0, "columns with -", "refused", NULL },
    { "s", "1", TOLL_MEASURE_AGE, 60, "seconds", "refused", NULL },
    { "s", "1", TOLL_MEASURE_LABELS, 0, "labels", "refused", NULL },
    { "s", "1", TOLL_MEASURE_LABEL_NAME, 5, "bytes of a label's name", "refused", NULL },
    { "s", "1", TOLL_MEASURE_LABEL_VALUE, 4, "bytes of a label's value", "refused", NULL },
    { "s", "1", TOLL_MEASURE_NO_METRICS, 0, "types", "refused", NULL },
    { "s", "1", TOLL_MEASURE_NO_NAMES, 0, "labels", "changed", NULL },
    { "s", "1", TOLL_MEASURE_REPEATED, 0, "labels", "left out", NULL },
};
enum { SMALL = sizeof small / sizeof *small };
enum {
    STACKS,
    DEPTH,
    NAME,
    NEGATIVE,
    DASHES,
    AGE,
    LABELS,
    LABEL_NAME,
    LABEL_VALUE,
    NO_METRICS,
    NO_NAMES,
    REPEATED
};

static toll_profile *example(void)
{
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "in-use", "bytes", NULL, err));
    test_add_stack(p, "", "a;b;c", 0, 7);
    test_add_stack(p, "", "a;b;c", 1, 70);
    test_add_stack(p, "", "a;b", 0, 5);
    test_add_stack(p, "", "long", 0, 3);
    test_add_stack(p, "main", "a", 1, 100);
    test_add_stack(p, "other", "a;long;c", 0, 1);
    return p;
}

/* What toll check --limits measures; the allocator is that of all but the profile. */
static toll_status measure(const toll_allocator *a, const toll_profile *p, uint64_t age_s,
                           toll_limits *out, toll_error *error)
{
    toll_output *pprof;
    toll_mem mem = a ? *a : toll_c_allocator();
    size_t size;
    assert_ok(toll_output_to_memory(NULL, 0, &pprof, err));
    assert_ok(toll_profile_write(p, NULL, "pprof", NULL, pprof, err));
    assert_ok(toll_output_commit(pprof, err));
    const void *data = toll_output_data(pprof, &size);
    toll_status status = toll_limits_measure(out, &mem, small, SMALL, data, size, age_s, error);
    toll_output_free(pprof);
    return status;
}

static void assert_result(const toll_limits *l, size_t i, uint64_t met, uint64_t stacks,
                          int64_t calls, int64_t bytes)
{
    assert_int_equal(l->results[i].met, met);
    assert_int_equal(l->results[i].stacks, stacks);
    assert_int_equal(l->results[i].sums[0], calls);
    assert_int_equal(l->results[i].sums[1], bytes);
}

static void test_limits_are_of_stacks_and_of_the_whole(void **state)
{
    toll_profile *p = example();
    toll_limits l;
    (void)state;
    assert_ok(measure(NULL, p, 61, &l, err));
    assert_int_equal(l.columns, 2);
    assert_result(&l, STACKS, 5, 5, 16, 170);
    assert_result(&l, DEPTH, 3, 2, 8, 70);
    assert_result(&l, NAME, 4, 2, 4, 0);
    assert_result(&l, NEGATIVE, 0, 0, 0, 0);
    assert_result(&l, DASHES, 1, 5, 16, 170);
    assert_result(&l, AGE, 61, 5, 16, 170);
    assert_result(&l, LABELS, 1, 2, 1, 100);
    assert_result(&l, LABEL_NAME, 6, 2, 1, 100); /* "thread" */
    assert_result(&l, LABEL_VALUE, 5, 1, 1, 0);  /* "other" */
    assert_result(&l, SMALL, 0, 5, 16, 170);
    toll_limits_free(&l);
    toll_profile_free(p);
}

static void test_limits_are_what_is_still_taken(void **state)
{
    toll_profile *p;
    toll_limits l;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    for (int i = 0; i < 4; i++)
        test_add_stack(p, "", (const char *[]){ "abc", "a;b", "c", "d" }[i], 0, 1);
    assert_ok(measure(NULL, p, 60, &l, err));
    for (size_t i = 0; i < SMALL; i++) {
        assert_true(l.results[i].met <= small[i].most);
        assert_int_equal(l.results[i].stacks, 0);
    }
    toll_limits_free(&l);
    toll_profile_free(p);
}

static void test_limits_count_negative_values(void **state)
{
    toll_profile *p = example();
    toll_limits l;
    (void)state;
    test_add_stack(p, "", "d", 0, -2);
    test_add_stack(p, "", "d", 1, -3);
    test_add_stack(p, "", "e", 1, -4);
    assert_ok(measure(NULL, p, 0, &l, err));
    assert_result(&l, NEGATIVE, 2, 2, -2, -7);
    toll_limits_free(&l);
    toll_profile_free(p);
}

static void test_limits_of_an_empty_profile(void **state)
{
    toll_profile *p;
    toll_limits l;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(measure(NULL, p, 61, &l, err));
    assert_int_equal(l.columns, 0);
    assert_int_equal(l.results[AGE].met, 61); /* refused, though it has no stacks */
    assert_int_equal(l.results[AGE].stacks, 0);
    toll_limits_free(&l);
    toll_profile_free(p);
}

static void test_limits_say_the_share(void **state)
{
    toll_profile *p = example();
    toll_mem mem = toll_c_allocator();
    toll_findings f;
    toll_limits l;
    (void)state;
    assert_ok(measure(NULL, p, 0, &l, err));
    toll_findings_init(&f, &mem);
    toll_limits_find(&l, p, "x.pb.gz", &f);
    assert_int_equal(f.count, 8);
    const char *line = (const char *)f.text.data + f.items[1].first;
    assert_string_equal(line,
                        "x.pb.gz: 3 frames of a stack, 1 more than the 2 that s 1 takes: cut; "
                        "start the server with --deep");
    line += strlen(line) + 1;
    assert_string_equal(line,
                        "  2 of 5 stacks: calls 8 of 16 (50.0%), in-use 70 B of 170 B (41.2%)");
    toll_findings_free(&f);
    toll_limits_free(&l);
    toll_profile_free(p);
}

static void test_limits_refuse_what_is_no_pprof(void **state)
{
    static const uint8_t torn[] = { 0x0a, 0x7f, 0x00 };
    static const uint8_t values[] = { 0x0a, 0x00, 0x12, 0x04, 0x12, 0x02, 0x01, 0x01 };
    toll_mem mem = toll_c_allocator();
    toll_limits l;
    (void)state;
    assert_int_equal(toll_limits_measure(&l, &mem, small, SMALL, torn, sizeof torn, 0, NULL),
                     TOLL_E_SYNTAX);
    toll_limits_free(&l);
    assert_int_equal(toll_limits_measure(&l, &mem, small, SMALL, values, sizeof values, 0, NULL),
                     TOLL_E_SYNTAX); /* one column, two values */
    toll_limits_free(&l);
}

static void add_labelled(toll_profile *p, const toll_thread_label *labels, uint32_t count,
                         int64_t calls)
{
    toll_thread_id thread;
    assert_ok(toll_profile_add_labelled_thread(p, "", labels, count, &thread, err));
    assert_ok(toll_profile_add_self(p, toll_profile_root(p, thread), 0, calls, err));
}

/* Names that are not those of Prometheus: of types, units and labels. */
static void test_names_that_a_server_changes(void **state)
{
    static const toll_thread_label twice[] = { { "test", "x" }, { "test", "y" } },
                                   alike[] = { { "a-b", "1" }, { "a.b", "2" }, { "aZb", "3" } },
                                   wide[] = { { "\xc3\xa9_", "1" }, { "__", "2" } },
                                   plain[] = { { "A_9", "1" }, { "a", "1" } };
    toll_profile *p;
    toll_limits l;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "gas.used", "units", NULL, err));
    assert_ok(toll_profile_add_column(p, "a:B_9", "%", NULL, err));
    add_labelled(p, twice, 2, 1);
    add_labelled(p, alike, 3, 10);
    add_labelled(p, wide, 2, 100);
    add_labelled(p, plain, 2, 1000);
    assert_ok(measure(NULL, p, 0, &l, err));
    assert_result(&l, NO_METRICS, 3, 4, 1111, 0); /* the first column is the period's, too */
    assert_result(&l, NO_NAMES, 2, 2, 110, 0);
    assert_result(&l, REPEATED, 1, 3, 111, 0);
    toll_limits_free(&l);
    toll_profile_free(p);
}

static void test_limits_of_servers(void **state)
{
    toll_error err = { TOLL_OK, "" };
    size_t count;
    (void)state;
    const toll_server_limit *rows = toll_server_limits("pyroscope", &count, &err);
    assert_non_null(rows);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(rows[i].server, "pyroscope");
    rows = toll_server_limits("parca", &count, &err);
    assert_non_null(rows);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(rows[i].server, "parca");
    assert_null(toll_server_limits("pyro", &count, &err));
    assert_int_equal(err.status, TOLL_E_NOT_FOUND);
    assert_non_null(strstr(err.text, "pyroscope, parca"));
}

static toll_status measure_all(const toll_allocator *a, void *user)
{
    toll_limits l;
    toll_status status = measure(a, user, 0, &l, NULL);
    toll_limits_free(&l);
    return status;
}

static void test_limits_survive_every_failed_allocation(void **state)
{
    toll_profile *p = example();
    (void)state;
    test_every_allocation(measure_all, p);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits_are_of_stacks_and_of_the_whole),
        cmocka_unit_test(test_limits_are_what_is_still_taken),
        cmocka_unit_test(test_limits_count_negative_values),
        cmocka_unit_test(test_limits_of_an_empty_profile),
        cmocka_unit_test(test_limits_say_the_share),
        cmocka_unit_test(test_limits_refuse_what_is_no_pprof),
        cmocka_unit_test(test_names_that_a_server_changes),
        cmocka_unit_test(test_limits_of_servers),
        cmocka_unit_test(test_limits_survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_cases.c - the tables of tests that toll report and toll diff print with --each, and the
 * limits to their growth. tests/cli/diff/each.sh has the texts. */
#include "support_profile.h"

#include "gates/cases.h"

/* Add to a stack of one function, of the thread with the label test=`test`; "": without labels. */
static toll_status add_ticks(toll_profile *p, const char *test, const char *function, int64_t ticks)
{
    toll_thread_id thread;
    toll_node_id node;
    toll_frame_id frame;
    const toll_thread_label label = { "test", test };
    toll_status status = toll_profile_add_labelled_thread(p, "", &label, 1, &thread, NULL);
    if (!status)
        status = toll_profile_add_frame(p, &(toll_frame){ .name = function }, &frame, NULL);
    if (!status)
        status = toll_profile_add_child(p, toll_profile_root(p, thread), frame, &node, NULL);
    if (!status)
        status = toll_profile_add_self(p, node, 0, 1, NULL);
    return status ? status : toll_profile_add_self(p, node, 1, ticks, NULL);
}

static toll_status make(const toll_allocator *a, toll_profile **out)
{
    uint32_t column;
    toll_status status = toll_profile_create(a, out, NULL);
    if (!status)
        status = toll_profile_add_column(*out, "calls", "count", &column, NULL);
    return status ? status : toll_profile_add_column(*out, "ticks", "count", &column, NULL);
}

static const toll_cases_options options = { .value = "ticks", .by = "test" };

static void test_what_is_new_and_what_is_gone(void **state)
{
    (void)state;
    toll_profile *before, *after;
    toll_cases c;
    assert_ok(make(NULL, &before));
    assert_ok(make(NULL, &after));
    assert_ok(add_ticks(before, "a", "f", 5));
    assert_ok(add_ticks(before, "b", "f", 7));
    assert_ok(add_ticks(after, "c", "f", 1));
    assert_ok(add_ticks(after, "a", "f", 6));
    assert_ok(add_ticks(after, "a", "g", 6));
    assert_ok(toll_cases_create(&c, before, after, &options, err));
    assert_int_equal(c.count, 3);
    assert_int_equal(c.items[0].before, 5);
    assert_int_equal(c.items[0].after, 12);
    assert_int_equal(c.items[0].by, 7);
    assert_int_equal(c.items[0].calls, 2);
    assert_true(c.items[0].was && c.items[0].is && !c.items[0].is_new && !c.items[0].is_gone);
    assert_true(c.items[1].is_gone && !c.items[1].is_new);
    assert_true(c.items[2].is_new && !c.items[2].is_gone);
    assert_int_equal(c.all.by, 1);
    assert_int_equal(c.both.by, 7);
    toll_cases_free(&c);
    toll_profile_free(before);
    toll_profile_free(after);
}

/* A function that a test did not call before is growth of that test, and not new. */
static void test_a_new_function_of_a_test_is_growth(void **state)
{
    (void)state;
    toll_profile *plain, *more, *before, *after;
    toll_cases c;
    assert_ok(make(NULL, &plain));
    assert_ok(make(NULL, &more));
    assert_ok(add_ticks(plain, "a", "f", 5));
    assert_ok(add_ticks(more, "a", "f", 5));
    assert_ok(add_ticks(more, "a", "g", 2));
    assert_ok(toll_profile_group_by(plain, "test,root", &before, err));
    assert_ok(toll_profile_group_by(more, "test,root", &after, err));
    assert_ok(toll_cases_create(&c, before, after,
                                &(toll_cases_options){ .value = "ticks", .by = "test,root" }, err));
    assert_int_equal(c.count, 2);
    assert_false(c.items[1].was || c.items[1].is_new);
    assert_int_equal(c.items[1].by, 2);
    toll_cases_free(&c);
    toll_profile_free(before);
    toll_profile_free(after);
    toll_profile_free(plain);
    toll_profile_free(more);
}

static void test_what_does_not_fit(void **state)
{
    (void)state;
    toll_profile *p, *q;
    toll_cases c;
    assert_ok(make(NULL, &p));
    assert_ok(make(NULL, &q));
    assert_ok(add_ticks(p, "a", "f", INT64_MAX));
    assert_ok(add_ticks(p, "b", "f", 1)); /* each fits, and their sum does not */
    assert_int_equal(toll_cases_create(&c, NULL, p, &options, NULL), TOLL_E_OVERFLOW);
    toll_cases_free(&c);
    assert_ok(add_ticks(q, "a", "f", -2));
    assert_int_equal(toll_cases_create(&c, q, p, &options, NULL), TOLL_E_OVERFLOW);
    toll_cases_free(&c);
    assert_int_equal(toll_cases_create(&c, NULL, p, &(toll_cases_options){ .value = "x" }, NULL),
                     TOLL_E_NOT_FOUND);
    toll_cases_free(&c);
    assert_int_equal(
        toll_cases_create(&c, NULL, p,
                          &(toll_cases_options){ .by = "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q" }, NULL),
        TOLL_E_ARGUMENT);
    toll_cases_free(&c);
    toll_profile_free(p);
    toll_profile_free(q);
}

/* Everything that --each does, with an allocation that fails. */
static toll_status compare(const toll_allocator *a, void *user)
{
    toll_profile *before = NULL, *after = NULL, *difference = NULL;
    toll_cases c = { 0 };
    toll_findings findings;
    toll_verdicts verdicts;
    toll_growth_limit limit;
    (void)user;
    const toll_mem mem = toll_mem_from(a);
    assert_null(toll_growth_limit_parse("1%", &limit));
    const toll_growth_options growth = {
        .value = "ticks", .limits = &limit, .limit_count = 1, .verdicts = &verdicts
    };
    toll_findings_init(&findings, &mem);
    toll_verdicts_init(&verdicts, &mem, "after", &findings);
    toll_status status = make(a, &before);
    if (!status)
        status = make(a, &after);
    for (int i = 0; !status && i < 3; i++)
        status = add_ticks(before, i ? "a" : "b", i > 1 ? "f" : "g", 10);
    for (int i = 0; !status && i < 3; i++)
        status = add_ticks(after, i ? "a" : "c", i > 1 ? "f" : "g", 11);
    if (!status)
        status = toll_profile_diff(before, after, &difference, NULL);
    if (!status)
        status = toll_cases_create(&c, before, after, &options, NULL);
    if (!status)
        status = toll_cases_check(&c, difference, &growth, &findings, NULL);
    if (!status)
        status = verdicts.failed ? TOLL_E_NOMEM : TOLL_OK;
    if (!status) {
        assert_int_equal(findings.count, 1);
        assert_int_equal(verdicts.count, 2); /* a, and c, which is new */
        assert_string_equal(verdicts.items[0].name, "ticks test=a");
        assert_int_equal(verdicts.items[0].state, TOLL_VERDICT_FAILS);
        assert_int_equal(verdicts.items[1].state, TOLL_VERDICT_SKIPPED);
    }
    toll_verdicts_free(&verdicts);
    toll_findings_free(&findings);
    toll_cases_free(&c);
    toll_profile_free(before);
    toll_profile_free(after);
    toll_profile_free(difference);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    test_every_allocation(compare, NULL);
}

/* Profiles without values show nothing by default that the other could lack. */
static void test_nothing_is_shown_by_default(void **state)
{
    (void)state;
    toll_profile *empty, *full;
    assert_ok(toll_profile_create(NULL, &empty, err));
    assert_ok(make(NULL, &full));
    assert_ok(toll_growth_check_default(empty, empty, err));
    assert_ok(toll_growth_check_default(full, full, err));
    assert_int_equal(toll_growth_check_default(empty, full, NULL), TOLL_E_NOT_FOUND);
    assert_int_equal(toll_growth_check_default(full, empty, NULL), TOLL_E_NOT_FOUND);
    toll_profile_free(empty);
    toll_profile_free(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_shown_by_default),
        cmocka_unit_test(test_what_is_new_and_what_is_gone),
        cmocka_unit_test(test_a_new_function_of_a_test_is_growth),
        cmocka_unit_test(test_what_does_not_fit),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

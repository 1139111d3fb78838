/* test_equal.c - gates/equal.h: a value is equal if it is the same in all stacks of all runs. */
#include "support.h"

#include "gates/equal.h"

/* calls, ticks, time of main;f and main;g; `ticks` moves from one to the other. */
static toll_profile *run_of(const toll_allocator *a, int64_t calls, int64_t ticks, int64_t time)
{
    toll_profile *p;
    toll_profile *model;
    assert_ok(toll_profile_create(NULL, &model, err));
    assert_ok(toll_profile_add_column(model, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(model, "ticks", "count", NULL, err));
    assert_ok(toll_profile_add_column(model, "time", "nanoseconds", NULL, err));
    test_add_stack(model, "", "main;f", 0, calls);
    test_add_stack(model, "", "main;f", 1, ticks);
    test_add_stack(model, "", "main;g", 1, 100 - ticks);
    test_add_stack(model, "", "main;g", 2, time);
    if (toll_profile_create(a, &p, NULL) == TOLL_OK && toll_profile_merge(p, model, NULL)) {
        toll_profile_free(p);
        p = NULL;
    }
    toll_profile_free(model);
    return p;
}

static toll_status add(toll_equal *e, toll_profile *run, toll_error *err)
{
    toll_status status = run ? toll_equal_add(e, run, err) : TOLL_E_NOMEM;
    if (run != e->first)
        toll_profile_free(run);
    return status;
}

static void test_equal_is_by_stack(void **state)
{
    toll_mem mem = toll_c_allocator();
    toll_equal e;
    toll_findings f;
    (void)state;
    toll_equal_init(&e, &mem);
    toll_findings_init(&f, &mem);
    assert_ok(add(&e, run_of(NULL, 5, 40, 7), err));
    assert_ok(add(&e, run_of(NULL, 5, 41, 9), err)); /* the sum of ticks is the same */
    assert_ok(add(&e, run_of(NULL, 5, 40, 8), err));
    assert_true(toll_equal_is(&e, 0));
    assert_false(toll_equal_is(&e, 1));
    assert_int_equal(e.columns[1].stacks, 2);
    assert_int_equal(e.columns[1].least, e.columns[1].most);
    assert_int_equal(e.columns[2].least, 7);
    assert_int_equal(e.columns[2].most, 9);
    assert_ok(toll_equal_check(&e, NULL, &f, err));
    assert_int_equal(f.count, 1); /* ticks; nobody expects it of time */
    assert_ok(toll_equal_check(&e, "calls", &f, err));
    assert_int_equal(f.count, 1);
    assert_int_equal(toll_equal_check(&e, "time", &f, NULL), TOLL_E_ARGUMENT);
    assert_int_equal(toll_equal_check(&e, "fuel", &f, NULL), TOLL_E_NOT_FOUND);
    toll_findings_free(&f);
    toll_equal_free(&e);
}

static void test_equal_needs_the_same_values(void **state)
{
    toll_mem mem = toll_c_allocator();
    toll_equal e;
    toll_profile *other;
    (void)state;
    assert_ok(toll_profile_create(NULL, &other, err));
    assert_ok(toll_profile_add_column(other, "calls", "count", NULL, err));
    test_add_stack(other, "", "main;f", 0, 5);
    toll_equal_init(&e, &mem);
    assert_ok(add(&e, run_of(NULL, 5, 40, 7), err));
    assert_int_equal(add(&e, other, NULL), TOLL_E_INVARIANT);
    toll_equal_free(&e);
}

static toll_status compare_runs(const toll_allocator *a, void *user)
{
    toll_equal e;
    toll_findings f;
    (void)user;
    toll_equal_init(&e, a);
    toll_findings_init(&f, a);
    toll_status status = add(&e, run_of(a, 5, 40, 7), NULL);
    if (!status)
        status = add(&e, run_of(a, 5, 41, 7), NULL);
    if (!status)
        status = toll_equal_check(&e, NULL, &f, NULL);
    toll_findings_free(&f);
    toll_equal_free(&e);
    return status;
}

static void test_equal_every_allocation(void **state)
{
    (void)state;
    test_every_allocation(compare_runs, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_is_by_stack),
        cmocka_unit_test(test_equal_needs_the_same_values),
        cmocka_unit_test(test_equal_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

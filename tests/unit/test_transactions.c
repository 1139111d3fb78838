/* test_transactions.c - what transactions of Solana cost by their instructions, and how many
 * compute units to request: for toll bench. tests/cli/bench has the texts. */
#include "support_profile.h"

#include "gates/transactions.h"

/* Add to the stack of one instruction, of a thread with these labels; "": without that label. */
static toll_status add_units(toll_profile *p, const char *test, const char *transaction,
                             const char *instruction, int64_t calls, int64_t units)
{
    toll_thread_id thread;
    toll_node_id node;
    toll_frame_id frame;
    const toll_thread_label labels[] = { { "test", test }, { "transaction", transaction } };
    toll_status status = toll_profile_add_labelled_thread(p, "", labels, 2, &thread, NULL);
    if (!status)
        status = toll_profile_add_frame(p, &(toll_frame){ .name = instruction }, &frame, NULL);
    if (!status)
        status = toll_profile_add_child(p, toll_profile_root(p, thread), frame, &node, NULL);
    if (!status)
        status = toll_profile_add_self(p, node, 0, calls, NULL);
    return status ? status : toll_profile_add_self(p, node, 1, units, NULL);
}

static toll_status make(const toll_allocator *a, toll_profile **out)
{
    uint32_t column;
    toll_status status = toll_profile_create(a, out, NULL);
    if (!status)
        status = toll_profile_add_column(*out, "calls", "count", &column, NULL);
    return status ? status : toll_profile_add_column(*out, "compute units", "CU", &column, NULL);
}

static const char *name(const toll_transactions *t, size_t i)
{
    return toll_strtab_text(&t->names, t->items[i].name);
}

static void test_limits_to_request(void **state)
{
    (void)state;
    toll_profile *p;
    toll_transactions t;
    const toll_allowance tenth = { .part = 10, .whole = 100 };
    assert_ok(make(NULL, &p));
    assert_ok(add_units(p, "a", "1", "Token: Transfer", 1, 1000));
    assert_ok(add_units(p, "a", "1", "Compute Budget: SetComputeUnitLimit", 1, 150));
    assert_ok(add_units(p, "b", "2", "Token: Transfer", 1, 2000)); /* the same, in another test */
    assert_ok(add_units(p, "b", "2", "Compute Budget: SetComputeUnitLimit", 1, 150));
    assert_ok(add_units(p, "b", "3", "Token: Transfer", 2, 3000));
    assert_ok(add_units(p, "b", "4", "Token: Transfer", 1, 9));
    assert_ok(add_units(p, "b", "4", "Token: Burn (failed)", 1, 1));
    assert_ok(add_units(p, "b", "5", "Big", 1, TOLL_MOST_COMPUTE_UNITS - 151));
    assert_ok(add_units(p, "b", "6", "Huge", 1, INT64_MAX));
    assert_ok(add_units(p, "b", "", "Token: Transfer", 1, 5)); /* of no known transaction */
    assert_ok(add_units(p, "b", "program/b", "Alone", 1, 5));  /* an instruction alone */
    assert_ok(toll_transactions_create(&t, p, &tenth, err));
    assert_int_equal(t.count, 4);
    assert_int_equal(t.failed, 1);
    assert_string_equal(name(&t, 0), "Huge");
    assert_int_equal(t.items[0].limit, 0); /* too much */
    assert_string_equal(name(&t, 1), "Big");
    assert_int_equal(t.items[1].limit, TOLL_MOST_COMPUTE_UNITS);
    assert_string_equal(name(&t, 2), "2 x Token: Transfer");
    assert_int_equal(t.items[2].limit, 3000 + 150 + 315); /* it has no request yet */
    assert_string_equal(name(&t, 3), "Compute Budget: SetComputeUnitLimit + Token: Transfer");
    assert_int_equal(t.items[3].count, 2);
    assert_int_equal(t.items[3].most, 2150);
    assert_int_equal(t.items[3].limit, 2150 + 215);
    toll_transactions_free(&t);
    toll_profile_free(p);
}

static void test_profiles_of_other_guests_have_none(void **state)
{
    (void)state;
    toll_profile *p = empty();
    toll_transactions t;
    assert_ok(toll_transactions_create(&t, p, &(toll_allowance){ .part = 1, .whole = 10 }, err));
    assert_int_equal(t.count, 0);
    toll_transactions_free(&t);
    toll_profile_free(p);
}

/* Transactions added up, and the least and the most that a test took in one. */
static toll_status work(const toll_allocator *a, void *user)
{
    toll_profile *p = NULL, *sum = NULL, *tests = NULL;
    toll_cases c = { 0 };
    toll_transactions t = { 0 };
    (void)user;
    toll_status status = make(a, &p);
    if (!status)
        status = add_units(p, "a", "1", "f", 1, 10);
    if (!status)
        status = add_units(p, "a", "2", "f", 1, 4);
    if (!status)
        status = add_units(p, "a", "3", "f", 1, 7);
    if (!status)
        status = add_units(p, "b", "", "g", 1, 1);
    if (!status)
        status = toll_transactions_sum(p, &sum, NULL);
    if (!status)
        status = toll_profile_group_by(sum, "test", &tests, NULL);
    if (!status)
        status = toll_cases_create(&c, NULL, tests, &(toll_cases_options){ .by = "test" }, NULL);
    if (!status)
        status = toll_cases_add_transactions(&c, p, NULL);
    if (!status)
        status = toll_transactions_create(&t, p, &(toll_allowance){ .part = 1, .whole = 10 }, NULL);
    if (!status) {
        assert_int_equal(toll_profile_thread_count(sum), 2);
        assert_true(c.has_runs);
        assert_int_equal(c.items[0].after, 21);
        assert_int_equal(c.runs[c.items[0].thread].count, 3);
        assert_int_equal(c.runs[c.items[0].thread].least, 4);
        assert_int_equal(c.runs[c.items[0].thread].most, 10);
        assert_int_equal(c.runs[c.items[1].thread].count, 0);
        assert_int_equal(t.count, 1);
    }
    toll_transactions_free(&t);
    toll_cases_free(&c);
    toll_profile_free(tests);
    toll_profile_free(sum);
    toll_profile_free(p);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    test_every_allocation(work, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits_to_request),
        cmocka_unit_test(test_profiles_of_other_guests_have_none),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

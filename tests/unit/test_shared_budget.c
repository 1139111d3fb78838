/* test_shared_budget.c - the limit of memory that several threads share: what is given back may be
 * had again, and what was refused is not counted. */
#include "support.h"

#include "cli/shared_budget.h"

enum { LIMIT = 1000 };

static void *resize(const toll_allocator *a, void *block, size_t old_size, size_t new_size)
{
    return a->resize(a->user, block, old_size, new_size);
}

static void test_a_limit_is_reached_and_not_exceeded(void **state)
{
    (void)state;
    toll_shared_budget b;
    toll_allocator a = toll_shared_allocator(&b, LIMIT);
    assert_null(resize(&a, NULL, 0, LIMIT + 1));
    assert_true(b.refused);
    assert_int_equal(b.used, 0);
    void *block = resize(&a, NULL, 0, LIMIT);
    assert_non_null(block);
    assert_int_equal(b.used, LIMIT);
    assert_null(resize(&a, NULL, 0, 1));
    assert_int_equal(b.used, LIMIT);
    resize(&a, block, LIMIT, 0);
    assert_int_equal(b.used, 0);
}

static void test_a_block_that_grows_and_shrinks_counts_once(void **state)
{
    (void)state;
    toll_shared_budget b;
    toll_allocator a = toll_shared_allocator(&b, LIMIT);
    assert_false(b.refused);
    char *block = resize(&a, NULL, 0, 600);
    assert_non_null(block);
    block[599] = 'x';
    assert_null(resize(&a, block, 600, LIMIT + 1)); /* it stays */
    assert_int_equal(b.used, 600);
    block = resize(&a, block, 600, LIMIT);
    assert_non_null(block);
    assert_int_equal(block[599], 'x');
    assert_int_equal(b.used, LIMIT);
    block = resize(&a, block, LIMIT, 100);
    assert_non_null(block);
    assert_int_equal(b.used, 100);
    void *other = resize(&a, NULL, 0, 900);
    assert_non_null(other);
    resize(&a, other, 900, 0);
    resize(&a, block, 100, 0);
    assert_int_equal(b.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_limit_is_reached_and_not_exceeded),
        cmocka_unit_test(test_a_block_that_grows_and_shrinks_counts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_amount.c - gates/amount.h: amounts and shares are exact integers, or refused. */
#include "support.h"

#include "gates/amount.h"

static int64_t amount(const char *text)
{
    toll_amount a;
    const char *wrong = toll_amount_parse(text, strlen(text), &a);
    if (wrong)
        fail_msg("%s: %s", text, wrong);
    return a.value;
}

static void assert_refused(const char *text, const char *why)
{
    toll_amount a;
    const char *wrong = toll_amount_parse(text, strlen(text), &a);
    if (!wrong)
        fail_msg("%s is an amount", text);
    assert_non_null(strstr(wrong, why));
}

static int64_t allowed(const char *text, int64_t base)
{
    toll_allowance a;
    const char *wrong = toll_allowance_parse(text, strlen(text), &a);
    if (wrong)
        fail_msg("%s: %s", text, wrong);
    return toll_allowance_of(&a, base);
}

static void test_amount_is_the_number_that_is_written(void **state)
{
    (void)state;
    assert_int_equal(amount("0"), 0);
    assert_int_equal(amount("1,204,331"), 1204331);
    assert_int_equal(amount("1_204_331"), 1204331);
    assert_int_equal(amount("45000"), 45000);
    assert_int_equal(amount("12 kB"), 12000);
    assert_int_equal(amount("12kB"), 12000);
    assert_int_equal(amount("1.5 MiB"), 1572864);
    assert_int_equal(amount("1.2 M"), 1200000);
    assert_int_equal(amount("300 CU"), 300);
    assert_true(amount("9,223,372,036,854,775,807") == INT64_MAX);
    assert_true(amount("8589934591 GiB") == INT64_C(8589934591) << 30);
}

static void test_amount_refuses_what_is_not_exact(void **state)
{
    (void)state;
    assert_refused("1.2345 k", "no whole number");
    assert_refused("0.5", "no whole number");
    assert_refused("0.3 KiB", "no whole number");
    assert_refused("9,223,372,036,854,775,808", "64 bits");
    assert_refused("8589934592 GiB", "64 bits");
    assert_refused("9223372036854775807 k", "64 bits");
}

static void test_amount_refuses_what_is_not_clear(void **state)
{
    (void)state;
    assert_refused("", "missing");
    assert_refused("x", "missing");
    assert_refused("-1", "missing");
    assert_refused("1,20", "groups of three");
    assert_refused("1204,331", "groups of three");
    assert_refused("1,204331", "groups of three");
    assert_refused("1,", "groups of three");
    assert_refused("1.", "decimals");
    assert_refused("1.1234567", "decimals");
    assert_refused("12 KB", "kB");
    assert_refused("12 ms", "no exact budget");
    assert_refused("12 \xc2\xb5s", "no exact budget");
    assert_refused("12 apples", "not known");
    assert_refused("12  B", "not known");
}

static void test_amount_is_of_columns_in_its_unit(void **state)
{
    toll_amount a;
    (void)state;
    assert_null(toll_amount_parse("5 B", 3, &a));
    assert_true(toll_amount_is_of(&a, "bytes"));
    assert_false(toll_amount_is_of(&a, "count"));
    assert_null(toll_amount_parse("5 CU", 4, &a));
    assert_true(toll_amount_is_of(&a, "CU"));
    assert_false(toll_amount_is_of(&a, "bytes"));
    assert_null(toll_amount_parse("5 k", 3, &a));
    assert_true(toll_amount_is_of(&a, "bytes") && toll_amount_is_of(&a, "count"));
}

static void test_share_is_exact_at_the_unit(void **state)
{
    (void)state;
    assert_int_equal(allowed("1%", 10000), 100);
    assert_int_equal(allowed("1%", 10099), 100);
    assert_int_equal(allowed("1%", 10100), 101);
    assert_int_equal(allowed("1%", 99), 0);
    assert_int_equal(allowed("1%", 0), 0);
    assert_int_equal(allowed("0%", 1000), 0);
    assert_int_equal(allowed("0.25%", 399), 0);
    assert_int_equal(allowed("0.25%", 400), 1);
    assert_int_equal(allowed("150%", 3), 4);
    assert_int_equal(allowed("1%", -10000), 100);
    assert_int_equal(allowed("500", 3), 500);
    /* Beyond what a double can tell apart: 2^53 + 1 and its hundredth part. */
    assert_true(allowed("100%", (INT64_C(1) << 53) + 1) == (INT64_C(1) << 53) + 1);
    assert_true(allowed("100%", INT64_MAX) == INT64_MAX);
    assert_true(allowed("50%", INT64_MAX) == INT64_MAX / 2);
    assert_true(allowed("100.000001%", INT64_MAX) == INT64_MAX); /* does not fit */
    assert_true(allowed("99.999999%", INT64_MAX) == INT64_C(9223371944621055438));
    assert_true(allowed("100%", INT64_MIN) == INT64_MAX);
}

static void test_share_is_refused_where_it_is_none(void **state)
{
    static const char *const texts[] = { "%",    "1 %",        "1%%",        "x%",
                                         "1,0%", "0.0000001%", "1000000001%" };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        toll_allowance a;
        assert_non_null(toll_allowance_parse(texts[i], strlen(texts[i]), &a));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_amount_is_the_number_that_is_written),
        cmocka_unit_test(test_amount_refuses_what_is_not_exact),
        cmocka_unit_test(test_amount_refuses_what_is_not_clear),
        cmocka_unit_test(test_amount_is_of_columns_in_its_unit),
        cmocka_unit_test(test_share_is_exact_at_the_unit),
        cmocka_unit_test(test_share_is_refused_where_it_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

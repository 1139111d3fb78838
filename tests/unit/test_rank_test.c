/* test_rank_test.c - gates/rank_test.h: p-values and intervals as the tables of the books have
 * them, and as scipy computes them. */
#include "support.h"

#include "gates/rank_test.h"

#include <math.h>

static double p_of(const int64_t *a, uint32_t m, const int64_t *b, uint32_t n)
{
    toll_mem mem = toll_c_allocator();
    double p = -1;
    assert_true(toll_rank_test(&mem, (toll_sample){ a, m }, (toll_sample){ b, n }, &p));
    return p;
}

static void assert_near(double is, double expected)
{
    if (!(fabs(is - expected) <= 1e-7))
        fail_msg("%.12g, not %.12g", is, expected);
}

/* n values, and m others, without equal ones: of all pairs the first is larger in u. */
static void make_u(int64_t *a, uint32_t m, int64_t *b, uint32_t n, uint32_t u)
{
    for (uint32_t i = 0; i < n; i++)
        b[i] = 100 * ((int64_t)i + 1);
    for (uint32_t i = 0; i < m; i++) { /* each is larger than at most n others */
        uint32_t over = u > n ? n : u;
        a[i] = 100 * (int64_t)over + 1 + i;
        u -= over;
    }
}

static double p_of_u(uint32_t m, uint32_t n, uint32_t u)
{
    int64_t a[60], b[60];
    make_u(a, m, b, n, u);
    return p_of(a, m, b, n);
}

/* The largest U at which a two-sided test at 5% sees a difference: D. Auble, Extended Tables for
 * the Mann-Whitney Statistic (1953), as every textbook has it. */
static void test_rank_critical_values(void **state)
{
    static const struct {
        uint32_t m, n, u;
    } table[] = { { 4, 4, 0 },  { 5, 5, 2 },  { 5, 8, 6 },    { 6, 6, 5 },    { 7, 9, 12 },
                  { 8, 8, 13 }, { 9, 9, 17 }, { 10, 10, 23 }, { 12, 15, 49 }, { 20, 20, 127 } };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_true(p_of_u(table[i].m, table[i].n, table[i].u) <= 0.05);
        assert_true(p_of_u(table[i].m, table[i].n, table[i].u + 1) > 0.05);
    }
    assert_near(p_of_u(3, 3, 0), 0.1);
    assert_near(toll_rank_least_p(3, 3), 0.1);
    assert_near(toll_rank_least_p(4, 4), 2.0 / 70);
    assert_near(toll_rank_least_p(1, 1), 1);
}

/* scipy 1.x: mannwhitneyu(a, b, method="exact"); of ties permutation_test over all divisions; of
 * large samples method="asymptotic". tests/gates/rank_test.py compares random ones. */
static void test_rank_test_as_scipy(void **state)
{
    static const int64_t men[] = { 19, 22, 16, 29, 24 }, women[] = { 20, 11, 17, 12 };
    static const int64_t x[] = { 1, 1, 2, 2, 3 }, y[] = { 2, 3, 3, 4, 4 };
    static const int64_t equal[] = { 7, 7, 7, 7 };
    int64_t a[30], b[30];
    (void)state;
    assert_near(p_of(men, 5, women, 4), 0.1111111111111111);
    assert_near(p_of(women, 4, men, 5), 0.1111111111111111);
    assert_near(p_of(x, 5, y, 5), 0.07936507936507936);
    assert_near(p_of(equal, 4, equal, 4), 1);
    for (int64_t i = 0; i < 30; i++) {
        a[i] = i * i % 31;
        b[i] = i * i % 29 + 3;
    }
    assert_near(p_of(a, 30, b, 30), 0.08726545858882578);
    for (int64_t i = 0; i < 30; i++)
        b[i] = a[i] + 1000;
    assert_near(p_of(a, 30, b, 30), 0); /* 2.7e-11 */
}

static toll_median median_of(const int64_t *values, uint32_t count)
{
    toll_mem mem = toll_c_allocator();
    toll_median m;
    assert_true(toll_median_of(&mem, (toll_sample){ values, count }, &m));
    return m;
}

/* Ranks of the order statistics: Hollander and Wolfe, chapter 3.6; of 20 values the 6th and the
 * 15th. */
static void test_rank_medians(void **state)
{
    int64_t v[1000];
    (void)state;
    for (int i = 0; i < 1000; i++)
        v[i] = (i * 7919 % 1009) % 1000; /* in no order */
    for (int i = 0; i < 20; i++)
        v[i] = i * 7 % 20 + 1;
    toll_median m = median_of(v, 20);
    assert_int_equal(m.median, 10); /* 10.5 */
    assert_true(m.has_interval);
    assert_int_equal(m.low, 6);
    assert_int_equal(m.high, 15);
    assert_false(median_of(v, 5).has_interval);
    assert_true(median_of(v, 6).has_interval);
    assert_false(median_of(v, 1).has_interval);
    static const int64_t ends[] = { INT64_MIN, INT64_MAX };
    assert_int_equal(median_of(ends, 2).median, -1);
    for (int i = 0; i < 1000; i++)
        v[i] = i * 7 % 1000 + 1;
    m = median_of(v, 1000);
    assert_int_equal(m.low, 469); /* scipy.stats.binom.ppf(0.025, 1000, 0.5) */
    assert_int_equal(m.high, 532);
}

/* A ratio's interval is without 1 where the test sees a difference, and only there. */
static void test_rank_ratios(void **state)
{
    toll_mem mem = toll_c_allocator();
    static const int64_t a[] = { 200, 210, 220, 230 }, b[] = { 100, 105, 110, 100 }, none[] = { 0 };
    toll_ratio r;
    (void)state;
    assert_true(toll_ratio_of(&mem, (toll_sample){ a, 4 }, (toll_sample){ b, 4 }, &r));
    assert_true(r.is_known && r.has_interval);
    assert_near(r.low, 200.0 / 110);
    assert_near(r.high, 2.3);
    assert_true(toll_ratio_of(&mem, (toll_sample){ a, 3 }, (toll_sample){ b, 4 }, &r));
    assert_false(r.has_interval);
    assert_true(toll_ratio_of(&mem, (toll_sample){ a, 3 }, (toll_sample){ none, 1 }, &r));
    assert_false(r.is_known);
    static const uint32_t sizes[][2] = { { 4, 4 },   { 7, 12 },  { 11, 10 },
                                         { 26, 25 }, { 26, 27 }, { 30, 22 } };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t m = sizes[i][0], n = sizes[i][1], u = 0; u <= m * n; u++) {
            int64_t x[60], y[60];
            make_u(x, m, y, n, u);
            assert_true(toll_ratio_of(&mem, (toll_sample){ x, m }, (toll_sample){ y, n }, &r));
            assert_true(r.low <= r.ratio && r.ratio <= r.high);
            assert_int_equal(p_of(x, m, y, n) <= 0.05, r.high < 1 || r.low > 1);
        }
}

static void test_rank_adjusted(void **state)
{
    toll_mem mem = toll_c_allocator();
    double p[] = { 0.04, 0.01, 0.5, 0.015 };
    (void)state;
    assert_true(toll_adjust_p(&mem, p, 4)); /* statsmodels: multipletests(p, method="holm") */
    assert_near(p[0], 0.08);
    assert_near(p[1], 0.04);
    assert_near(p[2], 0.5);
    assert_near(p[3], 0.045);
    double large[] = { 0.9, 0.011, 0.8,
                       0.01 }; /* none becomes less than a smaller one, or over 1 */
    assert_true(toll_adjust_p(&mem, large, 4));
    assert_near(large[0], 1);
    assert_near(large[1], 0.04);
    assert_near(large[2], 1);
    assert_near(large[3], 0.04);
    assert_true(toll_adjust_p(&mem, NULL, 0));
}

static toll_status measure(const toll_allocator *a, void *user)
{
    static const int64_t x[] = { 1, 2, 3, 4 }, y[] = { 5, 6, 7, 8 };
    toll_sample s = { x, 4 }, t = { y, 4 };
    toll_median m;
    toll_ratio r;
    double p[1];
    (void)user;
    return toll_rank_test(a, s, t, p) && toll_median_of(a, s, &m) && toll_ratio_of(a, s, t, &r) &&
                   toll_adjust_p(a, p, 1)
               ? TOLL_OK
               : TOLL_E_NOMEM;
}

static void test_rank_every_allocation(void **state)
{
    (void)state;
    test_every_allocation(measure, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rank_critical_values), cmocka_unit_test(test_rank_test_as_scipy),
        cmocka_unit_test(test_rank_medians),         cmocka_unit_test(test_rank_ratios),
        cmocka_unit_test(test_rank_adjusted),        cmocka_unit_test(test_rank_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

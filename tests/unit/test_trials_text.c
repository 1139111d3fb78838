/* test_trials_text.c - gates/trials.h: the cells of a row, and the sentence about it, by rows made
 * by hand: every sign, and each limit from both sides. */
#include "support.h"

#include "gates/trials.h"

#include <string.h>

/* Eight runs of each side, with these medians, and intervals as narrow as can be. */
static toll_trial_row row_of(int64_t a, int64_t b, double p)
{
    return (toll_trial_row){ .name = "size",
                             .unit = "count",
                             .counts = { 8, 8 },
                             .medians = { { a, a, a, true }, { b, b, b, true } },
                             .p = p };
}

static toll_trial_row exact_of(int64_t a, int64_t b)
{
    toll_trial_row row = row_of(a, b, 0);
    row.is_exact = true;
    return row;
}

static void assert_change(toll_trial_row row, const char *expected)
{
    toll_trial_cells c;
    toll_trial_cells_of(&row, &c);
    assert_string_equal(c.change, expected);
}

static void test_changes(void **state)
{
    (void)state;
    assert_change(row_of(200, 250, 0.01), "+25.00%");
    assert_change(row_of(200, 150, 0.05), "-25.00%");
    assert_change(row_of(200, 150, 0.0501), "~");
    assert_change(row_of(20000, 20001, 0), "+0.01%"); /* halves are rounded away from 0 */
    assert_change(row_of(20000, 19999, 0), "-0.01%");
    assert_change(row_of(30000, 30001, 0), "+0.00%");
    assert_change(row_of(30000, 29999, 0), "-0.00%");
    assert_change(row_of(1, 0, 0), "-100.00%");
    assert_change(row_of(1, 10000, 0), "+999900.00%");
    assert_change(row_of(1, 10003, 0), "+1000000.00%"); /* the most */
    assert_change(row_of(0, 5, 0), "+5"); /* of nothing, and of less, there is no share */
    assert_change(row_of(-5, 5, 0), "+10");
    assert_change(row_of(INT64_MIN, INT64_MAX, 0), ""); /* does not fit 64 bits */
    assert_change(exact_of(7, 7), "same");
    assert_change(exact_of(50, 49), "-1 (-2.00%)");
    assert_change(exact_of(50, 51), "+1 (+2.00%)");
    assert_change(exact_of(0, 3), "+3");
}

static void assert_cells(toll_trial_row row, const char *a, const char *b, const char *p,
                         const char *n)
{
    toll_trial_cells c;
    toll_trial_cells_of(&row, &c);
    assert_string_equal(c.sides[0], a);
    assert_string_equal(c.sides[1], b);
    assert_string_equal(c.p, p);
    assert_string_equal(c.n, n);
}

static void test_sides(void **state)
{
    toll_trial_row row = row_of(1000, 200, 0.0005);
    (void)state;
    row.medians[0].low = 985; /* 1.5% */
    row.medians[0].high = 1014;
    row.medians[1].high = 202; /* 1% */
    assert_cells(row, "1,000 \xc2\xb1 2%", "200 \xc2\xb1 1%", "0.001", "8+8");
    row.medians[0].low = 986; /* 1.4% */
    row.p = 0.00049;
    assert_cells(row, "1,000 \xc2\xb1 1%", "200 \xc2\xb1 1%", "<0.001", "8+8");
    row.medians[0].has_interval = false;
    row.medians[1] = (toll_median){ 1, 0, 3, true };
    assert_cells(row, "1,000", "1 \xc2\xb1 200%", "<0.001", "8+8");
    row.medians[1] = (toll_median){ 0, -1, 1, true };
    row.p = 0.05;
    assert_cells(row, "1,000", "0", "0.050", "8+8");
    row.is_exact = true;
    row.medians[0].has_interval = true;
    assert_cells(row, "1,000", "0", "exact", "8+8");
    row.counts[1] = 0;
    assert_cells(row, "1,000", "", "", "8+0");
    assert_change(row, "only A");
    row.counts[1] = 3;
    row.counts[0] = 0;
    assert_cells(row, "", "0", "", "0+3");
    assert_change(row, "only B");
}

static void assert_sentence(toll_trial_row row, toll_ratio ratio, const char *expected)
{
    const toll_trials t = { .titles = { "A", "B" } };
    toll_output *out;
    size_t size;
    row.ratio = ratio;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    toll_trial_put_sentence(&t, &row, out);
    assert_ok(toll_output_commit(out, err));
    const char *data = toll_output_data(out, &size);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(data, expected, size);
    toll_output_free(out);
}

static void test_sentences(void **state)
{
    const toll_trial_row differs = row_of(1, 2, 0.05), same = row_of(1, 2, 0.06);
    (void)state;
    assert_sentence(differs, (toll_ratio){ true, 1, 1, 1, true },
                    "size: B is 1.000 times as fast as A (95%: 1.000 to 1.000)");
    assert_sentence(differs, (toll_ratio){ true, 1.0996, 1.05, 1.2, true },
                    "size: B is 1.100 times as fast as A (95%: 1.050 to 1.200)");
    assert_sentence(differs, (toll_ratio){ true, 1.1, 1.05, 1.2, true },
                    "size: B is 1.10 times as fast as A (95%: 1.05 to 1.20)");
    assert_sentence(differs, (toll_ratio){ true, 99.5, 98, 101, true },
                    "size: B is 99.50 times as fast as A (95%: 98.00 to 101.00)");
    assert_sentence(differs, (toll_ratio){ true, 100, 98, 102, true },
                    "size: B is 100 times as fast as A (95%: 98 to 102)");
    assert_sentence(differs, (toll_ratio){ true, 0.5, 0.4, 0.8, true },
                    "size: A is 2.00 times as fast as B (95%: 1.25 to 2.50)");
    assert_sentence(same, (toll_ratio){ true, 0.9, 0.8, 1.25, true },
                    "size: no difference to be seen (p 0.060; B is 0.800 to 1.250 times as fast "
                    "as A)");
    assert_sentence(differs, (toll_ratio){ true, 2, 0, 0, false },
                    "size: too few runs to tell which is faster");
    assert_sentence(differs, (toll_ratio){ false, 0, 0, 0, true },
                    "size: too few runs to tell which is faster");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_changes),
                                        cmocka_unit_test(test_sides),
                                        cmocka_unit_test(test_sentences) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_trials_functions.c - gates/trials.h: which functions of two programs are compared, by which
 * value, and in which order. */
#include "support.h"

#include "gates/trials.h"

enum { RUNS = 3 };

typedef struct function {
    const char *name;
    int64_t a[RUNS], b[RUNS];
} function;

/* A profile of these functions' values of one run, in columns of these types: "*TYPE" is the one
 * that is shown. */
static toll_profile *profile_of(const function *f, size_t count, int side, int run,
                                const char *const *types)
{
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    for (uint32_t c = 0; types[c]; c++) {
        const char *type = types[c] + (*types[c] == '*');
        const char *unit = strcmp(type, "ticks") == 0 ? "count" : "nanoseconds";
        assert_ok(toll_profile_add_column(p, type, unit, NULL, err));
        if (type > types[c])
            toll_profile_set_default_column(p, c);
    }
    for (uint32_t c = 0; types[c]; c++)
        for (size_t i = 0; i < count; i++)
            test_add_stack(p, "", f[i].name, c, (side ? f[i].b : f[i].a)[run] * (c + 1));
    return p;
}

static void compare(toll_trials *t, const function *f, size_t count, const char *const *types_a,
                    const char *const *types_b)
{
    static const toll_trial_cost cost = { 9000000, 9000000 };
    toll_mem mem = toll_c_allocator();
    assert_ok(toll_trials_init(t, &mem, RUNS, err));
    for (int run = 0; run < RUNS; run++) {
        assert_ok(
            toll_trials_add(t, TOLL_TRIAL_A, cost, profile_of(f, count, 0, run, types_a), err));
        assert_ok(
            toll_trials_add(t, TOLL_TRIAL_B, cost, profile_of(f, count, 1, run, types_b), err));
    }
    assert_ok(toll_trials_end(t, err));
}

static const char *const time_alone[] = { "time", NULL };

/* What the median run of neither side spends time in is left out; by the size of the change, then
 * by name. */
static void test_order(void **state)
{
    static const function f[] = { { "small", { 0, 0, 900 }, { 0, 900, 0 } },
                                  { "same", { 50, 51, 52 }, { 52, 50, 51 } },
                                  { "only b", { 0, 0, 0 }, { 70, 80, 90 } },
                                  { "less", { 100, 100, 100 }, { 91, 90, 89 } },
                                  { "a more", { 90, 90, 90 }, { 100, 100, 101 } },
                                  { "only a", { 2, 1, 3 }, { 0, 0, 0 } },
                                  { "zero", { 0, 0, 0 }, { 0, 0, 0 } } };
    static const struct {
        const char *name;
        int64_t a, b;
    } expected[] = {
        { "only b", 0, 80 }, { "a more", 90, 100 }, { "less", 100, 90 },
        { "only a", 2, 0 },  { "same", 51, 51 },
    };
    toll_trials t;
    (void)state;
    compare(&t, f, sizeof f / sizeof *f, time_alone, time_alone);
    assert_string_equal(t.function_value, "time");
    assert_int_equal(t.functions.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < t.functions.count; i++) {
        const toll_trial_row *row = &t.functions.items[i];
        assert_string_equal(row->frame.name, expected[i].name);
        assert_string_equal(row->unit, "nanoseconds");
        assert_int_equal(row->medians[0].median, expected[i].a);
        assert_int_equal(row->medians[1].median, expected[i].b);
        assert_int_equal(row->counts[0], RUNS);
        assert_int_equal(row->counts[1], RUNS);
        assert_false(row->is_exact);
    }
    assert_true(t.functions.items[0].p == 0.5); /* the least of 3 and 3 is 0.1, of five tests */
    assert_true(t.functions.items[4].p == 1);
    toll_trials_free(&t);
}

static void hold_value(const char *const *a, const char *const *b, const char *expected)
{
    static const function f[] = { { "f", { 3, 4, 5 }, { 6, 7, 8 } } };
    toll_trials t;
    compare(&t, f, 1, a, b);
    if (expected)
        assert_string_equal(t.function_value, expected);
    else
        assert_null(t.function_value);
    assert_int_equal(t.functions.count, expected ? 1 : 0);
    toll_trials_free(&t);
}

/* A time that both have: that which is shown of B, or else the first one. */
static void test_values(void **state)
{
    static const char *const ticks[] = { "ticks", NULL }, *const cpu[] = { "cpu", NULL },
                             *const ticks_first[] = { "ticks", "time", NULL },
                             *const both[] = { "cpu", "time", NULL },
                             *const shown[] = { "cpu", "*time", NULL };
    (void)state;
    hold_value(ticks, ticks, NULL);
    hold_value(cpu, time_alone, NULL);
    hold_value(ticks, time_alone, NULL);
    hold_value(ticks_first, ticks_first, "time");
    hold_value(time_alone, both, "time");
    hold_value(both, time_alone, "time");
    hold_value(cpu, both, "cpu");
    hold_value(both, both, "cpu");
    hold_value(both, shown, "time");
    hold_value(shown, both, "cpu");
    hold_value(cpu, shown, "cpu");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_order),
                                        cmocka_unit_test(test_values) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

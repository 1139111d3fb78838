/* test_per_run.c - gates/per_run.h: the quotients of random profiles against their definition, and
 * the largest numbers. */
#include "support_profile.h"

#include "gates/per_run.h"
#include "profile/runs.h"
#include "profile/thread_labels.h"

#include <stdlib.h>

enum { TICKS, TIME, VALUES };
enum { KINDS = 5 };

/* Lists of labels of which some begin or end as others do, and runs that have them. The last thread
 * has a root, too, which is no label of its runs. */
static const struct {
    toll_thread_label labels[2];
    uint32_t count;
    const char *runs;
} kinds[KINDS] = { { { { "", "" } }, 0, "toll=1" },
                   { { { "size", "1" } }, 1, "{size=1} toll=1" },
                   { { { "size", "1" }, { "test", "a" } }, 2, "{size=1; test=a} toll=1" },
                   { { { "test", "a" } }, 1, "{test=a} toll=1" },
                   { { { TOLL_ROOT_KEY, "main" }, { "test", "b" } }, 2, "{test=b} toll=1" } };

typedef struct model {
    toll_profile *profile;
    int64_t runs[KINDS], values[KINDS][VALUES];
    toll_node_id nodes[KINDS];
} model;

/* A thread of that kind of runs, with one stack. */
static void add_thread(model *m, int k, int64_t runs, int64_t ticks, int64_t ns)
{
    toll_profile *p = m->profile;
    toll_thread_id thread;
    toll_frame_id f;
    assert_ok(
        toll_profile_add_labelled_thread(p, "", kinds[k].labels, kinds[k].count, &thread, err));
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "f" }, &f, err));
    assert_ok(toll_profile_add_child(p, toll_profile_root(p, thread), f, &m->nodes[k], err));
    assert_ok(toll_profile_add_self(p, m->nodes[k], TICKS, ticks, err));
    assert_ok(toll_profile_add_self(p, m->nodes[k], TIME, ns, err));
    if (runs)
        assert_ok(toll_runs_add(p, kinds[k].runs, (uint64_t)runs, err));
    m->runs[k] = runs;
    m->values[k][TICKS] = ticks;
    m->values[k][TIME] = ns;
}

static void begin(model *m)
{
    assert_ok(toll_profile_create(NULL, &m->profile, err));
    assert_ok(toll_profile_add_column(m->profile, "ticks", "count", NULL, err));
    assert_ok(toll_profile_add_column(m->profile, "time", "nanoseconds", NULL, err));
}

/* The half that is rounded goes away from 0. */
static int64_t rounded(int64_t value, int64_t by)
{
    int64_t size = value < 0 ? -value : value, quotient = size / by;
    quotient += 2 * (size % by) >= by && size % by;
    return value < 0 ? -quotient : quotient;
}

static int64_t runs_of(const model *m, int k, bool by_labels)
{
    int64_t sum = 0;
    for (int i = 0; i < KINDS; i++)
        sum += m->runs[i];
    return by_labels ? m->runs[k] : sum;
}

/* Would all quotients be integers with this multiple? */
static bool is_enough(const model *m, bool by_labels, int64_t multiple)
{
    bool is = true;
    for (int k = 0; k < KINDS; k++)
        is &= m->values[k][TICKS] * multiple % runs_of(m, k, by_labels) == 0;
    return is;
}

static void hold(const model *m, bool by_labels, int64_t of)
{
    for (int k = 0; k < KINDS; k++) {
        int64_t runs = runs_of(m, k, by_labels);
        assert_int_equal(toll_profile_self(m->profile, m->nodes[k], TICKS),
                         m->values[k][TICKS] * of / runs);
        assert_int_equal(toll_profile_self(m->profile, m->nodes[k], TIME),
                         rounded(m->values[k][TIME] * of, runs));
    }
}

static void test_random_profiles(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed < 300; seed++) {
        model m[2];
        int64_t of, least = 1;
        bool by_labels = seed % 2;
        srand(seed);
        for (int i = 0; i < 2; i++) {
            begin(&m[i]);
            for (int k = 0; k < KINDS; k++)
                add_thread(&m[i], k, 1 + rand() % 6, rand() % 200 - 50, rand() % 200 - 100);
        }
        assert_ok(toll_divide_by_runs(m[0].profile, m[1].profile, by_labels, &of, err));
        while (!is_enough(&m[0], by_labels, least) || !is_enough(&m[1], by_labels, least))
            least++;
        assert_int_equal(of, least);
        for (int i = 0; i < 2; i++) {
            hold(&m[i], by_labels, of);
            toll_profile_free(m[i].profile);
        }
    }
}

static toll_status divide(int64_t runs, int64_t ticks, int64_t ns, int64_t other_runs,
                          int64_t *result, int64_t *of)
{
    model m[2];
    begin(&m[0]);
    begin(&m[1]);
    add_thread(&m[0], 1, runs, ticks, ns);
    add_thread(&m[1], 1, other_runs, 1, 0);
    toll_status status = toll_divide_by_runs(m[0].profile, m[1].profile, true, of, NULL);
    result[TICKS] = toll_profile_self(m[0].profile, m[0].nodes[1], TICKS);
    result[TIME] = toll_profile_self(m[0].profile, m[0].nodes[1], TIME);
    toll_profile_free(m[0].profile);
    toll_profile_free(m[1].profile);
    return status;
}

/* A value times 3, and a rounded time. */
static void hold_products(int64_t sign)
{
    const int64_t third = sign * (INT64_MAX / 3);
    int64_t is[VALUES], of;
    assert_ok(divide(1, third, 0, 3, is, &of));
    assert_int_equal(is[TICKS], third * 3);
    assert_int_equal(divide(1, third + sign, 0, 3, is, &of), TOLL_E_OVERFLOW);
    assert_ok(divide(2, 0, sign * (INT64_MAX - 1), 1, is, &of));
    assert_int_equal(is[TIME], sign * (INT64_MAX / 2));
}

static void test_largest_numbers(void **state)
{
    const int64_t most = INT32_MAX;
    int64_t is[VALUES], of;
    (void)state;
    assert_ok(divide(most, 1, 0, 1, is, &of)); /* runs */
    assert_int_equal(of, most);
    assert_int_equal(is[TICKS], 1);
    assert_int_equal(divide(most + 1, 0, 0, 1, is, &of), TOLL_E_OVERFLOW);
    assert_int_equal(divide(INT64_MAX, 0, 0, 1, is, &of), TOLL_E_OVERFLOW);
    assert_ok(divide(46341, 1, 0, 46340, is, &of)); /* their common multiple */
    assert_int_equal(of, 46341 * 46340);
    assert_int_equal(is[TICKS], 46340);
    assert_int_equal(divide(46341, 1, 0, 46342, is, &of), TOLL_E_OVERFLOW);
    hold_products(1);
    hold_products(-1);
    model empty[2]; /* no stacks at all */
    begin(&empty[0]);
    begin(&empty[1]);
    assert_ok(toll_divide_by_runs(empty[0].profile, empty[1].profile, true, &of, err));
    assert_int_equal(of, 1);
    toll_profile_free(empty[0].profile);
    toll_profile_free(empty[1].profile);
    assert_int_equal(divide(2, 0, INT64_MAX, 1, is, &of), TOLL_E_OVERFLOW);
    assert_int_equal(divide(0, 1, 0, 1, is, &of), TOLL_E_NOT_FOUND);
    assert_int_equal(divide(1, 1, 0, 0, is, &of), TOLL_E_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random_profiles),
                                        cmocka_unit_test(test_largest_numbers) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

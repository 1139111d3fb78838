/* test_trials.c - gates/trials.h: of two programs' runs, what is exact, what differs by more than
 * chance, and what is said of it. */
#include "support.h"

#include "gates/trials.h"

typedef struct cost {
    int64_t f, g, calls;
    int line; /* where f is defined */
} cost;

/* main;f and main;g, with time and calls. */
static toll_profile *profile_of(const toll_allocator *a, cost c)
{
    toll_profile *p, *model;
    toll_frame f = { .name = "f", .file = "f.lua", .line = (uint32_t)c.line };
    toll_frame_id id;
    toll_thread_id thread;
    toll_node_id node;
    assert_ok(toll_profile_create(NULL, &model, err));
    assert_ok(toll_profile_add_column(model, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(model, "time", "nanoseconds", NULL, err));
    assert_ok(toll_profile_add_frame(model, &f, &id, err));
    assert_ok(toll_profile_add_thread(model, "", &thread, err));
    assert_ok(toll_profile_add_child(model, toll_profile_root(model, thread), id, &node, err));
    assert_ok(toll_profile_add_self(model, node, 0, c.calls, err));
    assert_ok(toll_profile_add_self(model, node, 1, c.f, err));
    test_add_stack(model, "", "main;g", 1, c.g);
    if (toll_profile_create(a, &p, NULL) == TOLL_OK && toll_profile_merge(p, model, NULL)) {
        toll_profile_free(p);
        p = NULL;
    }
    toll_profile_free(model);
    return p;
}

static toll_status add(toll_trials *t, int side, uint64_t ns, toll_profile *p)
{
    toll_trial_cost c = { ns, ns / 2 };
    return toll_trials_add(t, side, c, p, NULL);
}

/* n runs of each: B takes 10% less, all of that in f, and makes one call less. */
static toll_status add_runs(toll_trials *t, const toll_allocator *a, int n)
{
    toll_status status = TOLL_OK;
    for (int i = 0; !status && i < n; i++) {
        int64_t by = i * 7 % n;
        toll_profile *p = profile_of(a, (cost){ 60000 + 10 * by, 40000 + 3 * by, 12, 4 });
        status = p ? add(t, TOLL_TRIAL_A, (uint64_t)(10000000 + 1000 * by), p) : TOLL_E_NOMEM;
        if (status)
            break;
        p = profile_of(a, (cost){ 50000 + 10 * by, 40001 + 3 * by, 11, 9 });
        status = p ? add(t, TOLL_TRIAL_B, (uint64_t)(9000000 + 900 * by), p) : TOLL_E_NOMEM;
    }
    return status;
}

static char *text_of(const toll_trials *t,
                     void (*put)(const toll_trials *t, uint32_t rows, toll_output *out))
{
    toll_output *out;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    put(t, 1, out);
    return test_text(out);
}

static void assert_says(const toll_trials *t,
                        void (*put)(const toll_trials *t, uint32_t rows, toll_output *out),
                        const char *expected)
{
    char *text = text_of(t, put);
    assert_string_equal(text, expected);
    free(text);
}

static void test_trials_are_compared(void **state)
{
    toll_mem mem = toll_c_allocator();
    toll_trials t;
    (void)state;
    assert_ok(toll_trials_init(&t, &mem, 8, err));
    t.commands[0] = "old";
    t.commands[1] = "new";
    assert_ok(add_runs(&t, NULL, 8));
    assert_ok(toll_trials_end(&t, err));
    assert_int_equal(t.functions.count, 2);
    assert_true(toll_trial_differs(&t.functions.items[0]));
    assert_false(toll_trial_differs(&t.functions.items[1]));
    assert_says(&t, toll_trials_put,
                "A: old\n"
                "B: new\n"
                "\n"
                "value                   A              B       change       p    n\n"
                "wall time   10.00 ms \xc2\xb1 0%   9.00 ms \xc2\xb1 0%      -10.00%  <0.001  8+8\n"
                "CPU time     5.00 ms \xc2\xb1 0%   4.50 ms \xc2\xb1 0%      -10.00%  <0.001  8+8\n"
                "calls                  12             11  -1 (-8.33%)   exact  8+8\n"
                "time       100.05 \xc2\xb5s \xc2\xb1 0%  90.05 \xc2\xb5s \xc2\xb1 0%       "
                "-9.99%  <0.001  8+8\n"
                "\n"
                "wall time: B is 1.11 times as fast as A (95%: 1.11 to 1.11)\n"
                "CPU time: B is 1.11 times as fast as A (95%: 1.11 to 1.11)\n"
                "time: B is 1.11 times as fast as A (95%: 1.11 to 1.11)\n"
                "\n"
                "time of functions (self), 1 of 2, by change; p is corrected for as many tests "
                "(Holm)\n"
                "            A              B   change       p    n  function\n"
                "60.04 \xc2\xb5s \xc2\xb1 0%  50.04 \xc2\xb5s \xc2\xb1 0%  -16.66%  <0.001  8+8  "
                "f  f.lua:9\n");
    assert_says(&t, toll_trials_markdown,
                "- A: <code>old</code>\n"
                "- B: <code>new</code>\n"
                "\n"
                "| value | A | B | change | p | n |\n"
                "|:--|--:|--:|--:|--:|--:|\n"
                "| <code>wall time</code> | 10.00 ms \xc2\xb1 0% | 9.00 ms \xc2\xb1 0% | -10.00% | "
                "<0.001 | 8+8 |\n"
                "| <code>CPU time</code> | 5.00 ms \xc2\xb1 0% | 4.50 ms \xc2\xb1 0% | -10.00% | "
                "<0.001 | 8+8 |\n"
                "| <code>calls</code> | 12 | 11 | -1 (-8.33%) | exact | 8+8 |\n"
                "| <code>time</code> | 100.05 \xc2\xb5s \xc2\xb1 0% | 90.05 \xc2\xb5s \xc2\xb1 "
                "0% | -9.99% | <0.001 | 8+8 |\n"
                "\n"
                "- wall time: B is 1.11 times as fast as A (95%: 1.11 to 1.11)\n"
                "- CPU time: B is 1.11 times as fast as A (95%: 1.11 to 1.11)\n"
                "- time: B is 1.11 times as fast as A (95%: 1.11 to 1.11)\n"
                "\n"
                "time of functions (self), 1 of 2, by change; p is corrected for as many tests "
                "(Holm)\n"
                "\n"
                "| function | A | B | change | p | n |\n"
                "|:--|--:|--:|--:|--:|--:|\n"
                "| <code>f</code> | 60.04 \xc2\xb5s \xc2\xb1 0% | 50.04 \xc2\xb5s \xc2\xb1 0% | "
                "-16.66% | <0.001 | 8+8 |\n");
    char *text = text_of(&t, toll_trials_json);
    assert_non_null(strstr(text, "{\"value\":\"calls\",\"of\":\"profile\",\"unit\":\"count\","
                                 "\"exact\":true,\"a\":{\"median\":12,\"low\":12,\"high\":12,"
                                 "\"runs\":[12,12,12,12,12,12,12,12]},\"b\":"));
    assert_non_null(strstr(text, "\"differs\":true,\"p\":0.000155,\"ratio\":1.111111,"));
    assert_non_null(strstr(text, "\"function_value\":\"time\",\"function_count\":2,"));
    free(text);
    toll_trials_free(&t);
}

/* A value that one side's runs do not agree about is no exact one; and what only one side has is
 * shown, and not compared. */
static void test_trials_exact_values(void **state)
{
    toll_mem mem = toll_c_allocator();
    toll_trials t;
    (void)state;
    assert_ok(toll_trials_init(&t, &mem, 4, err));
    for (int64_t i = 0; i < 4; i++) {
        assert_ok(add(&t, TOLL_TRIAL_A, 10000000, profile_of(NULL, (cost){ 1, 1, 5 + i / 3, 1 })));
        assert_ok(add(&t, TOLL_TRIAL_B, 10000000, NULL));
    }
    assert_ok(toll_trials_end(&t, err));
    assert_null(t.function_value);
    assert_string_equal(t.values.items[2].name, "calls");
    assert_false(t.values.items[2].is_exact);
    assert_false(toll_trial_differs(&t.values.items[2]));
    assert_false(t.values.items[0].is_exact); /* times are none, though these are equal */
    char *text = text_of(&t, toll_trials_put);
    assert_non_null(strstr(text, "\ncalls             5"));
    assert_non_null(strstr(text, "wall time: no difference to be seen (p 1.000; B is 1.000 to "
                                 "1.000 times as fast as A)\n"));
    assert_non_null(strstr(text, "note: medians have no interval: that takes 6 runs of each\n"));
    free(text);
    toll_trials_free(&t);
}

static void test_trials_need_the_same_values(void **state)
{
    toll_mem mem = toll_c_allocator();
    toll_trials t;
    (void)state;
    assert_ok(toll_trials_init(&t, &mem, 4, err));
    assert_ok(add(&t, TOLL_TRIAL_A, 1, profile_of(NULL, (cost){ 1, 1, 1, 1 })));
    assert_ok(add(&t, TOLL_TRIAL_B, 1, NULL));
    assert_int_equal(add(&t, TOLL_TRIAL_A, 1, NULL), TOLL_E_INVARIANT);
    assert_int_equal(add(&t, TOLL_TRIAL_B, 1, profile_of(NULL, (cost){ 1, 1, 1, 1 })),
                     TOLL_E_INVARIANT);
    toll_trials_free(&t);
}

/* The notes about runs of A with these times, and of n runs of B without a drift. */
static void assert_notes_of(const uint64_t *ns, int runs, int runs_of_b, const char *expected)
{
    toll_mem mem = toll_c_allocator();
    toll_trials t;
    assert_ok(toll_trials_init(&t, &mem, 16, err));
    for (int i = 0; i < runs; i++)
        assert_ok(add(&t, TOLL_TRIAL_A, ns[i], NULL));
    for (int i = 0; i < runs_of_b; i++)
        assert_ok(add(&t, TOLL_TRIAL_B, (uint64_t)(20 + i * 7 % 16) * 1000000, NULL));
    assert_ok(toll_trials_end(&t, err));
    assert_string_equal(t.notes.size ? (const char *)t.notes.data : "", expected);
    assert_int_equal(t.notes.size, *expected ? strlen(expected) + 1 : 0); /* and no other */
    toll_trials_free(&t);
}

/* The notes about sixteen runs of A, of which each takes so many milliseconds. */
static void assert_notes(const int *ms, const char *expected)
{
    uint64_t ns[16];
    for (int i = 0; i < 16; i++)
        ns[i] = (uint64_t)ms[i] * 1000000;
    assert_notes_of(ns, 16, 16, expected);
}

static void test_trials_are_judged(void **state)
{
    static const int even[] = { 9, 8, 7, 9, 8, 7, 9, 8, 7, 9, 8, 7, 9, 8, 7, 8 },
                     first[] = { 80, 8, 7, 9, 8, 7, 9, 8, 7, 9, 8, 7, 9, 8, 7, 8 },
                     one[] = { 9, 8, 7, 9, 8, 70, 9, 8, 7, 9, 8, 7, 9, 8, 7, 8 },
                     two[] = { 9, 8, 7, 9, 8, 71, 9, 8, 7, 9, 70, 7, 9, 8, 7, 8 },
                     quick[] = { 4, 3, 2, 4, 3, 2, 4, 3, 2, 4, 3, 2, 4, 3, 2, 3 },
                     later[] = { 7, 8, 7, 8, 7, 8, 7, 8, 12, 13, 12, 13, 12, 13, 12, 13 };
    (void)state;
    assert_notes(even, "");
    assert_notes(first, "A's first run took 80.00 ms, and the median is 8.00 ms: what it reads was "
                        "in no cache yet; say --warmup with a larger number");
    assert_notes(one, "1 of A's 16 runs is an outlier, up to 70.00 ms, where the median is 8.00 "
                      "ms: did the machine have other work?");
    assert_notes(two, "2 of A's 16 runs are outliers, up to 71.00 ms, where the median is 8.00 "
                      "ms: did the machine have other work?");
    assert_notes(quick, "A takes under 5 ms: much of that is the start of a process");
    assert_notes(later, "A drifts: the median of its earlier runs is 7.50 ms, of its later ones "
                        "12.50 ms; is the machine's clock throttled, or do files grow?");
}

/* The median deviation is 1 ms: an outlier takes more than 14.826 ms more than the median. */
static void test_trials_at_the_limits(void **state)
{
    static const char no_interval[] = "medians have no interval: that takes 6 runs of each",
                      outlier[] = "1 of A's 6 runs is an outlier, up to 22.83 ms, where the median "
                                  "is 8.00 ms: did the machine have other work?",
                      cold[] = "A's first run took 22.83 ms, and the median is 8.00 ms: what it "
                               "reads was in no cache yet; say --warmup with a larger number";
    uint64_t ns[] = { 8000000, 7000000, 9000000, 8000000, 7000000, 22826000 };
    (void)state;
    assert_notes_of(ns, 6, 6, "");
    ns[5]++;
    assert_notes_of(ns, 6, 6, outlier);
    ns[0] = ns[5] - 1;
    ns[5] = 8000000;
    assert_notes_of(ns, 6, 6, "");
    assert_notes_of(ns, 6, 5, no_interval);
    assert_notes_of(ns, 5, 6, no_interval);
    ns[0]++;
    assert_notes_of(ns, 6, 6, cold);
    assert_notes_of(ns, 5, 6, no_interval); /* of five, none is called an outlier */
    assert_notes_of(ns, 3, 4,
                    "too few runs: p cannot be below 0.057; --runs 4 is the least that "
                    "can show a difference, and 10 or more are better");
    for (int i = 0; i < 6; i++)
        ns[i] = 5000000;
    assert_notes_of(ns, 6, 6, "");
    for (int i = 0; i < 6; i++)
        ns[i] = 4999999;
    assert_notes_of(ns, 6, 6, "A takes under 5 ms: much of that is the start of a process");
}

/* Of twelve runs, the earlier six are compared with the later six: p 0.0087, and 0.0152. */
static void test_trials_drift(void **state)
{
    static const char drift[] =
        "A drifts: the median of its earlier runs is 22.50 ms, of its later "
        "ones 35.00 ms; is the machine's clock throttled, or do files "
        "grow?";
    uint64_t ns[12] = { 20, 21, 22, 23, 24, 33, 31, 32, 34, 36, 37, 38 }; /* 33: over 2 */
    (void)state;
    for (int i = 0; i < 12; i++)
        ns[i] *= 1000000;
    assert_notes_of(ns, 12, 12, drift);
    assert_notes_of(ns, 11, 12, "");
    ns[5] = 35000000; /* over 3 */
    assert_notes_of(ns, 12, 12, "");
}

static toll_status compare_runs(const toll_allocator *a, void *user)
{
    toll_trials t;
    (void)user;
    toll_status status = toll_trials_init(&t, a, 12, NULL); /* so many are looked at for a drift */
    if (!status)
        status = add_runs(&t, a, 12);
    if (!status)
        status = toll_trials_end(&t, NULL);
    toll_trials_free(&t);
    return status;
}

static void test_trials_every_allocation(void **state)
{
    (void)state;
    test_every_allocation(compare_runs, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trials_are_compared),
        cmocka_unit_test(test_trials_exact_values),
        cmocka_unit_test(test_trials_need_the_same_values),
        cmocka_unit_test(test_trials_are_judged),
        cmocka_unit_test(test_trials_at_the_limits),
        cmocka_unit_test(test_trials_drift),
        cmocka_unit_test(test_trials_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

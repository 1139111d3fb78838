/* test_rules_each.c - gates/rule_each.h: a rule for each value of labels has the values of rules
 * that are written out for each of them; tests with a rule of their own are left out. */
#include "support_profile.h"
#include "support_rules.h"

#include "gates/rule_each.h"
#include "gates/rules_check.h"

enum { ROUNDS = 200, THREADS = 4, MOST = 16 };

static uint64_t seed = 7;

static uint32_t below(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}

/* Threads with the labels k and l, of which one has two values of k, and one has no label. */
static const toll_thread_label labels[THREADS][2] = { { { "k", "1" }, { "l", "1" } },
                                                      { { "k", "2" }, { "l", "2" } },
                                                      { { "k", "2" }, { "k", "3" } } };
static const uint32_t label_counts[THREADS] = { 2, 2, 2, 0 };

/* Stacks in some of the threads. */
static toll_profile *make(bool there[THREADS])
{
    static const char *const stacks[] = { "a", "a;b", "b;a;b", "c" };
    toll_profile *p = empty_with(NULL, (const char *const[]){ "calls", "ticks" }, 2);
    for (uint32_t t = 0; t < THREADS; t++) {
        toll_thread_id thread;
        there[t] = below(4) > 0;
        if (!there[t])
            continue;
        assert_ok(
            toll_profile_add_labelled_thread(p, "", labels[t], label_counts[t], &thread, err));
        for (uint32_t i = below(4); i > 0; i--) {
            toll_node_id node = toll_profile_root(p, thread);
            for (const char *s = stacks[below(4)]; *s; s += s[1] ? 2 : 1) {
                toll_frame_id frame;
                const char name[2] = { *s, 0 };
                assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = name }, &frame, err));
                assert_ok(toll_profile_add_child(p, node, frame, &node, err));
            }
            assert_ok(toll_profile_add_self(p, node, below(2), 1 + below(9), err));
        }
    }
    return p;
}

static bool has(const bool there[THREADS], uint32_t thread, const char *key, const char *value)
{
    bool found = false;
    for (uint32_t i = 0; i < label_counts[thread]; i++)
        found |=
            strcmp(labels[thread][i].key, key) == 0 && strcmp(labels[thread][i].value, value) == 0;
    return there[thread] && found;
}

/* Write the rules out for each case that a thread has, in the order of the cases. */
static uint32_t write_out(const bool there[THREADS], const char *rule, bool by_k, bool by_l,
                          char *text)
{
    static const char *const values[] = { "1", "2", "3" };
    uint32_t count = 0;
    for (uint32_t k = 0; k < (by_k ? 3u : 1u); k++)
        for (uint32_t l = 0; l < (by_l ? 3u : 1u); l++) {
            bool is_case = false;
            for (uint32_t t = 0; t < THREADS; t++)
                is_case |= (!by_k || has(there, t, "k", values[k])) &&
                           (!by_l || has(there, t, "l", values[l]));
            if (!is_case)
                continue;
            text += sprintf(text, "%s", rule);
            text += by_k ? sprintf(text, "  where k=%s", values[k]) : 0;
            text += by_l ? sprintf(text, "  where l=%s", values[l]) : 0;
            text += sprintf(text, "  <= 5 optional\n");
            count++;
        }
    return count;
}

static void compare(const toll_profile *p, const toll_rules *made, const toll_rules *written)
{
    toll_rule_result is[MOST], should[MOST];
    assert_int_equal(made->count, written->count);
    assert_true(made->count < MOST);
    assert_ok(toll_rules_measure(made, p, is, err));
    assert_ok(toll_rules_measure(written, p, should, err));
    bool any = false;
    for (size_t i = 0; i < made->count; i++)
        any |= should[i].state != TOLL_RULE_ABSENT;
    for (size_t i = 0; i < made->count; i++) {
        size_t is_size, size;
        const char *text = toll_rule_subject_text(made, &made->items[i], &is_size);
        const char *expected = toll_rule_subject_text(written, &written->items[i], &size);
        assert_int_equal(is_size, size);
        assert_memory_equal(text, expected, size);
        assert_int_equal(is[i].sum.value, should[i].sum.value);
        assert_int_equal(is[i].sum.is_matched, should[i].sum.is_matched);
        assert_int_equal(is[i].state, any || i ? should[i].state : TOLL_RULE_UNMATCHED);
    }
}

static void test_each_is_as_if_written_out(void **state)
{
    static const char *const rules[] = { "ticks  a", "ticks  *", "calls  self b", "ticks  b  in a",
                                         "calls  nothing" };
    static const char *const by[] = { "k", "l", "k,l" };
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        char text[200], written[2000] = "";
        bool there[THREADS];
        toll_profile *p = make(there);
        toll_rules made, explicit;
        const char *rule = rules[below(5)];
        uint32_t keys = below(3);
        bool is_option = below(2);
        static const char *const wheres[] = { "  where k=*", "  where l=*", "  where k=*,l=*" };
        sprintf(text, "%s%s  <= 5\n", rule, is_option ? "" : wheres[keys]);
        uint32_t count = write_out(there, rule, keys != 1, keys != 0, written);
        assert_ok(read_rules(NULL, text, &made, err));
        if (is_option)
            assert_ok(toll_rules_hold_each(&made, by[keys], err));
        assert_string_equal((const char *)made.keys.data, keys == 2   ? "thread,k,l"
                                                          : keys == 1 ? "thread,l"
                                                                      : "thread,k");
        assert_ok(toll_rules_expand(&made, p, err));
        assert_ok(read_rules(NULL, written, &explicit, err));
        if (count) {
            compare(p, &made, &explicit);
        } else { /* it stays, and fails */
            toll_rule_result r;
            assert_int_equal(made.count, 1);
            assert_ok(toll_rules_measure(&made, p, &r, err));
            assert_int_equal(r.state, TOLL_RULE_UNMATCHED);
        }
        toll_rules_free(&made);
        toll_rules_free(&explicit);
        toll_profile_free(p);
    }
}

/* How many rules for cases the budget's first rule becomes, beside the others. */
static size_t cases_of(const char *text)
{
    bool there[THREADS];
    toll_profile *p;
    toll_rules rules;
    do {
        p = make(there);
        if (there[0] && there[1] && there[2])
            break;
        toll_profile_free(p);
    } while (true);
    assert_ok(read_rules(NULL, text, &rules, err));
    size_t others = rules.count - 1;
    assert_ok(toll_rules_expand(&rules, p, err));
    size_t count = rules.count - others;
    toll_rules_free(&rules);
    toll_profile_free(p);
    return count;
}

static void test_a_rule_of_its_own_is_instead_of_the_default(void **state)
{
    (void)state;
    assert_int_equal(cases_of("ticks a where k=* <= 5\n"), 3);
    assert_int_equal(cases_of("ticks a where k=* <= 5\nticks a where k=1 <= 9\n"), 2);
    assert_int_equal(cases_of("ticks a where k=* <= 5\nticks a where k=1 < 9\n"), 2);
    assert_int_equal(cases_of("ticks a where k=* <= 5\nticks a where k=1 == 9\n"), 2);
    assert_int_equal(cases_of("ticks a where k=* <= 5\nticks a where k=1 where k=1 <= 9\n"), 2);
    /* Sums of several cases, and parts of one, are not the case's own. */
    assert_int_equal(cases_of("ticks a where k=* <= 5\nticks a where k=1,k=3 <= 9\n"), 3);
    assert_int_equal(cases_of("ticks a where k=* <= 5\nticks a where k=1,l=1 <= 9\n"), 3);
    assert_int_equal(cases_of("ticks a where k=* <= 5\nticks a where k=1 >= 9\n"), 3);
    assert_int_equal(cases_of("ticks a where k=* == 5\nticks a where k=1 <= 9\n"), 3);
    assert_int_equal(cases_of("ticks a where k=* > 5\nticks a where k=1 >= 9\n"), 2);
    assert_int_equal(cases_of("ticks a where k=* <= 5\nticks b where k=1 <= 9\n"), 3);
    assert_int_equal(cases_of("ticks a where k=* <= 5\nticks a* where k=1 <= 9\n"), 3);
    assert_int_equal(cases_of("ticks a where k=* <= 5\ncalls a where k=1 <= 9\n"), 3);
    assert_int_equal(cases_of("ticks a where k=* <= 5\nticks  self a  where k=1  <= 9\n"), 3);
    assert_int_equal(cases_of("ticks a where k=* <= 5\nticks  a  in b  where k=1  <= 9\n"), 3);
    assert_int_equal(cases_of("ticks  a  in b  where k=*  <= 5\nticks  a  in b  where k=1  <= 9\n"),
                     2);
    assert_int_equal(cases_of("ticks  a  in b  where k=*  <= 5\nticks  a  in c  where k=1  <= 9\n"),
                     3);
    assert_int_equal(cases_of("ticks a where k=* <= 5\nticks a <= 9\n"), 3);
    assert_int_equal(cases_of("ticks a where k=*,l=* <= 5\nticks a where l=2 <= 9\n"), 2);
    assert_int_equal(cases_of("ticks a where k=*,l=* <= 5\nticks a where l=2,k=2 <= 9\n"), 1);
    assert_int_equal(cases_of("ticks a where k=2,l=* <= 5\n"), 1);
}

static void test_each_has_limits(void **state)
{
    toll_rules rules;
    toll_error e = { TOLL_OK, "" };
    bool there[THREADS];
    toll_profile *p = make(there);
    char text[400] = "ticks  *  where k=*";
    (void)state;
    for (int i = 0; i < 16; i++)
        sprintf(text + strlen(text), ",l=%d", i);
    strcat(text, "  <= 1\n");
    assert_ok(read_rules(NULL, text, &rules, err));
    assert_int_equal(toll_rules_expand(&rules, p, &e), TOLL_E_LIMIT);
    assert_string_equal(e.text, "b:1: a rule for each value has 16 labels at most");
    assert_int_equal(rules.count, 1);
    assert_int_equal(toll_rules_hold_each(&rules, " ,", &e), TOLL_E_ARGUMENT);
    toll_rules_free(&rules);
    toll_profile_free(p);
}

/* Names of tests may have anything in them; `*` in quotes is a name. */
static void test_each_takes_any_value(void **state)
{
    static const char *const values[] = { "*", "a, b=\"q\"", "x\ny=z", "x\r", "\x01" };
    toll_profile *p = empty_with(NULL, (const char *const[]){ "ticks" }, 1);
    toll_rules rules;
    toll_rule_result r[6];
    (void)state;
    for (int i = 0; i < 5; i++) {
        const toll_thread_label label = { "t", values[i] };
        toll_thread_id thread;
        assert_ok(toll_profile_add_labelled_thread(p, "", &label, 1, &thread, err));
        assert_ok(toll_profile_add_self(p, toll_profile_root(p, thread), 0, 10 + i, err));
    }
    assert_ok(read_rules(NULL, "ticks  *  where t=*  <= 5\nticks  *  where \"t=*\"  <= 9\n", &rules,
                         err));
    assert_ok(toll_rules_expand(&rules, p, err));
    assert_int_equal(rules.count, 5);
    assert_ok(toll_rules_measure(&rules, p, r, err));
    static const char *const subjects[] = {
        "ticks  *  where \"t=\\x01\"", "ticks  *  where \"t=a, b=\\\"q\\\"\"",
        "ticks  *  where \"t=x\\x0ay=z\"", "ticks  *  where \"t=x\\x0d\"", "ticks  *  where \"t=*\""
    };
    static const int64_t costs[] = { 14, 11, 12, 13, 10 };
    for (int i = 0; i < 5; i++) {
        size_t size;
        const char *text = toll_rule_subject_text(&rules, &rules.items[i], &size);
        assert_int_equal(size, strlen(subjects[i]));
        assert_memory_equal(text, subjects[i], size);
        assert_int_equal(r[i].sum.value, costs[i]);
        assert_int_equal(r[i].state, TOLL_RULE_EXCEEDED);
    }
    toll_rules_free(&rules);
    toll_profile_free(p);
}

static toll_status expand_all(const toll_allocator *a, void *user)
{
    toll_rules rules = { 0 };
    toll_error err = { TOLL_OK, "" };
    toll_status status = read_rules(
        a, "ticks a < 5\nticks a where k=* <= 5\nticks a where k=1 <= 5\nticks b where m=* <= 1\n",
        &rules, &err);
    if (!status)
        status = toll_rules_hold_each(&rules, "l", &err);
    if (!status)
        status = toll_rules_expand(&rules, user, &err);
    toll_rules_free(&rules);
    return status;
}

static void test_each_every_allocation(void **state)
{
    bool there[THREADS];
    toll_profile *p = make(there);
    (void)state;
    test_every_allocation(expand_all, p);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_is_as_if_written_out),
        cmocka_unit_test(test_a_rule_of_its_own_is_instead_of_the_default),
        cmocka_unit_test(test_each_has_limits),
        cmocka_unit_test(test_each_takes_any_value),
        cmocka_unit_test(test_each_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

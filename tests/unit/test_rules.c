/* test_rules.c - gates/rules.h: budgets are read, their rules apply to the right stacks, and are
 * updated. */
#include "support_profile.h"
#include "support_rules.h"

#include "gates/rule_names.h"
#include "gates/rules_write.h"

/* main;f 10 (3 calls), main;f;g 20, main;f;g;f 5, main;h 7; in thread t: g 100; 1 outside. */
static toll_profile *make(void)
{
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "time", "nanoseconds", NULL, err));
    assert_ok(toll_profile_add_column(p, "inuse_space", "bytes", NULL, err));
    test_add_stack(p, "", "main;f", 1, 10);
    test_add_stack(p, "", "main;f", 0, 3);
    test_add_stack(p, "", "main;f;g", 1, 20);
    test_add_stack(p, "", "main;f;g", 0, 4);
    test_add_stack(p, "", "main;f;g;f", 1, 5);
    test_add_stack(p, "", "main;f;g;f", 0, 1);
    test_add_stack(p, "", "main;h", 1, 7);
    test_add_stack(p, "t", "g", 1, 100);
    test_add_stack(p, "", "", 1, 1);
    test_add_stack(p, "", "main;h", 3, 4096);
    return p;
}

static toll_rule_result check(const char *rule, toll_status expected)
{
    toll_profile *p = make();
    toll_rules rules;
    toll_rule_result r = { 0 };
    assert_ok(read_rules(NULL, rule, &rules, err));
    assert_int_equal(rules.count, 1);
    toll_error e = { TOLL_OK, "" };
    assert_int_equal(toll_rules_measure(&rules, p, &r, &e), expected);
    toll_rules_free(&rules);
    toll_profile_free(p);
    return r;
}

static int64_t value(const char *rule)
{
    toll_rule_result r = check(rule, TOLL_OK);
    assert_true(r.sum.is_matched);
    return r.sum.value;
}

static void test_rules_value_is_that_of_the_stacks_with_the_function(void **state)
{
    (void)state;
    assert_int_equal(value("ticks f < 1"), 35); /* recursion counts once */
    assert_int_equal(value("ticks  self f  < 1"), 15);
    assert_int_equal(value("ticks g < 1"), 125);
    assert_int_equal(value("ticks  g  in main  < 1"), 25);
    assert_int_equal(value("ticks g in \"t\" < 1"), 100);
    assert_int_equal(value("ticks  *  in t  < 1"), 100);
    assert_int_equal(value("ticks  *  in main  < 1"), 42);
    assert_int_equal(value("ticks * < 1"), 143);
    assert_int_equal(value("ticks ma* < 1"), 42);
    assert_int_equal(value("ticks  \"h\"  < 1"), 7);
}

/* Of each rule, not only of all but one. */
static void test_rules_sums_that_do_not_fit_are_refused(void **state)
{
    toll_rule_result results[2];
    toll_rules rules;
    toll_profile *p = make();
    (void)state;
    test_add_stack(p, "", "main;large", 1, INT64_MAX - 50);
    for (int first = 0; first < 2; first++) {
        assert_ok(read_rules(NULL,
                             first ? "ticks * < 1\nticks h < 8\n" : "ticks h < 8\nticks * < 1\n",
                             &rules, err));
        toll_error e = { TOLL_OK, "" };
        assert_int_equal(toll_rules_measure(&rules, p, results, &e), TOLL_E_OVERFLOW);
        assert_string_equal(e.text, first ? "b:1: the sum does not fit 64 bits"
                                          : "b:2: the sum does not fit 64 bits");
        toll_rules_free(&rules);
    }
    toll_profile_free(p);
}

static void test_rules_patterns_are_regular_expressions(void **state)
{
    (void)state;
    assert_int_equal(value("ticks  /^[fh]$/  < 1"), 42);
    assert_int_equal(value("ticks  g  in /^t$/  < 1"), 100);
    check("ticks  /(/  < 1", TOLL_E_SYNTAX);
}

static void test_rules_calls_are_of_the_function_itself(void **state)
{
    (void)state;
    assert_int_equal(value("calls f < 1"), 4);
    assert_int_equal(value("calls g < 1"), 4);
    assert_int_equal(value("calls * < 1"), 8);
}

static void assert_state(const char *rule, toll_rule_state state)
{
    assert_int_equal(check(rule, TOLL_OK).state, state);
}

static void test_rules_hold_to_the_unit(void **state)
{
    (void)state;
    assert_state("ticks h < 8", TOLL_RULE_HOLDS);
    assert_state("ticks h < 7", TOLL_RULE_EXCEEDED);
    assert_state("ticks h <= 7", TOLL_RULE_HOLDS);
    assert_state("ticks h <= 6", TOLL_RULE_EXCEEDED);
    assert_state("ticks h == 7", TOLL_RULE_HOLDS);
    assert_state("ticks h == 8", TOLL_RULE_EXCEEDED);
    assert_state("ticks h >= 7", TOLL_RULE_HOLDS);
    assert_state("ticks h >= 8", TOLL_RULE_EXCEEDED);
    assert_state("ticks h > 6", TOLL_RULE_HOLDS);
    assert_state("ticks h > 7", TOLL_RULE_EXCEEDED);
    assert_state("ticks h < 7 +-1", TOLL_RULE_HOLDS);
    assert_state("ticks h == 6 \xc2\xb1"
                 "1",
                 TOLL_RULE_HOLDS);
    assert_state("ticks h == 5 \xc2\xb1"
                 "1",
                 TOLL_RULE_EXCEEDED);
    assert_state("ticks h == 9 \xc2\xb1 2", TOLL_RULE_HOLDS);
    assert_state("ticks g <= 124 \xc2\xb1"
                 "1%",
                 TOLL_RULE_HOLDS);
    assert_state("ticks g <= 124 \xc2\xb1"
                 "0.8%",
                 TOLL_RULE_EXCEEDED);
    assert_state("inuse_space h == 4 KiB", TOLL_RULE_HOLDS);
}

static void test_rules_that_match_nothing_fail(void **state)
{
    (void)state;
    assert_state("ticks k < 1", TOLL_RULE_UNMATCHED);
    assert_state("ticks k < 1 optional", TOLL_RULE_ABSENT);
    assert_state("fuel f < 1", TOLL_RULE_UNMATCHED);
    assert_state("fuel f < 1 fixed optional", TOLL_RULE_UNMATCHED); /* there is no fuel */
    assert_state("ticks  h  in t  < 100", TOLL_RULE_UNMATCHED);
    check("time f < 1", TOLL_E_ARGUMENT);
    check("cpu f < 1", TOLL_E_ARGUMENT);
    check("ticks f < 1 kB", TOLL_E_ARGUMENT);
}

static void assert_wrong(const char *text, const char *where, const char *why)
{
    toll_rules rules;
    toll_error e = { TOLL_OK, "" };
    assert_int_equal(read_rules(NULL, text, &rules, &e), TOLL_E_SYNTAX);
    assert_string_equal(toll_status_name(e.status), "TOLL_E_SYNTAX");
    if (strncmp(e.text, where, strlen(where)) != 0 || !strstr(e.text, why))
        fail_msg("%s: %s", text, e.text);
    toll_rules_free(&rules);
}

static void test_rules_say_where_a_line_is_wrong(void **state)
{
    (void)state;
    assert_wrong("\n# x\nticks f\n", "b:3:1: ", "no operator");
    assert_wrong("ticks f <\n", "b:1:10: ", "missing");
    assert_wrong("ticks f < many", "b:1:11: ", "quotes");
    assert_wrong("ticks f < 1,20", "b:1:11: ", "groups of three");
    assert_wrong("ticks f = 5", "b:1:9: ", "operators are");
    assert_wrong("compute units swap < 5", "b:1:1: ", "two blanks");
    assert_wrong("< 5", "b:1:1: ", "column and a function");
    assert_wrong("ticks  f  x  < 5", "b:1:11: ", "in ROOT");
    assert_wrong("ticks  f  in a  b  < 5", "b:1:17: ", "two blanks");
    assert_wrong("ticks  \"f  < 5", "b:1:8: ", "do not end");
    assert_wrong("ticks  \"f\"g  < 5", "b:1:11: ", "blank after the quotes");
    assert_wrong("ticks  \"f\\q\"  < 5", "b:1:10: ", "backslash");
    assert_wrong("ticks  \"f\\x00\"  < 5", "b:1:10: ", "backslash");
    assert_wrong("ticks  \"f\\x4\x11\"  < 5", "b:1:10: ", "backslash"); /* 0x11 | 0x20 is '1' */
    assert_wrong("ticks f < 5 often", "b:1:11: ", "not known");
    assert_wrong("ticks f < 5 CU often", "b:1:16: ", "optional");
    assert_wrong("ticks f < 5 +-", "b:1:15: ", "tolerance");
    assert_wrong("ticks f < 5 +-x", "b:1:15: ", "missing");
    assert_wrong("ticks f < 5 ms", "b:1:11: ", "no exact budget");
    assert_wrong("ticks f\xff < 5", "b:1:8: ", "UTF-8");
    assert_wrong("ticks  //  < 5", "b:1:8: ", "empty pattern");
    assert_wrong("ticks  f  where  < 5", "b:1:11: ", "followed by labels");
    assert_wrong("ticks  f  where test  < 5", "b:1:17: ", "KEY=VALUE");
    assert_wrong("ticks  f  where =a  < 5", "b:1:17: ", "KEY=VALUE");
    assert_wrong("ticks  f  where ,  < 5", "b:1:17: ", "no label");
    assert_wrong("ticks  f  where \"test=a\" b  < 5", "b:1:26: ", "ends here");
    assert_wrong("ticks  f  where \"test=\\q\"  < 5", "b:1:23: ", "backslash");
    assert_wrong("ticks  f  where \"test=a\\nb=c\"  < 5", "b:1:17: ", "no line ends");
    assert_wrong("ticks  f  where test=a  in x  < 5", "b:1:25: ", "after `in ROOT`");
}

/* Ticks of the threads with the rule's labels: test=a 1, test=b 2, test=b and host=x 4, none 8. */
static int64_t labelled_value(const char *where)
{
    static const struct {
        const char *test, *host;
        int64_t ticks;
    } threads[] = { { "a", "", 1 }, { "b", "", 2 }, { "b", "x, y", 4 }, { "", "", 8 } };
    toll_profile *p = empty();
    toll_rule_result r;
    toll_rules rules;
    toll_frame_id f;
    char text[100];
    assert_ok(toll_profile_add_frame(p, &(toll_frame){ .name = "f" }, &f, err));
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        const toll_thread_label labels[] = { { "test", threads[i].test },
                                             { "host", threads[i].host } };
        toll_thread_id id;
        toll_node_id node;
        assert_ok(toll_profile_add_labelled_thread(p, "main", labels, 2, &id, err));
        assert_ok(toll_profile_add_child(p, toll_profile_root(p, id), f, &node, err));
        assert_ok(toll_profile_add_self(p, node, 1, threads[i].ticks, err));
    }
    snprintf(text, sizeof text, "ticks  %s  < 100\n", where);
    assert_ok(read_rules(NULL, text, &rules, err));
    assert_ok(toll_rules_measure(&rules, p, &r, err));
    int64_t value = r.sum.is_matched ? r.sum.value : -1;
    toll_rules_free(&rules);
    toll_profile_free(p);
    return value;
}

static void test_rules_where_chooses_threads_by_labels(void **state)
{
    (void)state;
    assert_int_equal(labelled_value("f"), 15);
    assert_int_equal(labelled_value("f  where test=a"), 1);
    assert_int_equal(labelled_value("*  where test=b"), 6);
    assert_int_equal(labelled_value("f  in main  where test=b"), 6);
    assert_int_equal(labelled_value("*  in f  where test=b"), 6);
    assert_int_equal(labelled_value("*  in \"f\" where test=b"), 6); /* one blank is enough */
    assert_int_equal(labelled_value("f where test=a,test=b"), 7);
    assert_int_equal(labelled_value("f  where test=a  where test=b"), 7);
    assert_int_equal(labelled_value("f  where \"host=x, y\""), 4);
    assert_int_equal(labelled_value("f  where test=b  where \"host=x, y\""), 4);
    assert_int_equal(labelled_value("f  where test=a  where \"host=x, y\""), -1);
    assert_int_equal(labelled_value("f  where test=c"), -1);
    assert_int_equal(labelled_value("f  where thread=main"), 15);
    assert_int_equal(labelled_value("f  in other  where test=b"), -1);
}

static void test_rules_know_the_keys_of_their_labels(void **state)
{
    toll_rules rules;
    (void)state;
    assert_ok(read_rules(NULL, "ticks f < 1\n", &rules, err));
    assert_int_equal(rules.keys.size, 0);
    toll_rules_free(&rules);
    assert_ok(read_rules(NULL,
                         "ticks f where te=b < 1\nticks f where test=a,host=x < 1\n"
                         "ticks f where host=y < 1\n",
                         &rules, err));
    assert_string_equal((const char *)rules.keys.data, "thread,te,test,host");
    toll_rules_free(&rules);
}

static void test_rules_names_may_have_anything_in_them(void **state)
{
    static const char *const names[] = { "f",
                                         "a b",
                                         "a  b",
                                         "<T as U>::f",
                                         "a < b",
                                         "a <= b",
                                         "x = y",
                                         "operator*",
                                         "/x/",
                                         "#1",
                                         "a #b",
                                         "cmp#7",
                                         " a",
                                         "a ",
                                         "self f",
                                         "in x",
                                         "say \"x\"",
                                         "\"x\"",
                                         "a\\b",
                                         "tab\there",
                                         "line\nend",
                                         "<3",
                                         "f in \"x\"",
                                         "f where x=y",
                                         "a b where c=d e",
                                         "*",
                                         "\xc2\xb1"
                                         "5",
                                         "\xef\xbb\xbf"
                                         "f" };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        toll_mem mem = toll_c_allocator();
        toll_buffer text;
        toll_rules rules;
        toll_buffer_init(&text, &mem);
        toll_buffer_append_text(&text, "ticks  ");
        toll_rules_put_name(&text, names[i]);
        toll_buffer_append_text(&text, "  < 5");
        assert_ok(read_rules(NULL, toll_buffer_cstr(&text), &rules, err));
        assert_int_equal(rules.count, 1);
        assert_string_equal(toll_rules_text(&rules, rules.items[0].names.text), names[i]);
        assert_int_equal(rules.items[0].names.kind, TOLL_NAMES_TEXT);
        assert_false(rules.items[0].is_self || rules.items[0].has_root);
        toll_rules_free(&rules);
        toll_buffer_free(&text);
    }
}

static void test_rules_a_function_may_be_called_self(void **state)
{
    static const char *const texts[] = { "ticks  self  < 5", "ticks  self self  < 5" };
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        toll_rules rules;
        assert_ok(read_rules(NULL, texts[i], &rules, err));
        assert_string_equal(toll_rules_text(&rules, rules.items[0].names.text), "self");
        assert_int_equal(rules.items[0].is_self, i == 1);
        toll_rules_free(&rules);
    }
}

static void test_glob_matches_any_text(void **state)
{
    (void)state;
    assert_true(toll_glob_matches("a*c", "abc") && toll_glob_matches("a*c", "ac"));
    assert_true(toll_glob_matches("*::swap", "x::y::swap"));
    assert_true(toll_glob_matches("*a*b*", "xaxab") && toll_glob_matches("**", ""));
    assert_false(toll_glob_matches("a*c", "abd") || toll_glob_matches("a", "ab"));
    assert_false(toll_glob_matches("*::swap", "x::swap2") || toll_glob_matches("a*", "ba"));
}

static char *updated(const char *before, bool only_lower, uint32_t changed, uint32_t exceeded)
{
    toll_profile *p = make();
    toll_mem mem = toll_c_allocator();
    toll_rules rules;
    toll_buffer text;
    toll_output *said;
    toll_rules_changes changes;
    toll_buffer_init(&text, &mem);
    assert_ok(toll_output_to_memory(NULL, 0, &said, err));
    assert_ok(read_rules(NULL, before, &rules, err));
    assert_ok(toll_rules_update(&rules, p, only_lower, &text, said, &changes, err));
    assert_int_equal(changes.changed, changed);
    assert_int_equal(changes.exceeded, exceeded);
    char *copy = strdup(toll_buffer_cstr(&text));
    toll_output_free(said);
    toll_buffer_free(&text);
    toll_rules_free(&rules);
    toll_profile_free(p);
    return copy;
}

static void test_update_removes_dead_rules(void **state)
{
    static const struct {
        const char *before, *after;
        bool only_lower;
    } cases[] = {
        { "ticks h <= 7\nticks gone <= 4", "ticks h <= 7\n", false },
        { "  ticks gone <= 4 # why\r\nticks h <= 7\n", "ticks h <= 7\n", false },
        { "ticks gone <= 4\nticks gone <= 5\nticks h <= 7", "ticks h <= 7", false },
        { "ticks h <= 7\nticks gone <= 4", "ticks h <= 7\nticks gone <= 4", true },
        { "ticks h <= 7\nticks gone <= 4 fixed", "ticks h <= 7\nticks gone <= 4 fixed", false },
        { "ticks h <= 7\nticks x <= 4 optional", "ticks h <= 7\nticks x <= 4 optional", false },
        { "ticks h <= 7\ntocks h <= 4", "ticks h <= 7\ntocks h <= 4", false },
        { "ticks h <= 7\nticks h where a=b <= 4", "ticks h <= 7\nticks h where a=b <= 4", false },
        { "ticks gone <= 4\nticks * <= 143", "ticks gone <= 4\nticks * <= 143", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = updated(cases[i].before, cases[i].only_lower, 0, 0);
        assert_string_equal(text, cases[i].after);
        free(text);
    }
}

/* Of h, which costs 7. */
static void test_tight_rules(void **state)
{
    static const struct {
        const char *rule;
        int64_t slack;
    } cases[] = {
        { "ticks h <= 7", 0 }, { "ticks h <= 9", 2 },     { "ticks h < 8", 0 },
        { "ticks h < 10", 2 }, { "ticks h == 7 +-3", 0 }, { "ticks h <= 8 +-50%", 1 },
        { "ticks h >= 5", 2 }, { "ticks h > 5", 1 },      { "ticks h <= 99 fixed", 0 },
    };
    (void)state;
    toll_profile *p = make();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int64_t tight = 0; tight < 4; tight++) {
            toll_allowance allowed = { .amount = { .value = tight } };
            toll_rules rules;
            toll_rule_result result[1];
            assert_ok(read_rules(NULL, cases[i].rule, &rules, err));
            rules.tight = &allowed;
            assert_ok(toll_rules_measure(&rules, p, result, err));
            assert_int_equal(result->state,
                             cases[i].slack > tight ? TOLL_RULE_SLACK : TOLL_RULE_HOLDS);
            toll_rules_free(&rules);
        }
    toll_profile_free(p);
}

static void test_update_changes_numbers_alone(void **state)
{
    (void)state;
    char *text = updated("# head\r\n\r\nticks   h  <= 5  \xc2\xb1"
                         "2 # why\r\nticks h < 1\n"
                         "ticks  h  == 1 fixed\ninuse_space  h  == 1 kB  optional\n"
                         "ticks  gone  <= 4\nticks * >= 1,000",
                         false, 3, 2);
    assert_string_equal(text, "# head\r\n\r\nticks   h  <= 7  \xc2\xb1"
                              "2 # why\r\nticks h < 1\n"
                              "ticks  h  == 1 fixed\ninuse_space  h  == 4,096 B  optional\n"
                              "ticks * >= 143");
    char *again = updated(text, false, 0, 2);
    assert_string_equal(again, text);
    free(text);
    free(again);
}

/* With only_lower, h's 7 ticks and 4,096 bytes make a limit smaller, and a least value larger. */
static void test_update_lowers_alone(void **state)
{
    (void)state;
    char *text = updated("ticks h <= 9\nticks h <= 5\nticks h >= 6\nticks h >= 8\nticks h == 8\n"
                         "ticks h == 6\nticks h <= 6 \xc2\xb1"
                         "2\nticks h <= 9 fixed\n",
                         true, 3, 3);
    assert_string_equal(text, "ticks h <= 7\nticks h <= 5\nticks h >= 7\nticks h >= 8\n"
                              "ticks h == 7\nticks h == 6\nticks h <= 6 \xc2\xb1"
                              "2\n"
                              "ticks h <= 9 fixed\n");
    free(text);
}

static toll_status check_all(const toll_allocator *a, void *user)
{
    static const char text[] =
        "ticks f < 5\nticks  gone  < 5\ntick  *  < 5\nticks  ma*  in main  <= 3\n"
        "ticks  g  where thread=t  < 5\nticks * where host=a,test=b < 5\n";
    toll_profile *p, *copy = NULL;
    toll_rules rules = { 0 };
    toll_rule_result results[6];
    toll_findings findings;
    toll_error err = { TOLL_OK, "" };
    (void)user;
    toll_status status = toll_profile_create(a, &p, &err);
    toll_profile *model = make();
    if (!status)
        status = toll_profile_merge(p, model, &err);
    if (!status)
        status = toll_profile_diff(p, p, &copy, &err);
    if (!status)
        status = read_rules(a, text, &rules, &err);
    toll_findings_init(&findings, a);
    const toll_rules_before before = { p, copy };
    if (!status)
        status = toll_rules_check(&rules, p, &before, results, &findings, &err);
    if (!status)
        assert_int_equal(findings.count, 6);
    toll_findings_free(&findings);
    toll_rules_free(&rules);
    toll_profile_free(copy);
    toll_profile_free(p);
    toll_profile_free(model);
    return status;
}

static toll_status start_all(const toll_allocator *a, void *user)
{
    const toll_rules_start start = { .functions = 2, .by_root = true };
    toll_profile *p, *model = make();
    toll_buffer text;
    (void)user;
    toll_status status = toll_profile_create(a, &p, NULL);
    if (!status)
        status = toll_profile_merge(p, model, NULL);
    toll_buffer_init(&text, a);
    if (!status)
        status = toll_rules_start_text(p, &start, &text, NULL);
    toll_buffer_free(&text);
    toll_profile_free(p);
    toll_profile_free(model);
    return status;
}

static void test_rules_every_allocation(void **state)
{
    (void)state;
    test_every_allocation(check_all, NULL);
    test_every_allocation(start_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_value_is_that_of_the_stacks_with_the_function),
        cmocka_unit_test(test_rules_sums_that_do_not_fit_are_refused),
        cmocka_unit_test(test_rules_patterns_are_regular_expressions),
        cmocka_unit_test(test_rules_a_function_may_be_called_self),
        cmocka_unit_test(test_rules_calls_are_of_the_function_itself),
        cmocka_unit_test(test_rules_hold_to_the_unit),
        cmocka_unit_test(test_rules_that_match_nothing_fail),
        cmocka_unit_test(test_rules_say_where_a_line_is_wrong),
        cmocka_unit_test(test_rules_where_chooses_threads_by_labels),
        cmocka_unit_test(test_rules_know_the_keys_of_their_labels),
        cmocka_unit_test(test_rules_names_may_have_anything_in_them),
        cmocka_unit_test(test_glob_matches_any_text),
        cmocka_unit_test(test_update_removes_dead_rules),
        cmocka_unit_test(test_tight_rules),
        cmocka_unit_test(test_update_changes_numbers_alone),
        cmocka_unit_test(test_update_lowers_alone),
        cmocka_unit_test(test_rules_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

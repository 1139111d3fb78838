/* test_verdicts.c - what is held to limits, and the files for build servers that are written from
 * it: names, states, memory. tests/cli/check/ci_files.sh has the texts, tests/readers/ci.sh the
 * schemas. */
#include "support_profile.h"
#include "support_rules.h"

#include "gates/ci_reports.h"
#include "gates/rules_check.h"

static const toll_verdict holds = {
    .state = TOLL_VERDICT_HOLDS, .finding = TOLL_NO_FINDING, .least = INT64_MIN, .most = INT64_MAX
};

static void test_names_are_different(void **state)
{
    static const char *const added[] = { "a", "a (2)", "a", "", "a", "a (2)", "" };
    static const char *const called[] = { "a", "a (2)", "a (3)", "", "a (4)", "a (2) (2)", " (2)" };
    const toll_mem mem = toll_mem_from(NULL);
    toll_findings findings;
    toll_verdicts v;
    (void)state;
    toll_findings_init(&findings, &mem);
    toll_verdicts_init(&v, &mem, "s", &findings);
    for (size_t i = 0; i < sizeof added / sizeof *added; i++)
        toll_verdicts_add(&v, added[i], &holds);
    assert_false(v.failed);
    assert_int_equal(v.count, sizeof added / sizeof *added);
    for (size_t i = 0; i < v.count; i++)
        assert_string_equal(v.items[i].name, called[i]);
    assert_int_equal(toll_verdicts_count(&v, TOLL_VERDICT_HOLDS), v.count);
    assert_int_equal(toll_verdicts_count(&v, TOLL_VERDICT_FAILS), 0);
    toll_verdicts_add(NULL, "a", &holds); /* nobody asks */
    toll_verdicts_add_error(NULL, 0);
    toll_verdicts_free(&v);
    toll_findings_free(&findings);
}

/* A budget whose rules hold, fail and are absent, with names that differ only in blanks, and some
 * that are equal. */
static const char budget[] =
    "ticks  f  <= 35\nticks   f  <= 34\nticks\tself \"a  \\\"b\"  in main  "
    "<= 1\nticks  x  < 1  optional\nticks  *  >= 1\n";

typedef struct judged {
    toll_rules rules;
    toll_rule_result results[5];
    toll_findings findings;
    toll_verdicts verdicts;
    toll_profile *profile;
} judged;

static toll_status judge(const toll_allocator *a, judged *j)
{
    const toll_mem mem = toll_mem_from(a);
    *j = (judged){ .profile = NULL };
    assert_ok(toll_profile_create(NULL, &j->profile, err));
    assert_ok(toll_profile_add_column(j->profile, "ticks", "count", NULL, err));
    test_add_stack(j->profile, "", "main;f", 0, 30);
    test_add_stack(j->profile, "", "main;f;a  \"b", 0, 5);
    toll_findings_init(&j->findings, &mem);
    toll_status status = read_rules(a, budget, &j->rules, NULL);
    toll_verdicts_init(&j->verdicts, &mem, "b.budget", &j->findings);
    if (!status)
        status = toll_rules_check(&j->rules, j->profile, NULL, j->results, &j->findings, NULL);
    if (!status)
        toll_rules_judge(&j->rules, j->profile, j->results, &j->verdicts);
    return status ? status : j->verdicts.failed ? TOLL_E_NOMEM : TOLL_OK;
}

static void end(judged *j)
{
    toll_verdicts_free(&j->verdicts);
    toll_findings_free(&j->findings);
    toll_rules_free(&j->rules);
    toll_profile_free(j->profile);
}

static void test_rules(void **state)
{
    static const char *const names[] = { "ticks f", "ticks f (2)",
                                         "ticks self \"a  \\\"b\" in main", "ticks x", "ticks *" };
    static const toll_verdict_state states[] = { TOLL_VERDICT_HOLDS, TOLL_VERDICT_FAILS,
                                                 TOLL_VERDICT_FAILS, TOLL_VERDICT_SKIPPED,
                                                 TOLL_VERDICT_HOLDS };
    judged j;
    (void)state;
    assert_ok(judge(NULL, &j));
    assert_int_equal(j.verdicts.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(j.verdicts.items[i].name, names[i]);
        assert_int_equal(j.verdicts.items[i].state, states[i]);
        assert_int_equal(j.verdicts.items[i].line, i + 1);
    }
    assert_int_equal(j.verdicts.items[0].finding, TOLL_NO_FINDING);
    assert_int_equal(j.verdicts.items[1].finding, 0);
    assert_int_equal(j.verdicts.items[2].finding, 1);
    assert_int_equal(j.verdicts.items[1].value, 35);
    assert_int_equal(j.verdicts.items[1].most, 34);
    assert_false(j.verdicts.items[3].has_value);
    end(&j);
}

static toll_status write_all(const toll_allocator *a, void *user)
{
    static void (*const forms[])(const toll_verdicts *, toll_output *) = {
        toll_verdicts_put_junit, toll_verdicts_put_openmetrics, toll_verdicts_put_ctest
    };
    judged j;
    toll_output *out = NULL;
    (void)user;
    toll_status status = judge(a, &j);
    if (!status)
        status = toll_output_to_memory(a, 0, &out, NULL);
    for (size_t i = 0; !status && i < sizeof forms / sizeof *forms; i++)
        forms[i](&j.verdicts, out);
    if (!status) {
        toll_verdicts_put_code_quality(&j.verdicts, NULL, out);
        status = toll_rules_json(&j.rules, j.profile, NULL, j.results, &j.verdicts, out, NULL);
    }
    if (!status)
        status = toll_output_commit(out, NULL);
    toll_output_free(out);
    end(&j);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    test_every_allocation(write_all, NULL);
}

static void test_paths_within_the_repository(void **state)
{
    (void)state;
    assert_string_equal(toll_path_within(NULL, "src/a.lua"), "src/a.lua");
    assert_string_equal(toll_path_within(NULL, "./src/a.lua"), "src/a.lua");
    assert_string_equal(toll_path_within(NULL, "././a.lua"), "a.lua");
    assert_string_equal(toll_path_within(NULL, "../a.lua"), "../a.lua");
    assert_string_equal(toll_path_within("/w/repo", "/w/repo/src/a.lua"), "src/a.lua");
    assert_string_equal(toll_path_within("/w/repo//", "/w/repo/./a.lua"), "a.lua");
    assert_string_equal(toll_path_within("/w/repo", "/w/repository/a.lua"), "/w/repository/a.lua");
    assert_string_equal(toll_path_within("/w/repo", "/w/repo"), "/w/repo");
    assert_string_equal(toll_path_within("/", "/a.lua"), "/a.lua");
    assert_string_equal(toll_path_within("", "/a.lua"), "/a.lua");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_different),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_paths_within_the_repository),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

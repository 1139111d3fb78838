/* test_faults_readers.c - edges in readers that faults put in by scripts/mutate showed to be
 * untested. */
#include "support.h"

#define A "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define B "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"

/* A caller that spends nothing itself has what its callee has; that is no contradiction. */
static void test_solana_callee_may_claim_all_its_caller_has(void **state)
{
    static const char log[] = "Program " A " invoke [1]\n"
                              "Program " B " invoke [2]\n"
                              "Program " B " consumed 100 of 200 compute units\n"
                              "Program " B " success\n"
                              "Program " A " consumed 100 of 200 compute units\n"
                              "Program " A " success\n";
    toll_profile *p;
    (void)state;
    assert_ok(test_read(NULL, log, sizeof log - 1, "solana", &p, err));
    assert_int_equal(test_note(p, "invocations whose callees claim more"), 0);
    assert_int_equal(test_self(p, "", "program " A ";program " B, 1), 100);
    assert_int_equal(test_self(p, "", "program " A, 1), 0);
    toll_profile_free(p);
}

/* Three lines that begin as a game's do are too few to take a file for its log. */
static void test_supcom_four_lines_make_a_log(void **state)
{
    static const char log[] = "info: a\ninfo: b\ndebug: c\nwarning: d\n";
    toll_profile *p;
    (void)state;
    assert_int_equal(test_read(NULL, log, sizeof log - 1 - strlen("warning: d\n"), NULL, &p, NULL),
                     TOLL_E_UNKNOWN_FORMAT);
    assert_int_not_equal(test_read(NULL, log, sizeof log - 1, NULL, &p, NULL),
                         TOLL_E_UNKNOWN_FORMAT);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solana_callee_may_claim_all_its_caller_has),
        cmocka_unit_test(test_supcom_four_lines_make_a_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

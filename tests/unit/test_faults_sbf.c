/* test_faults_sbf.c - edge cases of the reader of register traces which were untested (see
 * test_faults_readers.c): the invocation of each trace, intervals, prices, and code that differs
 * from what ran. */
#include "support_sbf.h"

#define RUNS(id, depth, total, budget)                                                             \
    "Program " id " invoke [" depth "]\n"                                                          \
    "Program " id " consumed " total " of " budget " compute units\n"                              \
    "Program " id " success\n"

static const step two_steps[] = { { 3, OTHER, 0, 0 }, { 4, EXIT, 0, 0 } };

/* --- which trace is whose ----------------------------------------------------------------------*/

/* Both traces fit both invocations, and the longer one fits both of them better; so that each trace
 * has one, the shorter one gets the invocation with fewer units. */
static void expect_shared_out(bool fewer_first, const char *few, const char *many)
{
#define LOGS(units)                                                                                \
    "Program " TOKEN " invoke [1]\nProgram log: x\n"                                               \
    "Program " TOKEN " consumed " units " of 7000 compute units\n"                                 \
    "Program " TOKEN " success\n"
    static const step short_one[] = { { 1, CALL, SOL_LOG, 0 }, { 2, EXIT, 0, 0 } };
    static const step long_one[] = { { 9, CALL, SOL_LOG, 0 },
                                     { 10, OTHER, 0, 0 },
                                     { 11, EXIT, 0, 0 } };
    SAVE_TRACE(few, TOKEN, short_one);
    SAVE_TRACE(many, TOKEN, long_one);
    save_text("logs", fewer_first ? LOGS("160") LOGS("260") : LOGS("260") LOGS("160"));
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, "Token;fn@1;sol_log_"), 158);
    assert_int_equal(cost(p, "Token;fn@9;sol_log_"), 257);
    assert_int_equal(test_note(p, "groups of system calls that cost something else than"), 2);
    assert_int_equal(toll_profile_note_count(p), 3);
    toll_profile_free(p);
}

/* sbf_match.c: an unused trace gets any invocation, or none. */
static void test_sbf_an_unused_trace_gets_the_invocation_with_fewest_units(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        expect_shared_out(i & 1, i & 2 ? "a" : "b", i & 2 ? "b" : "a");
}

/* sbf_match.c: of traces that fit equally well the last one is taken, although it has an
 * invocation.
 */
static void test_sbf_traces_that_fit_equally_well_are_shared_out(void **state)
{
    static const step one[] = { { 1, CALL, SOL_LOG, 0 }, { 2, EXIT, 0, 0 } };
    static const step other[] = { { 9, CALL, SOL_LOG, 0 }, { 10, EXIT, 0, 0 } };
    (void)state;
    SAVE_TRACE("a", TOKEN, one);
    SAVE_TRACE("b", TOKEN, other);
    SAVE_TRACE("c", CALLER, two_steps); /* the logs are of a part of the run */
    save_text("logs", LOGS("160") LOGS("160"));
    toll_profile *p = read_traces(NULL, "logs");
    /* The files may have been written at the same time, as far as the file system keeps it. */
    bool by_time = test_note(p, "invocations that several traces fit equally well: told apart") > 0;
    assert_int_equal(calls(p, by_time ? "Token;fn@1" : "Token (one of 2);fn@1"), 1);
    assert_int_equal(calls(p, by_time ? "Token;fn@9" : "Token (one of 2);fn@9"), 1);
    assert_int_equal(test_note(p, "invocations that several traces fit equally well"), 2);
    assert_int_equal(test_note(p, "traces that fit no invocation of the logs, left out"), 1);
    toll_profile_free(p);
}

/* sbf_match.c: a trace that costs more than the invocation consumed fits as well as one that does
 * not.
 */
static void test_sbf_a_trace_that_can_be_paid_fits_better(void **state)
{
    static const step paid[] = { { 1, CALL, SOL_LOG, 0 }, { 2, EXIT, 0, 0 } };
    static const step too_much[] = { { 9, CALL, SOL_LOG, 0 },
                                     { 10, OTHER, 0, 0 },
                                     { 11, EXIT, 0, 0 } };
    (void)state;
    save_text("logs", LOGS("102"));
    for (int turn = 0; turn < 2; turn++) {
        SAVE_TRACE(turn ? "a" : "b", TOKEN, paid);
        SAVE_TRACE(turn ? "b" : "a", TOKEN, too_much);
        toll_profile *p = read_traces(NULL, "logs");
        assert_int_equal(cost(p, "Token;fn@1;sol_log_"), 100);
        assert_int_equal(test_note(p, "invocations that several traces fit equally well"), 0);
        toll_profile_free(p);
    }
}

/* sbf_match.c: the message about an invocation without a trace passes over a trace that has just as
 * many instructions as it consumed units. */
static void test_sbf_the_nearest_trace_that_does_not_fit_is_told(void **state)
{
    static const step invokes[] = { { 1, CALL, SOL_INVOKE, 0 },
                                    { 2, OTHER, 0, 0 },
                                    { 3, EXIT, 0, 0 } };
    (void)state;
    SAVE_TRACE("a", TOKEN, two_steps);
    SAVE_TRACE("b", TOKEN, invokes);
    save_text("logs", RUNS(TOKEN, "1", "3", "7000"));
    toll_profile *p = read_traces(NULL, "logs");
    assert_non_null(strstr(warnings, "of its 2 traces the longest that is not too long has 3 "
                                     "instructions"));
    toll_profile_free(p);
}

/* --- sums --------------------------------------------------------------------------------------*/

/* sbf_logs.c: what a callee consumed may not be all that its caller did. */
static void test_sbf_a_callee_may_have_all_its_caller_has(void **state)
{
    (void)state;
    SAVE_TRACE("a", TOKEN, two_steps);
    save_text("logs",
              "Program " CALLER
              " invoke [1]\n" RUNS(TOKEN, "2", "2", "7000") "Program " CALLER
                                                            " consumed 2 of 7000 compute units\n"
                                                            "Program " CALLER " success\n");
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, "Associated Token"), 0);
    assert_int_equal(cost(p, "Associated Token;Token;fn@3"), 2);
    assert_int_equal(total(p), 2);
    toll_profile_free(p);
}

/* sbf_logs.c: prices that this runtime does not charge are not taken back; solana_charge.c: a
 * program without a price costs something. */
static void test_sbf_prices_that_were_not_charged(void **state)
{
#define JSON(sum)                                                                                  \
    "{\"meta\":{\"computeUnitsConsumed\":" sum ",\"logMessages\":[\"Program " SYSTEM               \
    " invoke [1]\",\"Program " SYSTEM " success\",\"Program " TOKEN                                \
    " invoke [1]\",\"Program " TOKEN " consumed 2 of 7000 compute units\",\"Program " TOKEN        \
    " success\",\"Program " CALLER " invoke [1]\"]}}"
    (void)state;
    SAVE_TRACE("a", TOKEN, two_steps);
    save_text("logs", JSON("2"));
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, "System"), 0);
    assert_int_equal(test_note(p, "outermost invocations of built-in programs, charged"), 0);
    assert_int_equal(cost(p, "Token;fn@3"), 2);
    assert_int_equal(cost(p, "Associated Token"), 0); /* it has no end */
    assert_int_equal(total(p), 2);
    toll_profile_free(p);
    save_text("logs", JSON("152"));
    p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, "System"), 150);
    assert_int_equal(test_note(p, "outermost invocations of built-in programs, charged"), 1);
    assert_int_equal(cost(p, "Associated Token"), 0);
    assert_int_equal(total(p), 152);
    toll_profile_free(p);
}

/* sbf_match.c: where a system call failed with an access violation, something of the rest of the
 * budget is charged. */
static void test_sbf_a_failed_system_call_costs_no_rest(void **state)
{
    static const step steps[] = { { 1, OTHER, 0, 0 }, { 2, CALL, SOL_LOG, 0 } };
    (void)state;
    SAVE_TRACE("a", TOKEN, steps);
    save_text("logs", "Program " TOKEN " invoke [1]\n"
                      "Program " TOKEN " consumed 102 of 9000 compute units\n"
                      "Program " TOKEN " failed: Access violation reading 8 bytes\n");
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, "Token (failed);fn@1;sol_log_"), 100);
    assert_int_equal(total(p), 102);
    toll_profile_free(p);
}

/* sbf_solve.c: an interval of no units at all is passed over, so that the next one has two system
 * calls; what was spent after the last one is none's. */
static void test_sbf_an_interval_may_have_no_units(void **state)
{
    static const step calls_two[] = { { 1, CALL, SOL_INVOKE, 0 },
                                      { 2, CALL, SOL_INVOKE, 0 },
                                      { 3, EXIT, 0, 0 } };
    (void)state;
    SAVE_TRACE("a", TOKEN, two_steps);
    SAVE_TRACE("b", CALLER, calls_two);
    /* 1000 - 999 is the call itself; 997 - 900 - 1 is what the second one cost. */
    save_text("logs", "Program " CALLER " invoke [1]\n" RUNS(TOKEN, "2", "2", "999")
                          RUNS(TOKEN, "2", "2", "900") "Program " CALLER
                                                       " consumed 110 of 1000 compute units\n"
                                                       "Program " CALLER " success\n");
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, "Associated Token;fn@1;sol_invoke_signed_rust"), 96);
    assert_int_equal(cost(p, "Associated Token;[unknown syscall cost]"), 110 - 4 - 3 - 96);
    assert_int_equal(total(p), 110);
    toll_profile_free(p);
}

/* sbf_solve.c: a callee whose line is missing began with 0 units, so that the caller's whole budget
 * seems to be spent before it. */
static void test_sbf_a_callee_without_a_line_ends_no_interval(void **state)
{
    static const step calls_one[] = { { 1, CALL, SOL_INVOKE, 0 },
                                      { 2, CALL, SOL_LOG, 0 },
                                      { 3, EXIT, 0, 0 } };
    (void)state;
    SAVE_TRACE("b", CALLER, calls_one);
    save_text("logs", "Program " CALLER " invoke [1]\n"
                      "Program " SYSTEM " invoke [2]\n"
                      "Program " SYSTEM " success\nProgram log: x\n"
                      "Program " CALLER " consumed 1500 of 1400 compute units\n"
                      "Program " CALLER " success\n");
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, "Associated Token;fn@1;sol_log_"), 100);
    assert_int_equal(cost(p, "Associated Token;fn@1;sol_invoke_signed_rust;System"), 150);
    assert_int_equal(cost(p, "Associated Token;fn@1;sol_invoke_signed_rust"), 1500 - 3 - 100 - 150);
    toll_profile_free(p);
}

/* --- code --------------------------------------------------------------------------------------*/

/* sbf_match.c: the message has other bytes than the instruction that ran. */
static void test_sbf_code_that_did_not_run_is_refused(void **state)
{
    enum { SLOTS = 6 };
    static const step steps[] = { { 3, OTHER, 0, 0 }, { 4, EXIT, 0, 0 } };
    static const uint8_t ran[] = { OTHER, 1, 2, 3, 4, 5, 6, 7, EXIT, 0, 0, 0, 0, 0, 0, 0 };
    uint8_t elf[ELF_SIZE + 8 * SLOTS] = { 0 };
    char path[256];
    toll_program_file of_token = { TOKEN, path };
    toll_profile *p;
    toll_error e = { TOLL_OK, "" };
    size_t size = make_elf(elf);
    (void)state;
    put_section(elf, 1, 1, 1, TEXT_ADDRESS, size, 8 * SLOTS, 0);
    memcpy(elf + size + 8 * 3, ran, sizeof ran);
    SAVE_TRACE("a", TOKEN, steps);
    save("a.insns", ran, sizeof ran);
    save("x.so", elf, size + 8 * SLOTS);
    snprintf(path, sizeof path, "%s", test_path("x.so"));
    toll_profile_free(read_traces(&of_token, NULL));
    elf[size + 8 * 3 + 1] ^= 1;
    save("x.so", elf, size + 8 * SLOTS);
    assert_int_equal(read_with(NULL, &of_token, NULL, &p, &e), TOLL_E_ARGUMENT);
    assert_non_null(strstr(e.text, "/x.so: is not the code of " TOKEN " that ran: "));
    assert_non_null(strstr(e.text, "/a.insns has bf010203 04050607 as instruction 3 of .text, the "
                                   "file does not;"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_sbf_an_unused_trace_gets_the_invocation_with_fewest_units),
        IN_FOLDER(test_sbf_traces_that_fit_equally_well_are_shared_out),
        IN_FOLDER(test_sbf_a_trace_that_can_be_paid_fits_better),
        IN_FOLDER(test_sbf_a_failed_system_call_costs_no_rest),
        IN_FOLDER(test_sbf_the_nearest_trace_that_does_not_fit_is_told),
        IN_FOLDER(test_sbf_a_callee_may_have_all_its_caller_has),
        IN_FOLDER(test_sbf_prices_that_were_not_charged),
        IN_FOLDER(test_sbf_an_interval_may_have_no_units),
        IN_FOLDER(test_sbf_a_callee_without_a_line_ends_no_interval),
        IN_FOLDER(test_sbf_code_that_did_not_run_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_solana_answers.c - several transactions in one input, each a root; and what RPC nodes answer
 * instead of a transaction. */
#include "support_solana.h"

/* --- transactions as roots ---------------------------------------------------------------------*/

static void test_each_transaction_is_a_root(void **state)
{
    (void)state;
    toll_profile *p = read_log(
        "[{\"test\":\"swaps\",\"logs\":[" BEGIN(SWAP, "1")
            END(SWAP, "5") "],"
                           "\"unitsConsumed\":7},{\"logs\":[" BEGIN(SWAP, "1")
                               END(SWAP,
                                   "6") "],\"test\":\"swaps\"},"
                                        "{\"logs\":[" BEGIN(SWAP, "1")
                                            END(SWAP,
                                                "9") "]},{\"logs\":[]},"
                                                     "{\"meta\":{\"logMessages\":[" BEGIN(SWAP, "1")
                                                         END(SWAP,
                                                             "8") "]},"
                                                                  "\"transaction\":{\"signatures\":"
                                                                  "[\"5igA\",\"other\"]}}]",
        &by_transaction);
    assert_int_equal(test_self(p, "", "swaps", 0), 2);
    assert_int_equal(test_self(p, "", "swaps;" FSWAP, 1), 11);
    assert_int_equal(test_self(p, "", "swaps;(not in the log)", 1), 2);
    assert_int_equal(test_self(p, "", "transaction 3;" FSWAP, 1), 9);
    assert_int_equal(test_self(p, "", "5igA;" FSWAP, 1), 8);
    assert_int_equal(test_sum(p, 0), 4 + 4);
    toll_profile_free(p);
}

/* The outermost object with a part of a transaction is the transaction. */
static void test_a_name_may_follow_the_log(void **state)
{
    (void)state;
    toll_profile *p =
        read_log("{\"signature\":\"early\",\"simulation\":{\"logs\":[" BEGIN(SWAP, "1")
                     END(SWAP, "5") "]},\"test\":\"late\"}",
                 &by_transaction);
    assert_int_equal(test_self(p, "", "late;" FSWAP, 1), 5);
    assert_int_equal(test_sum(p, 0), 2);
    toll_profile_free(p);
}

#define SIGNATURE_A                                                                                \
    "3Ad2mi56LvF5JVkwj2zLTWGz72a3YjQJFLtqGXZ3xXQ9wFD8ZSpqtfYMPn4wjdUdUAnDHnpqWV7dtboExHhKTHch"
#define SIGNATURE_B                                                                                \
    "43sMt2ztJQj3SYpaeEX1vLHtLBj5zB1TKdEqCAHAukVbXtKG6AEtsZ8CTHG1FPLHDAMG2rj6FRhmxEaNM7T9PUxG"

static void test_signatures_in_text_begin_transactions(void **state)
{
    (void)state;
    toll_profile *p = read_log(
        "  Signature 0: " SIGNATURE_A "\n  Signature 1: " SIGNATURE_B "\n"
        "  Compute Units Consumed: 12\nProgram " SWAP " invoke [1]\nProgram " SWAP
        " consumed 5 of 200000 compute units\nProgram " SWAP " success\nProgram " SWAP
        " invoke [1]\nProgram " SWAP " consumed 7 of 200000 compute units\nProgram " SWAP
        " success\nSignature: " SIGNATURE_B "\nProgram " SWAP " invoke [1]\nProgram " SWAP
        " consumed 1 of 200000 compute units\nProgram " SWAP " success\nSignature: short\n",
        &by_transaction);
    assert_int_equal(test_self(p, "", SIGNATURE_A, 0), 1);
    assert_int_equal(test_self(p, "", SIGNATURE_A ";" FSWAP, 1), 12);
    assert_int_equal(test_self(p, "", SIGNATURE_B ";" FSWAP, 1), 1);
    assert_int_equal(test_sum(p, 1), 13);
    toll_profile_free(p);
}

/* --- what RPC nodes answer instead -------------------------------------------------------------*/

static void test_errors_of_nodes_are_told(void **state)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        { "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32602,\"message\":\"Invalid param: "
          "WrongSize\"},\"id\":1}",
          "input: is no transaction, but the error that the RPC node answered with (-32602: "
          "Invalid param: WrongSize); ask again" },
        { "{\"jsonrpc\":\"2.0\",\"error\":{\"message\":\"Transaction version (0) is not "
          "supported\",\"code\":-32015},\"id\":1}",
          "input: is no transaction, but the error that the RPC node answered with (-32015: "
          "Transaction version (0) is not supported); ask again with "
          "\"maxSupportedTransactionVersion\": 1" },
        { "{\"jsonrpc\":\"2.0\",\"result\":null,\"id\":1}",
          "input: the RPC node knows no such transaction (\"result\" is null); ask with "
          "\"commitment\": \"confirmed\", or a node that keeps older ones" },
        { "{\"jsonrpc\":\"2.0\",\"result\":5,\"id\":1}",
          "input: no array logMessages or logs is in it; is this the answer to getTransaction or "
          "simulateTransaction?" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_error err = { TOLL_OK, "" };
        toll_profile *p;
        assert_int_equal(read_with(NULL, cases[i].text, NULL, &p, &err), TOLL_E_SYNTAX);
        assert_string_equal(err.text, cases[i].error);
    }
}

static void test_errors_among_answers_lose_nothing(void **state)
{
    warnings w = { 0 };
    const toll_format_options options = { .size = sizeof options, .warn = warn, .warn_user = &w };
    (void)state;
    toll_profile *p = read_log(
        "[{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32007,\"message\":\"Slot skipped\"}},"
        "{\"jsonrpc\":\"2.0\",\"result\":{\"meta\":{\"logMessages\":[" BEGIN(SWAP, "1")
            END(SWAP, "5") "]}}},{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32002,\"message\":"
                           "\"Simulation failed\",\"data\":{\"logs\":[" BEGIN(SWAP, "1")
                               END(SWAP, "6") "],\"unitsConsumed\":6}}}]",
        &options);
    assert_int_equal(test_self(p, "", FSWAP, 1), 11);
    assert_int_equal(test_note(p, "answers of the RPC node that are errors"), 1);
    assert_int_equal(w.count, 1);
    assert_string_equal(w.last, "input: 1 of the RPC node's answers are errors, the first is "
                                "-32007: Slot skipped");
    toll_profile_free(p);
}

static void test_json_that_ends_early_keeps_what_was_read(void **state)
{
    warnings w = { 0 };
    const toll_format_options options = { .size = sizeof options, .warn = warn, .warn_user = &w };
    (void)state;
    toll_profile *p = read_log(
        "[{\"meta\":{\"computeUnitsConsumed\":5,\"logMessages\":[" BEGIN(SWAP, "1")
            END(SWAP, "5") "]}},{\"meta\":{\"computeUnitsConsumed\":20,\"logMessages\":[" BEGIN(
                SWAP, "1") END(SWAP, "6") "," BEGIN(SWAP, "1") "\"Program " SWAP,
        &options);
    assert_int_equal(test_self(p, "", FSWAP, 1), 11);
    assert_int_equal(test_self(p, "", FSWAP, 0), 3);
    assert_int_equal(test_self(p, "", "(not in the log)", 1), 14);
    assert_int_equal(test_note(p, "files of JSON that end too early"), 1);
    assert_int_equal(test_note(p, "invocations without an end in the log (is it cut off?)"), 1);
    assert_int_equal(w.count, 1);
    assert_string_equal(w.last, "input:1: the JSON text ends too early; fetch the file again "
                                "(before byte 652); what stands before that is used");
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_transaction_is_a_root),
        cmocka_unit_test(test_a_name_may_follow_the_log),
        cmocka_unit_test(test_signatures_in_text_begin_transactions),
        cmocka_unit_test(test_errors_of_nodes_are_told),
        cmocka_unit_test(test_errors_among_answers_lose_nothing),
        cmocka_unit_test(test_json_that_ends_early_keeps_what_was_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

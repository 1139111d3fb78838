/* test_solana_names.c - names of Solana's instructions: from logs, and from the data of
 * transactions in each encoding. */
#include "support_solana.h"

/* --- names by logs -----------------------------------------------------------------------------*/

static void test_the_first_line_of_an_invocation_names_it(void **state)
{
    (void)state;
    toll_profile *p =
        read_log("[" BEGIN(SWAP, "1") LOG("Instruction: SwapV2") BEGIN(TOKEN, "2")
                     LOG("Instruction: Transfer") END(TOKEN, "100") "," LOG("Instruction: NotThis")
                         END(SWAP, "1000") "," BEGIN(SWAP, "1") LOG("say Instruction: No")
                             LOG("Instruction: ") LOG("Instruction: A b")
                                 END(SWAP, "10") "," BEGIN(SWAP, "1") END(SWAP, "1") "]",
                 NULL);
    assert_int_equal(test_self(p, "", FSWAP ": SwapV2", 1), 900);
    assert_int_equal(test_self(p, "", FSWAP ": SwapV2;Token: Transfer", 1), 100);
    assert_int_equal(test_self(p, "", FSWAP ": A", 1), 10);
    assert_int_equal(test_self(p, "", FSWAP, 1), 1);
    toll_profile_free(p);
}

static void test_names_of_instructions_are_bounded(void **state)
{
    size_t capacity = 5000 * 200, used = 0;
    char *text = malloc(capacity);
    (void)state;
    assert_non_null(text);
    for (int i = 0; i < 5000; i++)
        used += (size_t)snprintf(text + used, capacity - used,
                                 "Program " SWAP " invoke [1]\nProgram log: Instruction: I%d\n"
                                 "Program " SWAP " success\n",
                                 i);
    toll_profile *p = read_log(text, NULL);
    assert_int_equal(test_self(p, "", FSWAP ": I4095", 0), 1);
    assert_int_equal(test_self(p, "", FSWAP, 0), 5000 - 4096);
    assert_int_equal(test_note(p, "invocations with one more name"), 5000 - 4096);
    toll_profile_free(p);
    free(text);
}

/* --- names by data -----------------------------------------------------------------------------*/

static void expect_names(const char *text)
{
    toll_profile *p = read_log(text, NULL);
    assert_int_equal(test_self(p, "", "System: Transfer", 0), 1);
    assert_int_equal(test_self(p, "", "System: Assign", 0), 1);
    assert_int_equal(test_self(p, "", FSWAP ": Go", 1), 50);
    assert_int_equal(test_self(p, "", FSWAP ": Go;Token: CloseAccount", 1), 20);
    assert_int_equal(test_self(p, "", FSWAP ": Go;Token: CloseAccount;System", 0), 1);
    assert_int_equal(test_self(p, "", FSWAP ": Go;Token: Transfer", 1), 30);
    assert_int_equal(test_note(p, "invocations that are no instruction"), 0);
    toll_profile_free(p);
}

static void test_data_names_instructions_in_each_encoding(void **state)
{
    (void)state;
    expect_names("{\"result\":{" META(THE_INNER(
        BY_NUMBER)) ",\"transaction\":{\"message\":{"
                    "\"accountKeys\":[" THE_KEYS
                    "],\"instructions\":" THE_OUTER(BY_NUMBER) "},"
                                                               "\"signatures\":[\"sig\"]}}}");
    expect_names("{\"result\":{\"transaction\":{\"message\":{" /* the other way around */
                 "\"accountKeys\":[" THE_KEYS "],\"instructions\":" THE_OUTER(
                     BY_NUMBER) "},"
                                "\"signatures\":[\"sig\"]}," META(THE_INNER(BY_NUMBER)) "}}");
    expect_names("{\"result\":{" META(THE_INNER(
        BY_ADDRESS)) ",\"transaction\":{\"message\":{"
                     "\"accountKeys\":[{\"pubkey\":\"" SWAP
                     "\",\"signer\":true}],\"instructions\":" THE_OUTER(BY_ADDRESS) "}}}}");
}

static void test_types_that_nodes_parsed_name_instructions(void **state)
{
    (void)state;
    toll_profile *p = read_log(
        "{\"meta\":{\"logMessages\":[" BEGIN(SYSTEM, "1") "\"Program " SYSTEM " success\"," BEGIN(
            SYSTEM, "1") "\"Program " SYSTEM " success\"," BEGIN(TOKEN, "1")
            END(TOKEN, "5") "," BEGIN(SWAP, "1") END(SWAP, "6") "," BEGIN(
                "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
                "1") "\"Program MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr success\""
                     "]},\"transaction\":{\"message\":{\"instructions\":["
                     "{\"programId\":\"" SYSTEM
                     "\",\"parsed\":{\"info\":{\"type\":\"x\"},\"type\":\"transfer\"}},"
                     "{\"programId\":\"" SYSTEM "\",\"parsed\":{\"type\":\"withdrawFromNonce\"}},"
                     "{\"programId\":\"" TOKEN
                     "\",\"parsed\":{\"type\":\"transferChecked\",\"info\":{}}},"
                     "{\"programId\":\"" SWAP "\",\"parsed\":{\"type\":\"doIt now\"}},"
                     "{\"programId\":\"MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr\",\"parsed\":"
                     "\"gm\"}"
                     "]}}}",
        NULL);
    assert_int_equal(test_self(p, "", "System: Transfer", 0), 1);
    assert_int_equal(test_self(p, "", "System: WithdrawNonceAccount", 0), 1);
    assert_int_equal(test_self(p, "", "Token: TransferChecked", 0), 1);
    assert_int_equal(test_self(p, "", FSWAP ": DoIt", 0), 1);
    assert_int_equal(test_self(p, "", "Memo: AddMemo", 0), 1);
    toll_profile_free(p);
}

#define VOTE "Vote111111111111111111111111111111111111111"

/* Nodes write the types of the vote program without capitals. */
static void test_types_without_capitals(void **state)
{
    (void)state;
    toll_profile *p =
        read_log("{\"meta\":{\"logMessages\":[" BEGIN(
                     VOTE, "1") "\"Program " VOTE " success\"]},"
                                "\"transaction\":{\"message\":{\"instructions\":[{"
                                "\"programId\":\"" VOTE
                                "\",\"parsed\":{\"type\":\"compactupdatevotestate\"}}]}}}",
                 NULL);
    assert_int_equal(test_self(p, "", "Vote: CompactUpdateVoteState", 0), 1);
    toll_profile_free(p);
}

/* A message of another transaction: names by the log alone, and a note. */
static void test_what_fits_no_instruction_is_counted(void **state)
{
    (void)state;
    toll_profile *p =
        read_log("{\"meta\":{\"logMessages\":[" THE_LOG "]},\"transaction\":{"
                 "\"message\":{\"instructions\":[{\"programId\":\"" TOKEN "\",\"data\":\"4\"}]}}}",
                 NULL);
    assert_int_equal(test_self(p, "", FSWAP ": Go", 0), 1);
    assert_int_equal(test_self(p, "", "System", 0), 2);
    assert_int_equal(test_note(p, "invocations that are no instruction"), 3);
    toll_profile_free(p);
}

/* After `misses` invocations that are no instruction of the message, the next one has that name. */
static void expect_after(int misses, const char *name, int unfit)
{
    static char text[64 * 1024];
    size_t used = (size_t)snprintf(text, sizeof text, "{\"meta\":{\"logMessages\":[");
    for (int i = 0; i < misses; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, BEGIN(SWAP, "1") END(SWAP, "1") ",");
    snprintf(text + used, sizeof text - used,
             BEGIN(TOKEN, "1") END(TOKEN, "5") "]},\"transaction\":{\"message\":{\"instructions\":["
                                               "{\"programId\":\"" TOKEN "\",\"data\":\"4\"}]}}}");
    toll_profile *p = read_log(text, NULL);
    assert_int_equal(test_self(p, "", name, 0), 1);
    assert_int_equal(test_note(p, "invocations that are no instruction"), unfit);
    toll_profile_free(p);
}

/* The search for each of them through the whole message would be quadratic. */
static void test_a_log_of_another_message_is_given_up(void **state)
{
    (void)state;
    expect_after(63, "Token: Transfer", 63);
    expect_after(64, "Token", 65);
}

/* Two transactions in one block: neither has the other's instructions. */
static void test_a_message_is_of_its_own_transaction(void **state)
{
    (void)state;
    toll_profile *p = read_log(
        "{\"result\":{\"transactions\":["
        "{\"transaction\":{\"message\":{\"instructions\":[{\"programId\":\"" TOKEN
        "\",\"data\":\"4\"}]}},\"meta\":null},"
        "{\"meta\":{\"logMessages\":[" BEGIN(TOKEN, "1")
            END(TOKEN, "7") "]},\"transaction\":{}},"
                            "{\"meta\":{\"logMessages\":[" BEGIN(TOKEN, "1") END(
                                TOKEN, "8") "]},\"transaction\":{"
                                            "\"message\":{\"instructions\":[{\"programId\":\"" TOKEN
                                            "\",\"data\":\"A\"}]}}}]}}",
        NULL);
    assert_int_equal(test_self(p, "", "Token", 1), 7);
    assert_int_equal(test_self(p, "", "Token: CloseAccount", 1), 8);
    toll_profile_free(p);
}

/* --- bytes of transactions, damage -------------------------------------------------------------*/

static void test_cuts_and_flips(void **state)
{
    (void)state;
    test_every_cut(whole, sizeof whole - 1, "solana");
    test_every_flip(whole, sizeof whole - 1, "solana");
    test_every_cut(bytes, sizeof bytes - 1, "solana");
    test_every_flip(bytes, sizeof bytes - 1, "solana");
}

static void test_bytes_of_a_transaction(void **state)
{
    (void)state;
    toll_profile *p = read_log(bytes, &by_transaction);
    assert_int_equal(test_self(p, "",
                               "DyXZZCSiBREJ8YZ5cULd7PVdKpbkhHvHJ7otbJmLJajJtRsyq1irMMqKimYeKvRmZ8S"
                               "c2qWLhKjYR4ekM8RSzkV;System: Transfer",
                               0),
                     1);
    toll_profile_free(p);
}

/* Version 1 (SIMD-0385), as the crate solana-transaction 6.0.0 writes it: without a configuration,
 * and with a priority fee, a limit of units and a heap. Two signatures; a transfer of System's, and
 * 300 bytes of 9 for it. The whole is cut at each byte, too: then it has no name. */
static void test_bytes_of_version_1(void **state)
{
    enum { NINES = 99 }; /* of the 3 bytes 9, 9, 9, in base64 "CQkJ" */
    static const char *const heads[] = {
        "gQIAAQAAAAAJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQIDAQEBAQEBAQEBAQEBAQEBAQEB"
        "AQEBAQEBAQEBAQEBAQECAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAgIMAAIALAEAAQIAAAAFAAAAAAAAAAkJ",
        "gQIAARcAAAAJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQIDAQEBAQEBAQEBAQEBAQEBAQEB"
        "AQEBAQEBAQEBAQEBAQECAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAiHdmVUQzIhFYGwAAAAABAAICDAACACwBAAECAAAABQAAAAAAAAAJ"
    };
    static const char *const ends[] = {
        "CQcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"
        "BwcHBwcICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"
        "CAgICAgICAgI",
        "CQkHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"
        "BwcHBwcHCAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"
        "CAgICAgICAgICA=="
    };
    static const char name[] =
        "99eUso3aSbE9tqGSTXzo3TLfKb9RkMTURrHKQ1K7Zh3BbeqPevr5E1iCbpTjqHuTFLtfxTTD5ekfVuZFzQyEQf8"
        ";System: Transfer";
    static char text[4096];
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        int size = snprintf(
            text, sizeof text, "%s",
            "{\"meta\":{\"logMessages\":[" BEGIN(
                SYSTEM, "1") "\"Program " SYSTEM
                             " success\"," BEGIN(
                                 SYSTEM, "1") "\"Program " SYSTEM
                                              " success\"]},\"version\":1,\"transaction\":[\"");
        size += snprintf(text + size, sizeof text - (size_t)size, "%s", heads[i]);
        for (int n = 0; n < NINES; n++)
            size += snprintf(text + size, sizeof text - (size_t)size, "CQkJ");
        size_t whole_size = (size_t)size + (size_t)snprintf(text + size, sizeof text - (size_t)size,
                                                            "%s\",\"base64\"]}", ends[i]);
        toll_profile *p = read_log(text, &by_transaction);
        assert_int_equal(test_self(p, "", name, 0), 1);
        assert_int_equal(test_self(p, "", name, 1), 150);
        toll_profile_free(p);
        test_every_cut(text, whole_size, "solana");
        memcpy(text + size, "\",\"base64\"]}", sizeof "\",\"base64\"]}"); /* no signatures */
        p = read_log(text, &by_transaction);
        assert_int_equal(test_self(p, "", "transaction 1;System", 0), 2);
        toll_profile_free(p);
    }
}

/* Of a truncated log: what it lacks is one invocation's, if the message has none behind that, or
 * none that ran; also if the short line of its end still fitted, or no line says that it is cut. */
static void test_the_rest_of_a_truncated_log(void **state)
{
    static const char *const ends[] = { ",\"Log truncated\"",
                                        ",\"Log truncated\",\"Program " TOKEN " success\"", "" };
#define TWO "{\"programIdIndex\":0},{\"programIdIndex\":1}"
    static const char *const instructions[] = { "{\"programIdIndex\":0}", TWO, TWO };
    (void)state;
    for (size_t i = 0; i < 9; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "{\"meta\":{%s\"computeUnitsConsumed\":900,\"logMessages\":["
                 "\"Program " TOKEN " invoke [1]\"%s]},\"transaction\":{\"message\":{"
                 "\"accountKeys\":[\"" TOKEN "\",\"" SYSTEM
                 "\"],\"instructions\":[%s]},\"signatures\":[\"s\"]}}",
                 i % 3 == 2 ? "\"err\":{\"InstructionError\":[0,{\"Custom\":6}]}," : "",
                 ends[i / 3], instructions[i % 3]);
        toll_profile *p = read_log(text, &by_transaction);
        assert_int_equal(
            test_self(p, "", i % 3 == 1 ? "s;(not in the log)" : "s;Token;(not in the log)", 1),
            900);
        toll_profile_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_line_of_an_invocation_names_it),
        cmocka_unit_test(test_names_of_instructions_are_bounded),
        cmocka_unit_test(test_data_names_instructions_in_each_encoding),
        cmocka_unit_test(test_types_that_nodes_parsed_name_instructions),
        cmocka_unit_test(test_types_without_capitals),
        cmocka_unit_test(test_what_fits_no_instruction_is_counted),
        cmocka_unit_test(test_a_log_of_another_message_is_given_up),
        cmocka_unit_test(test_a_message_is_of_its_own_transaction),
        cmocka_unit_test(test_cuts_and_flips),
        cmocka_unit_test(test_bytes_of_a_transaction),
        cmocka_unit_test(test_bytes_of_version_1),
        cmocka_unit_test(test_the_rest_of_a_truncated_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

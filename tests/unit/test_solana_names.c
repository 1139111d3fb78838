/* test_solana_names.c - names of Solana's instructions: from logs, from the data of transactions in
 * each encoding, from IDLs; roots of transactions; what RPC nodes answer instead. Values are column
 * 1 (compute units); calls are column 0. */
#include "support.h"
#include "support_folder.h"

#include "base/sha256.h"
#include "solana/known_programs.h"
#include "solana/solana.h"
#include "solana/solana_bytes.h"

#define SYSTEM "11111111111111111111111111111111"
#define TOKEN "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
#define ED25519 "Ed25519SigVerify111111111111111111111111111"
#define SWAP "Swap111111111111111111111111111111111111111"
#define FSWAP "program " SWAP
#define BEGIN(id, depth) "\"Program " id " invoke [" depth "]\","
#define LOG(text) "\"Program log: " text "\","
#define END(id, n)                                                                                 \
    "\"Program " id " consumed " n " of 200000 compute units\",\"Program " id " success\""

/* The last warning, and how many there were. */
typedef struct warnings {
    unsigned count;
    char last[512];
} warnings;

static void warn(void *user, const char *text)
{
    warnings *w = user;
    w->count++;
    snprintf(w->last, sizeof w->last, "%s", text);
}

static toll_status read_with(const toll_allocator *a, const char *text,
                             const toll_format_options *options, toll_profile **out,
                             toll_error *err)
{
    toll_input *in;
    *out = NULL;
    toll_status status = toll_input_from_memory(a, text, strlen(text), "input", &in, err);
    if (!status)
        status = toll_profile_read(in, NULL, options, NULL, out, err);
    toll_input_free(in);
    return status;
}

static toll_profile *read_log(const char *text, const toll_format_options *options)
{
    toll_profile *p;
    assert_ok(read_with(NULL, text, options, &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

/* --- bytes -------------------------------------------------------------------------------------*/

static void expect_base58(const char *text, const uint8_t *bytes, size_t size)
{
    toll_allocator mem = toll_c_allocator();
    toll_buffer out;
    char again[SOLANA_SIGNATURE_TEXT];
    toll_buffer_init(&out, &mem);
    assert_true(toll_base58_decode(text, strlen(text), &out));
    assert_int_equal(out.size, size);
    if (size)
        assert_memory_equal(out.data, bytes, size);
    toll_base58_encode(bytes, size, again);
    assert_string_equal(again, text);
    toll_buffer_free(&out);
}

static void test_base58(void **state)
{
    uint8_t bytes[64] = { 0 };
    (void)state;
    expect_base58("", bytes, 0);
    expect_base58("11111111111111111111111111111111", bytes, 32);
    expect_base58("2", (const uint8_t *)"\x01", 1);
    expect_base58("5Q", (const uint8_t *)"\xff", 1);
    expect_base58("1LUv", (const uint8_t *)"\0\xff\xff", 3);
    expect_base58("3Bxs4h24hBtQy9rw", (const uint8_t *)"\x02\0\0\0\xf0\x1d\x1f\0\0\0\0\0", 12);
    memset(bytes, 255, sizeof bytes);
    expect_base58(
        "67rpwLCuS5DGA8KGZXKsVQ7dnPb9goRLoKfgGbLfQg9WoLUgNY77E2jT11fem3coV9nAkguBACzrU1iyZ"
        "M4B8roQ",
        bytes, 64);
    for (unsigned i = 0; i < 64; i++)
        bytes[i] = (uint8_t)(i * 37 + 11);
    char text[SOLANA_SIGNATURE_TEXT];
    for (size_t size = 0; size <= 64; size++) {
        toll_base58_encode(bytes, size, text);
        expect_base58(text, bytes, size);
        assert_int_equal(toll_base58_is_id(text, strlen(text)), size == 32);
    }
    assert_false(toll_base58_is_id("1111111111111111111111111111111", 31));
    assert_false(toll_base58_is_id("0OIl1111111111111111111111111111", 32));
}

static void test_base64(void **state)
{
    static const struct {
        const char *text, *bytes;
    } cases[] = {
        { "", "" },        { "Zg==", "f" },      { "Zm8=", "fo" },
        { "Zm9v", "foo" }, { "Zm9vYg", "foob" }, { "+/+/", "\xfb\xff\xbf" },
    };
    toll_allocator mem = toll_c_allocator();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_buffer out;
        toll_buffer_init(&out, &mem);
        assert_true(toll_base64_decode(cases[i].text, strlen(cases[i].text), &out));
        assert_string_equal(toll_buffer_cstr(&out), cases[i].bytes);
        assert_false(toll_base64_decode("a-b", 3, &out));
        toll_buffer_free(&out);
    }
}

static void test_sha256(void **state)
{
    char text[130] = "";
    uint8_t hash[TOLL_SHA256_SIZE];
    (void)state;
    toll_sha256("abc", 3, hash);
    assert_memory_equal(hash,
                        "\xba\x78\x16\xbf\x8f\x01\xcf\xea\x41\x41\x40\xde\x5d\xae\x22\x23"
                        "\xb0\x03\x61\xa3\x96\x17\x7a\x9c\xb4\x10\xff\x61\xf2\x00\x15\xad",
                        32);
    memset(text, 'a', 129);
    toll_sha256(text, 56, hash); /* the length does not fit into the block */
    assert_memory_equal(hash, "\xb3\x54\x39\xa4\xac\x6f\x09\x48", 8);
    toll_sha256(text, 64, hash);
    assert_memory_equal(hash, "\xff\xe0\x54\xfe\x7a\xe0\xcb\x6d", 8);
}

/* --- well-known programs -----------------------------------------------------------------------*/

static void test_known_programs_are_addresses_once_each(void **state)
{
    const char *name, *other;
    unsigned count = 0;
    (void)state;
    for (const char *id; (id = toll_known_program_at(count, &name)) != NULL; count++) {
        assert_true(toll_base58_is_id(id, strlen(id)));
        assert_true(*name && !strchr(name, ':') && !strchr(name, ';'));
        assert_string_equal(toll_known_program(id, strlen(id)), name);
        for (unsigned i = 0; i < count; i++) {
            assert_string_not_equal(toll_known_program_at(i, &other), id);
            assert_string_not_equal(other, name);
        }
    }
    assert_true(count >= 150);
    assert_string_equal(toll_known_program("JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4", 43),
                        "Jupiter");
    assert_null(toll_known_program("JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV", 42));
}

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

/* An outer instruction without a line in the log, two that are alike, inner ones. */
#define THE_LOG                                                                                    \
    BEGIN(SYSTEM, "1")                                                                             \
    "\"Program " SYSTEM " success\"," BEGIN(SWAP, "1") LOG("Instruction: Go") BEGIN(TOKEN, "2")    \
        BEGIN(SYSTEM, "3") "\"Program " SYSTEM " success\"," END(TOKEN, "20") "," BEGIN(TOKEN,     \
                                                                                        "2")       \
            END(TOKEN, "30") "," END(SWAP, "100") "," BEGIN(SYSTEM, "1") "\"Program " SYSTEM       \
                                                                         " success\""
#define THE_KEYS "\"" SYSTEM "\",\"" SWAP "\",\"" ED25519 "\""
/* Transfer (2), a program's own, Assign (1); Token's CloseAccount (9), Transfer (3). */
#define THE_OUTER(key)                                                                             \
    "[{" key("2", ED25519) "\"data\":\"2\"},"                                                      \
                           "{" key("0",                                                            \
                                   SYSTEM) "\"data\":\"3Bxs4h24hBtQy9rw\","                        \
                                           "\"stackHeight\":null},{" key(                          \
                                               "1",                                                \
                                               SWAP) "\"data\":\"\"},"                             \
                                                     "{" key("0",                                  \
                                                             SYSTEM) "\"data\":"                   \
                                                                     "\"SYXsBSQy3GeifSEQSGvTbrPNp" \
                                                                     "osbSAiSoh1YA85wcvGKSnYg\"}]"
#define THE_INNER(key)                                                                             \
    "[{\"instructions\":[{" key("3", TOKEN) "\"data\":\"A\",\"stackHeight\":2},{" key(             \
        "0", SYSTEM) "\"data\":\"2\",\"stackHeight\":3},{" key("3", TOKEN) "\"data\":\"4\"}],"     \
                                                                           "\"index\":2}]"
#define BY_NUMBER(number, id) "\"programIdIndex\":" number ",\"accounts\":[0],"
#define BY_ADDRESS(number, id) "\"programId\":\"" id "\","

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

#define META(inner)                                                                                \
    "\"meta\":{\"innerInstructions\":" inner ",\"logMessages\":[" THE_LOG                          \
    "],\"computeUnitsConsumed\":400,\"loadedAddresses\":{\"readonly\":[],\"writable\":[\"" TOKEN   \
    "\"]}}"

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

/* --- transactions as roots ---------------------------------------------------------------------*/

static const toll_solana_options of_transactions = { .size = sizeof of_transactions,
                                                     .by_transaction = 1 };
static const toll_reader_options transactions = { "solana", &of_transactions, NULL };
static const toll_format_options by_transaction = { .size = sizeof by_transaction,
                                                    .readers = &transactions,
                                                    .reader_count = 1 };

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

/* --- IDLs --------------------------------------------------------------------------------------*/

/* Of a program of before Anchor 0.30, without an address; and of one since. */
static const char old_idl[] =
    "{\"version\":\"0.1.0\",\"name\":\"swap\",\"instructions\":[{\"name\":\"initialize\","
    "\"accounts\":[{\"name\":\"user\"}],\"args\":[]},{\"name\":\"swapBaseIn\"}]}";
static const char new_idl[] =
    "{\"address\":\"" SWAP "\",\"metadata\":{\"name\":\"my_swap\"},\"instructions\":["
    "{\"name\":\"swap_v2\",\"discriminator\":[1,2,3,4,5,6,7,8]},"
    "{\"name\":\"a\",\"discriminator\":[1]}]}";
static const char shank_idl[] =
    "{\"name\":\"s\",\"metadata\":{\"origin\":\"shank\",\"address\":\"" SWAP "\"},"
    "\"instructions\":[{\"name\":\"Go\",\"discriminant\":{\"type\":\"u8\",\"value\":3}}]}";

/* The data 01..08, 01 02, sha256("global:swap_base_in")[..8], 03, an event to itself. */
static const char calls[] = "{\"meta\":{\"logMessages\":[" BEGIN(SWAP, "1")
    END(SWAP, "1") "," BEGIN(SWAP, "1") END(SWAP, "2") "," BEGIN(SWAP, "1")
        END(SWAP, "4") "," BEGIN(SWAP, "1") END(SWAP, "8") "," BEGIN(SWAP, "1") END(
            SWAP, "16") "]},"
                        "\"transaction\":{\"message\":{\"instructions\":["
                        "{\"programId\":\"" SWAP
                        "\",\"data\":\"An6UebxCZd\"},{\"programId\":\"" SWAP "\",\"data\":\"5T\"},"
                        "{\"programId\":\"" SWAP
                        "\",\"data\":\"BeLpbAmA9HJUZyC\"},{\"programId\":\"" SWAP
                        "\",\"data\":\"4\"},"
                        "{\"programId\":\"" SWAP
                        "\",\"data\":\"amY9UJ2PkU3CxZ3AitSjmVLGwjJ2GAHVn4KgQzbhCyL1RxWdFM2X\"}]}}}";

static const char *write_file(const char *name, const char *text)
{
    const char *path = test_path(name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
    return path;
}

static toll_profile *read_with_idl(const char *id, const char *idl, warnings *w)
{
    const toll_program_file file = { id, write_file("idl.json", idl) };
    const toll_solana_options solana = { .size = sizeof solana, .idls = &file, .idl_count = 1 };
    const toll_reader_options reader = { "solana", &solana, NULL };
    const toll_format_options options = {
        .size = sizeof options, .warn = warn, .warn_user = w, .readers = &reader, .reader_count = 1
    };
    return read_log(calls, &options);
}

static void test_idls_name_instructions(void **state)
{
    warnings w = { 0 };
    (void)state;
    toll_profile *p = read_with_idl(NULL, new_idl, &w);
    assert_int_equal(test_self(p, "", "my_swap: SwapV2", 1), 1);
    assert_int_equal(test_self(p, "", "my_swap: A", 1), 2);
    assert_int_equal(test_self(p, "", "my_swap", 1), 4 + 8);
    assert_int_equal(test_self(p, "", "my_swap: EmitCpi", 1), 16);
    toll_profile_free(p);
    p = read_with_idl(SWAP, old_idl, &w);
    assert_int_equal(test_self(p, "", "swap: SwapBaseIn", 1), 4);
    assert_int_equal(test_self(p, "", "swap", 1), 1 + 2 + 8);
    toll_profile_free(p);
    p = read_with_idl(NULL, shank_idl, &w);
    assert_int_equal(test_self(p, "", "s: Go", 1), 8);
    toll_profile_free(p);
    assert_int_equal(w.count, 0);
}

static void test_idls_of_other_programs_are_told(void **state)
{
    warnings w = { 0 };
    (void)state;
    toll_profile *p = read_with_idl(TOKEN, old_idl, &w);
    assert_int_equal(test_self(p, "", FSWAP, 1), 1 + 2 + 4 + 8);
    toll_profile_free(p);
    assert_int_equal(w.count, 1);
    assert_non_null(strstr(w.last, "idl.json: is the IDL of " TOKEN
                                   ", which does not run here; it is not used"));
    p = read_with_idl(SWAP, "{\"address\":\"" TOKEN "\",\"instructions\":[]}", &w);
    toll_profile_free(p);
    assert_int_equal(w.count, 2);
    assert_non_null(
        strstr(w.last, "idl.json: says that it is the IDL of " TOKEN "; it is used for " SWAP));
}

static void test_bad_idls(void **state)
{
    static const struct {
        const char *idl, *error;
    } cases[] = {
        { "[]", "an IDL is an object" },
        { "{\"kind\":\"rootNode\"}", "has no \"instructions\"; is this the IDL that anchor build" },
        { "{\"instructions\":[]}", "does not say of which program it is; say --idl ID=" },
        { "{\"address\":\"short\",\"instructions\":[]}", "does not say of which program it is" },
        { "{\"instructions\":5}", "an instruction is an object" },
        { "{\"instructions\":[{\"name\":\"a\",\"discriminator\":[300]}]}",
          "a discriminator is an array of at most 16 bytes" },
        { "{\"instructions\":[{\"name\":\"a\",\"discriminator\":[1.5]}]}",
          "a discriminator is an array of at most 16 bytes" },
        { "{\"instructions\":[{\"name\":\"a\",\"discriminator\":[\"x\"]}]}",
          "a discriminator is an array of at most 16 bytes" },
        { "{\"instructions\":[", "the JSON text ends too early" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const toll_program_file file = { NULL, write_file("idl.json", cases[i].idl) };
        const toll_solana_options solana = { .size = sizeof solana, .idls = &file, .idl_count = 1 };
        const toll_reader_options reader = { "solana", &solana, NULL };
        const toll_format_options options = { .size = sizeof options,
                                              .readers = &reader,
                                              .reader_count = 1 };
        toll_error err = { TOLL_OK, "" };
        toll_profile *p;
        assert_int_not_equal(read_with(NULL, calls, &options, &p, &err), TOLL_OK);
        assert_non_null(strstr(err.text, "idl.json"));
        if (!strstr(err.text, cases[i].error))
            fail_msg("'%s' has no '%s'", err.text, cases[i].error);
    }
}

static void test_a_folder_of_idls(void **state)
{
    warnings w = { 0 };
    const toll_program_file folder = { NULL, test_folder };
    const toll_solana_options solana = { .size = sizeof solana, .idls = &folder, .idl_count = 1 };
    const toll_reader_options reader = { "solana", &solana, NULL };
    const toll_format_options options = {
        .size = sizeof options, .warn = warn, .warn_user = &w, .readers = &reader, .reader_count = 1
    };
    (void)state;
    write_file("idl.json", new_idl);
    write_file("other.json", "{\"address\":\"" TOKEN "\",\"instructions\":[]}");
    write_file("z.json", "{}");
    toll_profile *p = read_log(calls, &options);
    assert_int_equal(test_self(p, "", "my_swap: SwapV2", 1), 1);
    assert_int_equal(w.count, 1);
    assert_non_null(strstr(w.last, "z.json: has no \"instructions\""));
    toll_profile_free(p);
    write_file("idl.json", "{\"address\":\"" TOKEN "\",\"instructions\":[]}");
    toll_profile_free(read_log(calls, &options));
    assert_int_equal(w.count, 3);
    assert_non_null(strstr(w.last, ": none of its 2 IDLs is of a program that runs here"));
}

/* --- damage ------------------------------------------------------------------------------------*/

static const char whole[] = "{\"result\":{" META(THE_INNER(
    BY_NUMBER)) ",\"transaction\":{\"message\":{\"accountKeys\":[" THE_KEYS
                "],\"instructions\":" THE_OUTER(BY_NUMBER) "},\"signatures\":[\"sig\"]}}}";

/* One of LiteSVM: a transfer of System's. */
static const char bytes[] = "{\"meta\":{\"logMessages\":[" BEGIN(
    SYSTEM, "1") "\"Program " SYSTEM " success\"]},"
                 "\"transaction\":[\"AQswVXqfxOkOM1h9osfsETZbgKXK7xQ5XoOozfIXPGGGq9D1Gj9kia7T+"
                 "B1CZ4yx1vsgRWqPtNn+"
                 "I0htkrfcASaAAQABAwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHCAgICAgICAgICAgICAgIC"
                 "AgICAgICAgICAgICAgICAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                 "AAAAAAAAAAAAAAAAAAAAAAAAAAAQICAAEMAgAAAAAAAAAAAAAAAA==\",\"base64\"]}";

static toll_status read_all(const toll_allocator *a, void *user)
{
    const char *texts[] = { whole, bytes, calls };
    const toll_program_file files[] = { { NULL, user }, { NULL, test_folder } };
    const toll_solana_options solana = {
        .size = sizeof solana, .idls = files, .idl_count = 2, .by_transaction = 1
    };
    const toll_reader_options reader = { "solana", &solana, NULL };
    const toll_format_options options = { .size = sizeof options,
                                          .readers = &reader,
                                          .reader_count = 1 };
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < 3; i++) {
        toll_profile *p;
        status = read_with(a, texts[i], &options, &p, NULL);
        toll_profile_free(p);
    }
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    char path[300];
    (void)state;
    snprintf(path, sizeof path, "%s", write_file("idl.json", old_idl + 0));
    write_file("idl.json", new_idl);
    write_file("other.json", shank_idl);
    test_every_allocation(read_all, path);
}

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

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, test_make_folder, test_remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base58),
        cmocka_unit_test(test_base64),
        cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_known_programs_are_addresses_once_each),
        cmocka_unit_test(test_the_first_line_of_an_invocation_names_it),
        cmocka_unit_test(test_names_of_instructions_are_bounded),
        cmocka_unit_test(test_data_names_instructions_in_each_encoding),
        cmocka_unit_test(test_types_that_nodes_parsed_name_instructions),
        cmocka_unit_test(test_what_fits_no_instruction_is_counted),
        cmocka_unit_test(test_a_log_of_another_message_is_given_up),
        cmocka_unit_test(test_a_message_is_of_its_own_transaction),
        cmocka_unit_test(test_bytes_of_a_transaction),
        cmocka_unit_test(test_bytes_of_version_1),
        cmocka_unit_test(test_the_rest_of_a_truncated_log),
        cmocka_unit_test(test_each_transaction_is_a_root),
        cmocka_unit_test(test_signatures_in_text_begin_transactions),
        cmocka_unit_test(test_errors_of_nodes_are_told),
        cmocka_unit_test(test_errors_among_answers_lose_nothing),
        cmocka_unit_test(test_json_that_ends_early_keeps_what_was_read),
        IN_FOLDER(test_idls_name_instructions),
        IN_FOLDER(test_idls_of_other_programs_are_told),
        IN_FOLDER(test_bad_idls),
        IN_FOLDER(test_a_folder_of_idls),
        IN_FOLDER(test_every_allocation_may_fail),
        cmocka_unit_test(test_cuts_and_flips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* support_solana.h - transactions of Solana as the tests of their reader write them, and readers of
 * such texts. Values are column 1 (compute units); calls are column 0. */
#ifndef TOLL_TESTS_SUPPORT_SOLANA_H
#define TOLL_TESTS_SUPPORT_SOLANA_H

#include "support.h"

#include "solana/solana.h"

#define SYSTEM "11111111111111111111111111111111"
#define TOKEN "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
#define ED25519 "Ed25519SigVerify111111111111111111111111111"
#define SWAP "Swap111111111111111111111111111111111111111"
#define FSWAP "program " SWAP
#define BEGIN(id, depth) "\"Program " id " invoke [" depth "]\","
#define LOG(text) "\"Program log: " text "\","
#define END(id, n)                                                                                 \
    "\"Program " id " consumed " n " of 200000 compute units\",\"Program " id " success\""

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

#define META(inner)                                                                                \
    "\"meta\":{\"innerInstructions\":" inner ",\"logMessages\":[" THE_LOG                          \
    "],\"computeUnitsConsumed\":400,\"loadedAddresses\":{\"readonly\":[],\"writable\":[\"" TOKEN   \
    "\"]}}"

/* A transaction with all of that, as getTransaction answers. */
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

/* A root for each transaction. */
static const toll_solana_options of_transactions = { .size = sizeof of_transactions,
                                                     .by_transaction = 1 };
static const toll_reader_options transactions = { "solana", &of_transactions, NULL };
static const toll_format_options by_transaction = { .size = sizeof by_transaction,
                                                    .readers = &transactions,
                                                    .reader_count = 1 };

/* The last warning, and how many there were. */
typedef struct warnings {
    unsigned count;
    char last[512];
} warnings;

static inline void warn(void *user, const char *text)
{
    warnings *w = user;
    w->count++;
    snprintf(w->last, sizeof w->last, "%s", text);
}

static inline toll_status read_with(const toll_allocator *a, const char *text,
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

static inline toll_profile *read_log(const char *text, const toll_format_options *options)
{
    toll_profile *p;
    assert_ok(read_with(NULL, text, options, &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

#endif

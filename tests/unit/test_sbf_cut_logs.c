/* test_sbf_cut_logs.c - register traces of Solana programs whose logs are cut off, have errors, or
 * are of other transactions. */
#include "support_sbf_logs.h"

/* Of a transaction of which lines are missing, what is there counts; and all others. */
static void test_sbf_logs_that_are_cut_off(void **state)
{
    static const char *const cuts[] = {
        "Program " A " invoke [1]\nProgram log: x\nLog truncated\nProgram " TOKEN " success\n",
        "Program " A " invoke [1]\nProgram " B " invoke [3]\nProgram log: x\n",
        "Program " A " invoke [1]\nProgram " B " invoke [2]\nProgram " A " success\n",
    };
    char logs[1024];
    (void)state;
    SAVE_TRACE("a", TOKEN, token_steps);
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        snprintf(logs, sizeof logs, "%s%s%s", RUN(TOKEN, "3"), cuts[i], RUN(TOKEN, "3"));
        save_text("logs", logs);
        toll_profile *p = read_traces(NULL, "logs");
        assert_int_equal(cost(p, "Token;fn@3"), 6);
        assert_int_equal(total(p), 6);
        assert_int_equal(test_note(p, "transactions whose log is cut off: charged"), 1);
        const char *line = strstr(warnings, "/logs:");
        assert_non_null(line);
        char expected[64];
        snprintf(expected, sizeof expected, "/logs:%d: the log is cut off here (", i == 1 ? 5 : 6);
        assert_memory_equal(line, expected, strlen(expected));
        assert_null(strstr(warnings, "fits"));
        toll_profile_free(p);
    }
    /* What was charged is in JSON even so; the file ends in the second transaction. */
    save_text("logs", "{\"logs\":[\"Program " TOKEN " invoke [1]\",\"Program " TOKEN
                      " consumed 3 of 100 compute units\",\"Program " TOKEN
                      " success\",\"Program " TOKEN " invoke [1]\",\"Log truncated\"],"
                      "\"unitsConsumed\":50} {\"logs\":[\"Program " TOKEN " invoke [1]\",");
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, "Token;fn@3"), 9); /* the others did the same */
    assert_int_equal(cost(p, "(not in the log)"), 44);
    assert_int_equal(total(p), 53);
    assert_non_null(strstr(warnings,
                           "/logs:1: the JSON text ends too early; fetch the file again (before "
                           "byte 398); what stands before that is used"));
    toll_profile_free(p);
}

/* A built-in program has its price, too, where its caller has no trace, and where one invoked
 * another. */
static void test_sbf_built_in_programs_of_untraced_callers(void **state)
{
    static const char loader[] = "BPFLoaderUpgradeab1e11111111111111111111111";
    char logs[1024];
    (void)state;
    SAVE_TRACE("b", TOKEN, token_steps);
    snprintf(logs, sizeof logs,
             "Program " A " invoke [1]\nProgram " SYSTEM " invoke [2]\nProgram " SYSTEM
             " success\nProgram %s invoke [2]\nProgram " SYSTEM " invoke [3]\nProgram " SYSTEM
             " success\nProgram %s success\nProgram " A " consumed 5000 of 9000 compute units\n"
             "Program " A " success\n" RUN(TOKEN, "3"),
             loader, loader);
    save_text("logs", logs);
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, "program " A), 5000 - 150 - 2370 - 150);
    assert_int_equal(cost(p, "program " A ";System"), 150);
    assert_int_equal(cost(p, "program " A ";BPF Loader (upgradeable)"), 2370);
    assert_int_equal(cost(p, "program " A ";BPF Loader (upgradeable);System"), 150);
    assert_int_equal(total(p), 5003);
    toll_profile_free(p);
}

#define KEYS "\"accountKeys\":[\"" TOKEN "\",\"" CALLER "\",\"" A "\"]"
#define MESSAGE(inner)                                                                             \
    "\"transaction\":{\"message\":{" KEYS ",\"instructions\":[{\"programIdIndex\":1,\"data\":"     \
    "\"2\"},{\"programIdIndex\":0,\"data\":\"2\"},{\"programIdIndex\":2,\"data\":\"2\"}]}}," inner
#define INNER                                                                                      \
    "\"innerInstructions\":[{\"index\":0,\"instructions\":[{\"programIdIndex\":0,\"stackHeight\":" \
    "2,\"data\":\"2\"}]}],"

/* A cost below the function of the caller, whose instruction the message names. */
static int64_t cost_below(const toll_profile *p, const char *message, const char *rest)
{
    char stack[160];
    snprintf(stack, sizeof stack, "Associated Token%s;fn@1%s", *message ? ": CreateIdempotent" : "",
             rest);
    return cost(p, stack);
}

/* The traces and the message have what the log lacks: the caller, which the log does not end, what
 * it invoked later, and the next instruction. Whatever is left is in one place: the system call
 * whose price is open, or (not in the log) if there are several, or an instruction has no trace. */
static void test_sbf_traces_tell_what_a_cut_log_lacks(void **state)
{
    static const step caller[] = { { 1, CALL, SOL_LOG, 0 },
                                   { 2, CALL, SOL_INVOKE, 0 },
                                   { 3, EXIT, 0, 0 } };
    static const uint64_t regs[3][6] = { { 0, 0, 200 } }; /* 200 bytes are logged */
    static const struct {
        const char *message;
        int64_t charged, invoke, callee, next, unlogged;
    } cases[] = {
        { MESSAGE(INNER), 3000, 946, 3, 3, 3000 - 203 - 946 - 6 },
        { MESSAGE(""), 3000, 946, 0, 3, 3000 - 203 - 946 - 3 },
        { "", 3000, 946 + 1851, 0, 0, 0 },
        { "", 1149, 946, 0, 0, 0 },
    };
    (void)state;
    step_regs = regs;
    SAVE_TRACE("a", CALLER, caller);
    step_regs = NULL;
    SAVE_TRACE("b", TOKEN, token_steps);
    for (size_t n = 0; n < 2 * (sizeof cases / sizeof *cases); n++) {
        const size_t i = n / 2;
        char logs[2048];
        snprintf(logs, sizeof logs,
                 "{%s\"logs\":[\"Program " CALLER " invoke [1]\"%s],"
                 "\"unitsConsumed\":%" PRId64 "}",
                 cases[i].message, n % 2 ? ",\"Log truncated\"" : "", cases[i].charged);
        save_text("logs", logs);
        toll_profile *p = read_traces(NULL, "logs");
        assert_int_equal(cost_below(p, cases[i].message, ""), 3);
        assert_int_equal(cost_below(p, cases[i].message, ";sol_log_"), 200);
        assert_int_equal(cost_below(p, cases[i].message, ";sol_invoke_signed_rust"),
                         cases[i].invoke);
        if (cases[i].callee)
            assert_int_equal(cost_below(p, cases[i].message,
                                        ";sol_invoke_signed_rust;Token: InitializeAccount;fn@3"),
                             cases[i].callee);
        if (cases[i].next)
            assert_int_equal(cost(p, "Token: InitializeAccount;fn@3"), cases[i].next);
        if (cases[i].unlogged)
            assert_int_equal(cost(p, "(not in the log)"), cases[i].unlogged);
        assert_int_equal(total(p), cases[i].charged);
        toll_profile_free(p);
    }
}

/* What RPC's `err` says of the transaction: the instructions behind the one that failed never ran,
 * whatever order its members have; errors that are of no instruction say nothing. */
static void test_sbf_err_tells_what_never_ran(void **state)
{
    static const struct {
        const char *before, *behind;
        bool next_ran;
    } cases[] = {
        { "", "", true },
        { "", ",\"err\":null", true },
        { "\"err\":{\"InstructionError\":[1,{\"Custom\":1}]},", "", true },
        { "\"err\":{\"InstructionError\":[0,{\"Custom\":1}]},", "", false },
        { "", ",\"err\":{\"InstructionError\":[0,\"ProgramFailedToComplete\"]}", false },
        { "", ",\"err\":{\"InsufficientFundsForRent\":{\"account_index\":0}}", true },
        { "", ",\"err\":\"AccountInUse\"", true },
        { "", ",\"err\":{\"InstructionError\":[]}", true },
        { "", ",\"err\":{\"InstructionError\":0}", true },
        { "", ",\"other\":{\"err\":{\"InstructionError\":[0,\"X\"]}}", true },
    };
    (void)state;
    SAVE_TRACE("a", CALLER, token_steps);
    SAVE_TRACE("b", TOKEN, token_steps);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char logs[2048];
        snprintf(logs, sizeof logs,
                 "{%s\"meta\":{%s\"logMessages\":[\"Program " CALLER
                 " invoke [1]\",\"Log truncated\"],\"computeUnitsConsumed\":50%s}}",
                 MESSAGE(""), cases[i].before, cases[i].behind);
        save_text("logs", logs);
        toll_profile *p = read_traces(NULL, "logs");
        assert_int_equal(cost(p, "Associated Token: CreateIdempotent;fn@3"), 3);
        if (cases[i].next_ran)
            assert_int_equal(cost(p, "Token: InitializeAccount;fn@3"), 3);
        assert_int_equal(cost(p, "(not in the log)"), cases[i].next_ran ? 44 : 47);
        assert_int_equal(total(p), 50);
        toll_profile_free(p);
    }
}

/* A transaction that succeeded has no trace that ends with an error; one that failed has it where
 * `err` says; after it nothing ran but what it had invoked. */
static void test_sbf_err_tells_whose_trace_it_is(void **state)
{
    static const step fails[] = { { 3, OTHER, 0, 0 }, { 4, EXIT, 0, 0 } };
    static const uint64_t regs[2][6] = { { 0 }, { 7 } };
    static const char *const errs[] = { "{\"InstructionError\":[1,\"X\"]}", "null", "\"X\"" };
    (void)state;
    SAVE_TRACE("a", TOKEN, token_steps);
    step_regs = regs;
    SAVE_TRACE("b", TOKEN, fails);
    step_regs = NULL;
    for (size_t i = 0; i < sizeof errs / sizeof *errs; i++) {
        char logs[2048];
        snprintf(logs, sizeof logs,
                 "{\"meta\":{\"err\":%s,\"logMessages\":[\"Program " TOKEN
                 " invoke [1]\",\"Log truncated\"],\"computeUnitsConsumed\":50},"
                 "\"transaction\":{\"message\":{\"accountKeys\":[\"" TOKEN
                 "\"],\"instructions\":[{\"programIdIndex\":0},{\"programIdIndex\":0},"
                 "{\"programIdIndex\":0}]}}}",
                 errs[i]);
        save_text("logs", logs);
        toll_profile *p = read_traces(NULL, "logs");
        assert_int_equal(cost(p, "Token;fn@3"), i == 1 ? 9 : 3);
        assert_int_equal(cost(p, "(not in the log)"), i == 1 ? 41 : 45);
        if (i != 1)
            assert_int_equal(cost(p, "Token (failed);fn@3"), 2);
        assert_int_equal(total(p), 50);
        toll_profile_free(p);
    }
}

/* Said once, whatever there is of both. */
static void test_sbf_logs_of_other_transactions(void **state)
{
    char expected[700];
    (void)state;
    SAVE_TRACE("a", TOKEN, token_steps);
    SAVE_TRACE("b", CALLER, token_steps);
    save_text("logs", RUN(A, "30") RUN(B, "4"));
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(total(p), 34);
    assert_int_equal(test_note(p, "invocations without a trace that fits"), 2);
    assert_int_equal(test_note(p, "traces that fit no invocation of the logs, left out"), 2);
    snprintf(expected, sizeof expected,
             "%s/logs: no invocation in it has a trace in %s; are these the logs of the "
             "transactions that were traced?",
             test_folder, test_folder);
    assert_string_equal(warnings, expected);
    toll_profile_free(p);
}

static void test_sbf_answers_that_are_errors_are_counted(void **state)
{
    (void)state;
    SAVE_TRACE("a", TOKEN, token_steps);
    save_text("logs", "{\"error\":{\"code\":1}} {\"result\":null}\n"
                      "{\"result\":{\"logs\":[\"Program " TOKEN " invoke [1]\",\"Program " TOKEN
                      " consumed 3 of 100 compute units\",\"Program " TOKEN " success\"]}}");
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(total(p), 3);
    assert_int_equal(test_note(p, "answers of the RPC node that are errors, left out"), 1);
    assert_int_equal(test_note(p, "transactions that the RPC node knows nothing of"), 1);
    toll_profile_free(p);
}

/* With a root for each transaction, and names of instructions. */
static void test_sbf_transactions_are_roots(void **state)
{
    toll_profile *p;
    char path[256];
    (void)state;
    save_nested();
    save_text("logs", "[{\"test\":\"mints\",\"unitsConsumed\":9,\"logs\":[\"Program " TOKEN
                      " invoke [1]\",\"Program log: Instruction: MintTo\",\"Program " TOKEN
                      " consumed 3 of 200 compute units\",\"Program " TOKEN " success\"]}]");
    snprintf(path, sizeof path, "%s/logs", test_folder);
    const toll_solana_options solana = { .size = sizeof solana, .logs = path, .by_transaction = 1 };
    const toll_reader_options reader = { "solana", &solana, NULL };
    const toll_format_options options = { .size = sizeof options,
                                          .readers = &reader,
                                          .reader_count = 1 };
    assert_ok(toll_profile_load(NULL, test_folder, "sbf-trace", &options, NULL, &p, err));
    assert_int_equal(calls(p, "mints"), 1);
    assert_int_equal(cost(p, "mints;Token: MintTo;fn@3"), 3);
    assert_int_equal(cost(p, "mints;(not in the log)"), 6);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_sbf_logs_that_are_cut_off),
        IN_FOLDER(test_sbf_traces_tell_what_a_cut_log_lacks),
        IN_FOLDER(test_sbf_built_in_programs_of_untraced_callers),
        IN_FOLDER(test_sbf_err_tells_what_never_ran),
        IN_FOLDER(test_sbf_err_tells_whose_trace_it_is),
        IN_FOLDER(test_sbf_logs_of_other_transactions),
        IN_FOLDER(test_sbf_answers_that_are_errors_are_counted),
        IN_FOLDER(test_sbf_transactions_are_roots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_sbf_logs.c - logs beside register traces of Solana programs: they decide about the tree and
 * its sums. */
#include "support_sbf_logs.h"

static void expect_nested(const char *logs)
{
    toll_profile *p = read_traces(NULL, logs);
    assert_string_equal(warnings, "");
    assert_int_equal(total(p), 2511 + 3);
    assert_int_equal(cost(p, "Associated Token"), 0);
    assert_int_equal(cost(p, "Associated Token;fn@5"), 4);
    assert_int_equal(cost(p, "Associated Token;fn@5;fn@50"), 4);
    assert_int_equal(cost(p, "Associated Token;fn@5;sol_log_"), 100);
    assert_int_equal(cost(p, "Associated Token;fn@5;fn@50;sol_invoke_signed_rust"),
                     2511 - 8 - 3 - 100 - 150);
    assert_int_equal(cost(p, "Associated Token;fn@5;fn@50;sol_invoke_signed_rust;System"), 150);
    assert_int_equal(calls(p, "Associated Token;fn@5;fn@50;sol_invoke_signed_rust"), 2);
    assert_int_equal(calls(p, "Associated Token;fn@5;fn@50;sol_invoke_signed_rust;System"), 1);
    assert_int_equal(cost(p, "Associated Token;fn@5;fn@50;sol_invoke_signed_rust;Token;fn@3"), 3);
    assert_int_equal(cost(p, "Token (failed);fn@3"), 3);
    assert_int_equal(toll_profile_note_count(p), 3);
    assert_int_equal(test_note(p, "outermost invocations of transactions without"), 2);
    assert_int_equal(test_note(p, "invocations whose compute units the logs do not tell"), 1);
    assert_int_equal(test_note(p, "system calls with the prices of agave 4.3.0"), 3);
    toll_profile_free(p);
}

static void test_sbf_logs_nest_invocations_and_make_sums_exact(void **state)
{
    (void)state;
    save_nested();
    expect_nested("logs");
}

static void test_sbf_logs_may_be_json(void **state)
{
    char json[4096] = "{\"meta\":{\"fee\":[5000,{}],\"logMessages\":[\"";
    (void)state;
    save_nested();
    for (const char *at = nested_logs; *at; at++)
        snprintf(json + strlen(json), sizeof json - strlen(json), *at == '\n' ? "\",\"" : "%c",
                 *at == '\r' ? ' ' : *at);
    strcat(json, "\"]}}");
    save_text("json", json);
    expect_nested("json");
    char *array = strstr(json, "[\"[log]");
    array[strlen(array) - 2] = 0; /* the objects around it */
    save_text("array", array);
    expect_nested("array");
}

/* Runtimes that log sections after the end of their invocation, and the success once more. */
static void test_sbf_logs_with_second_successes(void **state)
{
    char text[4096] = "";
    (void)state;
    save_nested();
    for (const char *at = nested_logs; *at;) {
        int size = (int)strcspn(at, "\n") + 1;
        bool ends = size > 9 && strncmp(at + size - 9, " success\n", 9) == 0;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%.*s", size, at);
        if (ends)
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     "Program log: #  1    name\nCU    consumed 1 (net 1) of 9 CU\n%.*s", size, at);
        at += at[size - 1] ? size : size - 1;
    }
    save_text("logs", text);
    expect_nested("logs");
}

static void test_sbf_what_does_not_fit_the_logs_is_said(void **state)
{
    (void)state;
    save_nested();
    /* Fewer units than the trace has instructions: the sum is the log's all the same. */
    save_text("logs", "Program " TOKEN " invoke [1]\n"
                      "Program " TOKEN " consumed 2 of 7000 compute units\n"
                      "Program " TOKEN " success\n");
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(total(p), 2);
    assert_int_equal(cost(p, "Token"), 2);
    assert_int_equal(test_note(p, "invocations without a trace that fits"), 1);
    assert_int_equal(test_note(p, "traces that fit no invocation of the logs, left out"), 2);
    assert_non_null(strstr(warnings, "logs:1: no trace fits this invocation of " TOKEN
                                     ", which consumed 2 itself"));
    assert_non_null(strstr(warnings, "2 of 2 traces fit no invocation"));
    toll_profile_free(p);
}

/* Two traces that fit both invocations: what their system calls cost at least decides, and every
 * trace gets its invocation. */
static void test_sbf_every_trace_finds_its_invocation(void **state)
{
    static const step lean[] = { { 1, CALL, SOL_LOG, 0 }, { 2, EXIT, 0, 0 } };
    static const step rich[] = {
        { 1, CALL, SOL_LOG, 0 }, { 2, CALL, SOL_LOG, 0 }, { 3, OTHER, 0, 0 }, { 4, EXIT, 0, 0 }
    };
    static const step other[] = { { 9, CALL, SOL_LOG, 0 }, { 10, EXIT, 0, 0 } };
    (void)state;
    SAVE_TRACE("a", TOKEN, rich);
    SAVE_TRACE("b", TOKEN, lean);
    save_text("logs", "Program " TOKEN " invoke [1]\nProgram log: x\n"
                      "Program " TOKEN " consumed 160 of 7000 compute units\n"
                      "Program " TOKEN " success\n"
                      "Program " TOKEN " invoke [1]\nProgram log: x\nProgram log: y\n"
                      "Program " TOKEN " consumed 260 of 7000 compute units\n"
                      "Program " TOKEN " success\n");
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, "Token;fn@1"), 6);
    assert_int_equal(cost(p, "Token;fn@1;sol_log_"), 158 + 256);
    assert_int_equal(toll_profile_note_count(p), 3);
    assert_int_equal(test_note(p, "outermost invocations of transactions without"), 2);
    assert_int_equal(test_note(p, "system calls with the prices of agave 4.3.0"), 3);
    assert_int_equal(test_note(p, "groups of system calls that cost something else than"), 2);
    toll_profile_free(p);
    SAVE_TRACE("a", TOKEN, other); /* only the entry distinguishes them */
    p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, "Token (one of 2);fn@1"), 2);
    assert_int_equal(cost(p, "Token (one of 2);fn@9"), 2);
    assert_int_equal(test_note(p, "invocations that several traces fit equally well"), 2);
    toll_profile_free(p);
}

/* Which of two traces with the same log lines an invocation gets that fits both: neither is said to
 * fit equally well, in whichever order they are found. */
static void expect_better(uint64_t units, const char *stack)
{
    static const step few[] = { { 1, CALL, SOL_LOG, 0 }, { 2, EXIT, 0, 0 } };
    static const step many[] = { { 9, CALL, SOL_LOG, 0 }, { 10, OTHER, 0, 0 }, { 11, EXIT, 0, 0 } };
    char logs[512];
    snprintf(logs, sizeof logs,
             "Program " TOKEN " invoke [1]\nProgram log: x\n"
             "Program " TOKEN " consumed %" PRIu64 " of 7000 compute units\n"
             "Program " TOKEN " success\n",
             units);
    save_text("logs", logs);
    for (int turn = 0; turn < 2; turn++) {
        SAVE_TRACE(turn ? "a" : "b", TOKEN, few);
        SAVE_TRACE(turn ? "b" : "a", TOKEN, many);
        toll_profile *p = read_traces(NULL, "logs");
        assert_int_equal(calls(p, stack), 1);
        assert_int_equal(test_note(p, "invocations that several traces fit equally well"), 0);
        assert_int_equal(test_note(p, "traces that fit no invocation of the logs, left out"), 1);
        toll_profile_free(p);
    }
}

static void test_sbf_the_trace_nearest_to_the_units_is_taken(void **state)
{
    (void)state;
    expect_better(160, "Token;fn@9"); /* both cost less: the larger */
    expect_better(50, "Token;fn@1");  /* their system calls alone cost more: the smaller */
}

/* What a built-in callee costs is part of the invocation's own units: the trace with more
 * instructions would leave too few for it. */
static void test_sbf_built_in_callees_are_paid_from_the_units(void **state)
{
    enum { MORE = 50, INVOKE_UNITS = 946 };
    static const step few[] = { { 1, CALL, SOL_INVOKE, 0 }, { 2, EXIT, 0, 0 } };
    step many[MORE + 2] = { { 9, CALL, SOL_INVOKE, 0 }, [MORE + 1] = { 10 + MORE, EXIT, 0, 0 } };
    char logs[512];
    unsigned units = INVOKE_UNITS + 2 + 150 + MORE / 2;
    (void)state;
    for (uint64_t i = 1; i <= MORE; i++)
        many[i] = (step){ 9 + i, OTHER, 0, 0 };
    snprintf(logs, sizeof logs,
             "Program " TOKEN " invoke [1]\nProgram " SYSTEM " invoke [2]\n"
             "Program " SYSTEM " success\n"
             "Program " TOKEN " consumed %u of 7000 compute units\nProgram " TOKEN " success\n",
             units);
    save_text("logs", logs);
    for (int turn = 0; turn < 2; turn++) {
        SAVE_TRACE(turn ? "a" : "b", TOKEN, few);
        SAVE_TRACE(turn ? "b" : "a", TOKEN, many);
        toll_profile *p = read_traces(NULL, "logs");
        assert_int_equal(calls(p, "Token;fn@1"), 1);
        assert_int_equal(test_note(p, "traces that fit no invocation of the logs, left out"), 1);
        toll_profile_free(p);
    }
}

/* What remained when the callees began shows what both calls of them cost: 10000 - 9000 - 1 and
 * 8997 - 8000 - 1; the rest of 2500 is that of the log line. */
static void test_sbf_system_calls_are_charged_by_stretches(void **state)
{
    static const step steps[] = { { 1, CALL, SOL_INVOKE, 0 },
                                  { 2, CALL, SOL_INVOKE, 0 },
                                  { 3, CALL, SOL_LOG, 0 },
                                  { 4, EXIT, 0, 0 } };
    (void)state;
    SAVE_TRACE("b", CALLER, steps);
    SAVE_TRACE("a", TOKEN, token_steps);
    save_text("logs", "Program " CALLER " invoke [1]\n"
                      "Program " TOKEN " invoke [2]\n"
                      "Program " TOKEN " consumed 3 of 9000 compute units\n"
                      "Program " TOKEN " success\n"
                      "Program " TOKEN " invoke [2]\n"
                      "Program " TOKEN " consumed 3 of 8000 compute units\n"
                      "Program " TOKEN " success\n"
                      "Program log: x\n"
                      "Program " CALLER " consumed 2500 of 10000 compute units\n"
                      "Program " CALLER " success\n");
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(total(p), 2500);
    assert_int_equal(cost(p, "Associated Token;fn@1"), 4);
    assert_int_equal(cost(p, "Associated Token;fn@1;sol_invoke_signed_rust"), 999 + 996);
    assert_int_equal(cost(p, "Associated Token;fn@1;sol_invoke_signed_rust;Token;fn@3"), 6);
    assert_int_equal(cost(p, "Associated Token;fn@1;sol_log_"), 2500 - 6 - 4 - 999 - 996);
    assert_int_equal(toll_profile_note_count(p), 3);
    assert_int_equal(test_note(p, "groups of system calls that cost something else than"), 1);
    toll_profile_free(p);
}

/* An instruction that fails is in the trace, and not paid for; what was left is. */
static void test_sbf_a_failed_instruction_is_not_charged(void **state)
{
    (void)state;
    SAVE_TRACE("a", TOKEN, token_steps);
    save_text("logs", "Program " TOKEN " invoke [1]\n"
                      "Program " TOKEN " consumed 2 of 9000 compute units\n"
                      "Program " TOKEN " failed: unsupported BPF instruction\n");
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, "Token (failed);fn@3"), 2);
    assert_int_equal(cost(p, "Token (failed);(rest of the budget)"), 8998);
    assert_int_equal(total(p), 9000);
    assert_int_equal(toll_profile_note_count(p), 1);
    toll_profile_free(p);
}

/* A runtime that lacks a syscall: its call is the last instruction of the trace, it is not charged,
 * and those before it have their prices. The trace is not given to an invocation that succeeded,
 * though that has the units for it. */
static void test_sbf_a_syscall_that_the_runtime_lacks(void **state)
{
    static const step lacks[] = { { 1, CALL, SOL_LOG, 0 },
                                  { 2, OTHER, 0, 0 },
                                  { 3, CALL, SOL_LOG, 0 } };
    static const step plain[] = { { 7, CALL, SOL_LOG, 0 }, { 8, EXIT, 0, 0 } };
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        SAVE_TRACE(turn ? "a" : "b", TOKEN, lacks);
        SAVE_TRACE(turn ? "b" : "a", TOKEN, plain);
        save_text("logs", "Program " TOKEN " invoke [1]\nProgram log: x\n"
                          "Program " TOKEN " consumed 615 of 9000 compute units\n"
                          "Program " TOKEN " success\n"
                          "Program " TOKEN " invoke [1]\nProgram log: x\n"
                          "Program " TOKEN " consumed 102 of 9000 compute units\n"
                          "Program " TOKEN " failed: unsupported BPF instruction\n");
        toll_profile *p = read_traces(NULL, "logs");
        assert_int_equal(cost(p, "Token;fn@7;sol_log_"), 613);
        assert_int_equal(cost(p, "Token (failed);fn@1"), 2);
        assert_int_equal(cost(p, "Token (failed);fn@1;sol_log_"), 100);
        assert_int_equal(calls(p, "Token (failed);fn@1;sol_log_"), 2);
        assert_int_equal(cost(p, "Token (failed);(rest of the budget)"), 8898);
        assert_int_equal(test_note(p, "groups of system calls that cost something else"), 1);
        toll_profile_free(p);
    }
}

static void test_sbf_logs_that_contradict_themselves(void **state)
{
    static const struct {
        const char *logs;
        toll_status status;
        const char *error;
    } cases[] = {
        { "hello\n", TOLL_E_SYNTAX,
          "/logs: no line 'Program ID invoke [1]' is in it; are these the transaction's logs?" },
        { "Program " A " invoke [2]\n", TOLL_E_SYNTAX,
          "/logs: no line 'Program ID invoke [1]' is in it; are these the transaction's logs?" },
        { "Program " A " success\n", TOLL_E_SYNTAX,
          "/logs: no line 'Program ID invoke [1]' is in it; are these the transaction's logs?" },
        { "Program " A " invoke [1]\nProgram " B " invoke [2]\nProgram " B
          " consumed 9 of 10 compute units\n"
          "Program " B " success\nProgram " A " consumed 8 of 10 compute units\nProgram " A
          " success\n",
          TOLL_E_SYNTAX,
          "/logs:1: " A
          " consumed 8, but what it invoked 9; are lines of two transactions mixed?" },
        { "Program " A " invoke [1]\nProgram " A " invoke [65]\n", TOLL_E_LIMIT,
          "/logs:2: programs invoke each other 65 deep; at most 64 are read" },
        { "{\"logs\":[\"Program ", TOLL_E_TRUNCATED,
          "/logs:1: the JSON text ends too early; fetch the file again" },
        { "{\"error\":{\"code\":-32602,\"message\":\"Invalid param\"}}", TOLL_E_SYNTAX,
          "/logs: is no transaction, but the error that the RPC node answered with (-32602: "
          "Invalid "
          "param); ask again" },
        { "{\"id\":1,\"error\":{\"message\":{}}}", TOLL_E_SYNTAX,
          "/logs: is no transaction, but the error that the RPC node answered with (without a "
          "message); ask again" },
        { "{\"result\":null,\"id\":1}", TOLL_E_SYNTAX,
          "/logs: the RPC node knows no such transaction (\"result\" is null); ask with "
          "\"commitment\": \"confirmed\", or a node that keeps older ones" },
    };
    (void)state;
    save_nested();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        save_text("logs", cases[i].logs);
        expect_error("logs", cases[i].status, cases[i].error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_sbf_logs_nest_invocations_and_make_sums_exact),
        IN_FOLDER(test_sbf_logs_may_be_json),
        IN_FOLDER(test_sbf_logs_with_second_successes),
        IN_FOLDER(test_sbf_what_does_not_fit_the_logs_is_said),
        IN_FOLDER(test_sbf_every_trace_finds_its_invocation),
        IN_FOLDER(test_sbf_the_trace_nearest_to_the_units_is_taken),
        IN_FOLDER(test_sbf_built_in_callees_are_paid_from_the_units),
        IN_FOLDER(test_sbf_system_calls_are_charged_by_stretches),
        IN_FOLDER(test_sbf_a_failed_instruction_is_not_charged),
        IN_FOLDER(test_sbf_a_syscall_that_the_runtime_lacks),
        IN_FOLDER(test_sbf_logs_that_contradict_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

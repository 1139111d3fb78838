/* test_sbf.c - register traces of Solana programs: calls, returns and system calls; logs that
 * decide about the tree and its sums; names from ELF files; damaged files. ELF files alone are in
 * test_sbf_elf.c, the table of system calls in test_sbf_syscalls.c. */
#include "support_sbf.h"

/* --- stacks ------------------------------------------------------------------------------------*/

/* 10: main calls 20, which calls itself through a register, and logs; all return. */
static const step recursion[] = {
    { 10, OTHER, 0, 0 }, { 11, CALL, 1, 0 },       { 20, OTHER, 0, 1 }, { 21, CALLX, 0, 1 },
    { 20, OTHER, 0, 2 }, { 25, CALL, SOL_LOG, 2 }, { 26, EXIT, 0, 2 },  { 22, EXIT, 0, 1 },
    { 12, CALL, 9, 0 },  { 13, OTHER, 0, 0 },      { 14, EXIT, 0, 0 },
};

static void test_sbf_calls_nest(void **state)
{
    (void)state;
    SAVE_TRACE("a", TOKEN "\n", recursion);
    toll_profile *p = read_traces(NULL, NULL);
    assert_int_equal(calls(p, "Token"), 1);
    assert_int_equal(cost(p, "Token"), 0);
    assert_int_equal(cost(p, "Token;fn@10"), 5);
    assert_int_equal(cost(p, "Token;fn@10;fn@20"), 3);
    assert_int_equal(cost(p, "Token;fn@10;fn@20;fn@20"), 3);
    assert_int_equal(calls(p, "Token;fn@10;fn@20;fn@20;sol_log_"), 1);
    assert_int_equal(cost(p, "Token;fn@10;fn@20;fn@20;sol_log_"), 100);
    assert_int_equal(calls(p, "Token;fn@10;syscall@00000009"), 1);
    assert_int_equal(total(p), 111);
    assert_int_equal(toll_profile_note_count(p), 3);
    assert_int_equal(test_note(p, "invocations as roots"), 1);
    assert_int_equal(test_note(p, "system calls with the prices of agave 4.3.0 (logs would"), 2);
    assert_int_equal(test_note(p, "system calls charged the least that they cost"), 1);
    toll_profile_free(p);
}

static void test_sbf_a_call_of_the_next_instruction_shows_in_r10(void **state)
{
    static const step steps[] = {
        { 1, CALL, 7, 4096 },
        { 2, OTHER, 0, 8192 },
        { 3, EXIT, 0, 8192 },
        { 2, EXIT, 0, 4096 },
    };
    (void)state;
    SAVE_TRACE("a", TOKEN, steps);
    toll_profile *p = read_traces(NULL, NULL);
    assert_int_equal(cost(p, "Token;fn@1"), 2);
    assert_int_equal(cost(p, "Token;fn@1;fn@2"), 2);
    toll_profile_free(p);
}

static void test_sbf_the_draft_of_v3_returns_otherwise(void **state)
{
    static const step steps[] = {
        { 1, CALL, 7, 0 },
        { 8, EXIT, SOL_LOG, 0 },
        { 9, EXIT_V3, 0, 0 },
        { 2, EXIT_V3, 0, 0 },
    };
    (void)state;
    SAVE_TRACE("a", TOKEN, steps);
    toll_profile *p = read_traces(NULL, NULL);
    assert_int_equal(cost(p, "Token;fn@1"), 2);
    assert_int_equal(cost(p, "Token;fn@1;fn@8"), 2);
    assert_int_equal(calls(p, "Token;fn@1;fn@8;sol_log_"), 1);
    toll_profile_free(p);
}

/* A store of a length, before it is hashed; in the last trace the same opcode is a division, for
 * there are loads of other versions. */
static void test_sbf_stores_of_v2(void **state)
{
    enum { SLICES = 0x200, V0 = 0x7a, V2 = 0x97, LOAD = 0x61, LOAD_V2 = 0x8c };
#define SHA256 UINT32_C(0x11f49d86)
    static const uint64_t regs[][6] = { { 0 }, { SLICES + 8 }, { 0, SLICES, 1, 0x300 }, { 0 } };
    static const struct {
        step steps[4];
        int64_t cost;
        bool is_known;
    } cases[] = {
        { { { 1, LOAD, 0, 0 }, { 2, V0, 400, 0 }, { 3, CALL, SHA256, 0 }, { 4, EXIT, 0, 0 } },
          285,
          true },
        { { { 1, LOAD_V2, 0, 0 }, { 2, V2, 400, 0 }, { 3, CALL, SHA256, 0 }, { 4, EXIT, 0, 0 } },
          285,
          true },
        { { { 1, LOAD, 0, 0 }, { 2, V2, 400, 0 }, { 3, CALL, SHA256, 0 }, { 4, EXIT, 0, 0 } },
          95,
          false },
    };
    (void)state;
    step_regs = regs;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SAVE_TRACE("a", TOKEN, cases[i].steps);
        toll_profile *p = read_traces(NULL, NULL);
        assert_int_equal(cost(p, "Token;fn@1;sol_sha256"), cases[i].cost);
        assert_int_equal(test_note(p, "system calls charged the least that they"),
                         !cases[i].is_known);
        toll_profile_free(p);
    }
    step_regs = NULL;
}

static void test_sbf_odd_returns_are_counted(void **state)
{
    /* 1 calls 10, that calls 20, that returns into 1 at once; 30 returns to where no caller waits;
     * at the end 40 is open, in a system call that does not come back. */
    static const step steps[] = {
        { 1, CALL, 0, 0 },   { 10, CALL, 0, 0 },       { 20, EXIT, 0, 0 }, { 2, CALL, 0, 0 },
        { 30, EXIT, 0, 0 },  { 77, OTHER, 0, 0 },      { 78, EXIT, 0, 0 }, { 79, CALL, 0, 0 },
        { 40, OTHER, 0, 0 }, { 41, CALL, SOL_LOG, 0 },
    };
    (void)state;
    SAVE_TRACE("a", TOKEN, steps);
    toll_profile *p = read_traces(NULL, NULL);
    assert_int_equal(cost(p, "Token (failed);fn@1"), 5);
    assert_int_equal(cost(p, "Token (failed);fn@1;fn@10;fn@20"), 1);
    assert_int_equal(cost(p, "Token (failed);fn@1;fn@40"), 2);
    assert_int_equal(calls(p, "Token (failed);fn@1;fn@40;sol_log_"), 1);
    assert_int_equal(total(p), 10);
    assert_int_equal(test_note(p, "returns past the caller"), 1);
    assert_int_equal(test_note(p, "returns to where no call was made"), 2);
    assert_int_equal(test_note(p, "traces that end inside of a called function"), 1);
    toll_profile_free(p);
}

/* A call every third instruction, so that some are at the end of a buffer. */
static void test_sbf_long_traces(void **state)
{
    enum { ROUNDS = 20000 };
    step *steps = calloc(3 * ROUNDS + 1, sizeof *steps);
    (void)state;
    assert_non_null(steps);
    for (size_t i = 0; i < ROUNDS; i++) {
        steps[3 * i] = (step){ i, CALL, 0, 0 }; /* the return goes to i + 1 */
        steps[3 * i + 1] = (step){ 99900, OTHER, 0, 0 };
        steps[3 * i + 2] = (step){ 99901, EXIT, 0, 0 };
    }
    steps[3 * ROUNDS] = (step){ ROUNDS, EXIT, 0, 0 };
    save_trace("a", TOKEN, steps, 3 * ROUNDS + 1);
    free(steps);
    toll_profile *p = read_traces(NULL, NULL);
    assert_int_equal(cost(p, "Token;fn@0"), ROUNDS + 1);
    assert_int_equal(calls(p, "Token;fn@0;fn@99900"), ROUNDS);
    assert_int_equal(cost(p, "Token;fn@0;fn@99900"), 2 * ROUNDS);
    assert_int_equal(toll_profile_note_count(p), 1);
    toll_profile_free(p);
}

/* --- damage ------------------------------------------------------------------------------------*/

static void test_sbf_errors_say_what_and_where(void **state)
{
    static const uint8_t zeros[200];
    toll_error err;
    toll_profile *p;
    (void)state;
    expect_error(NULL, TOLL_E_NOT_FOUND,
                 ": no *.regs file is in this folder; run LiteSVM or Mollusk with SBF_TRACE_DIR "
                 "set to it");
    assert_int_equal(toll_sbf_sniff_folder(test_folder), 0);
    save("a.regs", zeros, 192);
    assert_int_equal(toll_sbf_sniff_folder(test_folder), 1);
    expect_error(NULL, TOLL_E_IO,
                 "/a.program_id: is missing; HASH.regs needs HASH.insns and HASH.program_id beside "
                 "it: trace the run again");
    save_text("a.program_id", "Tokenkeg0");
    expect_error(NULL, TOLL_E_SYNTAX,
                 "/a.program_id: holds no program ID (32 bytes in base58); trace the run again");
    save_text("a.program_id", TOKEN);
    expect_error(NULL, TOLL_E_IO,
                 "/a.insns: is missing; HASH.regs needs HASH.insns and HASH.program_id beside it: "
                 "trace the run again");
    save("a.insns", zeros, 24);
    assert_int_equal(read_with(NULL, NULL, NULL, &p, &err), TOLL_E_SYNTAX);
    assert_non_null(strstr(err.text, "/a.regs: holds 2 instructions, but "));
    assert_non_null(strstr(err.text, "/a.insns holds 3; trace the run again"));
    save("a.insns", zeros, 20);
    expect_error(NULL, TOLL_E_TRUNCATED,
                 "/a.insns: at byte 16: 4 bytes are left over, the size is no multiple of 8: the "
                 "file is cut off; trace the run again");
    save("a.regs", zeros, 100);
    expect_error(NULL, TOLL_E_TRUNCATED,
                 "/a.regs: at byte 96: 4 bytes are left over, the size is no multiple of 96: the "
                 "file is cut off; trace the run again");
    save("a.regs", zeros, 0);
    save("a.insns", zeros, 0);
    expect_error(NULL, TOLL_E_TRUNCATED, "/a.regs: is empty; was the run cut short?");
    assert_int_equal(toll_profile_load(NULL, "/nowhere", "sbf-trace", NULL, NULL, &p, &err),
                     TOLL_E_IO);
    assert_string_equal(err.text, "/nowhere: cannot open: No such file or directory");
}

/* --- logs --------------------------------------------------------------------------------------*/

/* CALLER logs and invokes SYSTEM and TOKEN: 8 instructions. */
static const step caller_steps[] = {
    { 5, CALL, SOL_LOG, 0 }, { 6, CALL, 99, 0 },          { 50, CALL, SOL_INVOKE, 1 },
    { 51, OTHER, 0, 1 },     { 52, CALL, SOL_INVOKE, 1 }, { 53, EXIT, 0, 1 },
    { 7, OTHER, 0, 0 },      { 8, EXIT, 0, 0 },
};

/* TOKEN, invoked twice with the same trace. */
static const step token_steps[] = { { 3, OTHER, 0, 0 }, { 4, OTHER, 0, 0 }, { 5, EXIT, 0, 0 } };

static const char nested_logs[] = "[log] Program " CALLER " invoke [1]\n"
                                  "Program log: Program " TOKEN " invoke [7]\n"
                                  "Program " SYSTEM " invoke [2]\r\n"
                                  "Program " SYSTEM " success\n"
                                  "Program " TOKEN " invoke [2]\n"
                                  "Program " TOKEN " consumed 3 of 7000 compute units\n"
                                  "Program return: " TOKEN " pQAAAAAAAAA=\n"
                                  "Program " TOKEN " success\n"
                                  "Program " CALLER " consumed 2511 of 10000 compute units\n"
                                  "Program " CALLER " success\n"
                                  "anything else\n"
                                  "Program " TOKEN " invoke [1]\n"
                                  "Program " TOKEN " consumed 3 of 7000 compute units\n"
                                  "Program " TOKEN " failed: custom program error: 0x1";

static void save_nested(void)
{
    SAVE_TRACE("b", CALLER, caller_steps);
    SAVE_TRACE("a", TOKEN, token_steps);
    save_text("logs", nested_logs);
}

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

#define A "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define B "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"

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

#define RUN(id, units)                                                                             \
    "Program " id " invoke [1]\nProgram " id " consumed " units                                    \
    " of 100 compute units\nProgram " id " success\n"

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

/* --- names -------------------------------------------------------------------------------------*/

static void test_sbf_names_of_functions(void **state)
{
    uint8_t elf[ELF_SIZE];
    char path[256];
    const toll_program_file of_token = { TOKEN, path }, of_caller = { CALLER, path };
    (void)state;
    SAVE_TRACE("a", TOKEN, recursion);
    save("x.so", elf, make_elf(elf));
    snprintf(path, sizeof path, "%s", test_path("x.so"));
    toll_profile *p = read_traces(&of_token, NULL);
    const char *write = "Token;core::fmt::write";
    char walk[200];
    snprintf(walk, sizeof walk, "%s;walk;walk", write);
    assert_int_equal(cost(p, write), 5);
    assert_int_equal(cost(p, walk), 3);
    toll_profile_free(p);
    p = read_traces(&of_caller, NULL);
    assert_int_equal(cost(p, "Token;fn@10"), 5);
    assert_non_null(strstr(warnings, ": no trace is of program " CALLER "; its ELF "));
    toll_profile_free(p);
}

/* --- memory ------------------------------------------------------------------------------------*/

static toll_status read_all(const toll_allocator *a, void *user)
{
    toll_profile *p;
    toll_status status = read_with(a, user, "logs", &p, NULL);
    toll_profile_free(p);
    return status;
}

static void test_sbf_every_allocation_may_fail(void **state)
{
    uint8_t elf[ELF_SIZE];
    char path[256];
    toll_program_file of_token = { TOKEN, path };
    (void)state;
    save_nested();
    save("x.so", elf, make_elf(elf));
    snprintf(path, sizeof path, "%s", test_path("x.so"));
    test_allocations(read_all, &of_token, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_sbf_calls_nest),
        IN_FOLDER(test_sbf_a_call_of_the_next_instruction_shows_in_r10),
        IN_FOLDER(test_sbf_the_draft_of_v3_returns_otherwise),
        IN_FOLDER(test_sbf_stores_of_v2),
        IN_FOLDER(test_sbf_odd_returns_are_counted),
        IN_FOLDER(test_sbf_long_traces),
        IN_FOLDER(test_sbf_errors_say_what_and_where),
        IN_FOLDER(test_sbf_logs_nest_invocations_and_make_sums_exact),
        IN_FOLDER(test_sbf_logs_may_be_json),
        IN_FOLDER(test_sbf_what_does_not_fit_the_logs_is_said),
        IN_FOLDER(test_sbf_every_trace_finds_its_invocation),
        IN_FOLDER(test_sbf_the_trace_nearest_to_the_units_is_taken),
        IN_FOLDER(test_sbf_built_in_callees_are_paid_from_the_units),
        IN_FOLDER(test_sbf_system_calls_are_charged_by_stretches),
        IN_FOLDER(test_sbf_a_failed_instruction_is_not_charged),
        IN_FOLDER(test_sbf_a_syscall_that_the_runtime_lacks),
        IN_FOLDER(test_sbf_logs_that_contradict_themselves),
        IN_FOLDER(test_sbf_logs_that_are_cut_off),
        IN_FOLDER(test_sbf_traces_tell_what_a_cut_log_lacks),
        IN_FOLDER(test_sbf_built_in_programs_of_untraced_callers),
        IN_FOLDER(test_sbf_err_tells_what_never_ran),
        IN_FOLDER(test_sbf_err_tells_whose_trace_it_is),
        IN_FOLDER(test_sbf_logs_of_other_transactions),
        IN_FOLDER(test_sbf_answers_that_are_errors_are_counted),
        IN_FOLDER(test_sbf_transactions_are_roots),
        IN_FOLDER(test_sbf_names_of_functions),
        IN_FOLDER(test_sbf_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

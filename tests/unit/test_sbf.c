/* test_sbf.c - register traces of Solana programs: calls, returns, system calls, names from ELF
 * files, and damaged files. test_sbf_logs.c tests logs, test_sbf_elf.c ELF files by themselves, and
 * test_sbf_syscalls.c the table of system calls. */
#include "support_sbf_logs.h"

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
        IN_FOLDER(test_sbf_names_of_functions),
        IN_FOLDER(test_sbf_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

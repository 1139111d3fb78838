/* test_sbf_prices.c - prices of system calls in register traces: known memory, unknown prices that
 * the figures of the logs determine, and tables of costs in files. tests/solana compares prices
 * with those of a real machine. */
#include "support_sbf.h"

#include "sbf/sbf_costs.h"
#include "sbf/sbf_memory.h"
#include "sbf/sbf_price.h"
#include "sbf/sbf_syscalls.h"

#define SOL_SHA256 UINT32_C(0x11f49d86)
#define SOL_FIND UINT32_C(0x48504a38)
#define SOL_UNITS UINT32_C(0x52ba5096)
#define SOL_REMAINING UINT32_C(0xedef5aee)
#define ROOT "Token;fn@1"

/* --- memory ------------------------------------------------------------------------------------*/

enum {
    STORE_64 = 0x7b,
    STORE_8_CONSTANT = 0x72,
    STORE_32_CONSTANT = 0x62,
    LOAD_8 = 0x71,
    LOAD_64 = 0x79
};

static toll_sbf_memory memory;
static uint8_t registers[2 * TOLL_SBF_REGS_SIZE];

/* An instruction of registers 1 and 2, which have these values; r1 is the place of a store, r2 that
 * of a load. */
static void act(uint8_t op, uint64_t r1, uint64_t r2, int16_t offset, int32_t constant)
{
    uint8_t insn[8] = { op, 0x21 };
    put(insn + 2, (uint64_t)(uint16_t)offset, 2);
    put(insn + 4, (uint64_t)(uint32_t)constant, 4);
    put(registers + 8, r1, 8);
    put(registers + 16, r2, 8);
    if ((op & 7) == 1)
        toll_sbf_memory_load(&memory, insn, registers);
    else
        toll_sbf_memory_store(&memory, insn, registers);
}

#define UNKNOWN UINT64_C(0xdeadbeef)

static uint64_t word(uint64_t address)
{
    uint64_t value;
    return toll_sbf_memory_read(&memory, address, &value) ? value : UNKNOWN;
}

/* sol_big_mod_exp with base and modulus of 512 bytes and an exponent of which one byte is not
 * 0: the price goes by the highest bit of the upper 32 bytes, and by how many are below these. */
static uint64_t price_of_exponent(uint8_t size, uint64_t byte_at, uint8_t byte)
{
    toll_sbf_costs costs;
    const toll_sbf_args args = { .r = { 0, 0x1000 }, .memory = &memory };
    toll_sbf_costs_set(&costs);
    toll_sbf_memory_clear(&memory);
    toll_sbf_memory_fill(&memory, 0x1000, 0, 48);
    act(STORE_8_CONSTANT, 0x1009, 0, 0, 2); /* 512 */
    act(STORE_8_CONSTANT, 0x1011, 0, 0, 0x20);
    act(STORE_8_CONSTANT, 0x1018, 0, 0, size);
    act(STORE_8_CONSTANT, 0x1029, 0, 0, 2);
    toll_sbf_memory_fill(&memory, 0x2000, 0, size);
    act(STORE_8_CONSTANT, 0x2000 + byte_at, 0, 0, byte);
    toll_sbf_price price = toll_sbf_price_mod_exp(&costs, &args, 0);
    assert_false(price.is_open);
    uint64_t work = price.units - costs.big_modular_exponentiation_base_cost;
    uint64_t bit = 512 * 512 / 4 + 96 * 512 - 3072; /* for each */
    assert_true(work * costs.big_modular_exponentiation_cost_divisor / bit < 1000);
    return (work * costs.big_modular_exponentiation_cost_divisor + bit / 2) / bit;
}

static void test_sbf_exponents_cost_by_their_highest_bit(void **state)
{
    (void)state;
    assert_int_equal(price_of_exponent(40, 39, 0x80), 64 + 31 * 8 + 7);
    assert_int_equal(price_of_exponent(40, 39, 0x01), 64 + 31 * 8);
    assert_int_equal(price_of_exponent(40, 10, 0x20), 64 + 2 * 8 + 5);
    assert_int_equal(price_of_exponent(40, 9, 0x10), 64 + 8 + 4);
    assert_int_equal(price_of_exponent(40, 9, 0x80), 64 + 8 + 7);
    assert_int_equal(price_of_exponent(40, 8, 0x80), 75); /* 71 bits cost what 75 do */
    assert_int_equal(price_of_exponent(40, 7, 0x80), 75); /* below the upper 32 bytes */
    assert_int_equal(price_of_exponent(40, 0, 1), 15);    /* the exponent 1 */
    assert_int_equal(price_of_exponent(40, 0, 3), 75);
    assert_int_equal(price_of_exponent(48, 16, 0x80), 128 + 7);
    assert_int_equal(price_of_exponent(48, 16, 0x01), 128);
    assert_int_equal(price_of_exponent(48, 15, 0x80), 128);
}

static void test_sbf_memory_knows_what_was_stored(void **state)
{
    (void)state;
    toll_sbf_memory_clear(&memory);
    assert_int_equal(word(0x1000), UNKNOWN);
    act(STORE_64, 0x1010, 0x1122334455667788, -16, 0);
    assert_int_equal(word(0x1000), 0x1122334455667788);
    assert_int_equal(word(0x1001), UNKNOWN); /* its last byte */
    act(STORE_8_CONSTANT, 0x1000, 0, 8, 0x99);
    assert_int_equal(word(0x1001), UINT64_C(0x9911223344556677));
    act(STORE_32_CONSTANT, 0x1000, 0, 2, -2);
    assert_int_equal(word(0x1000), UINT64_C(0x1122fffffffe7788));
    act(STORE_64, 0x2000, 7, 3, 0); /* across two words */
    assert_int_equal(word(0x2003), 7);
    act(STORE_64, UINT64_MAX - 3, 5, 0, 0);
    assert_int_equal(word(UINT64_MAX - 3), 5);
    act(0xdb, 0x1000, 0, 0, 0); /* another mode */
    assert_int_equal(word(0x1000), UINT64_C(0x1122fffffffe7788));
}

static void test_sbf_memory_forgets_what_may_have_changed(void **state)
{
    (void)state;
    toll_sbf_memory_clear(&memory);
    for (uint64_t at = 0; at < 64; at += 8)
        act(STORE_64, 0x1000 + at, at, 0, 0);
    toll_sbf_memory_forget(&memory, 0x1010, 0);
    assert_int_equal(word(0x1010), 16);
    toll_sbf_memory_forget(&memory, 0x1017, 2);
    assert_int_equal(word(0x1008), 8);
    assert_int_equal(word(0x1010), UNKNOWN);
    assert_int_equal(word(0x1018), UNKNOWN);
    assert_int_equal(word(0x1020), 32);
    toll_sbf_memory_copy(&memory, 0x1018, 0x1020, 16); /* they overlap */
    assert_int_equal(word(0x1018), 32);
    assert_int_equal(word(0x1020), 40);
    toll_sbf_memory_copy(&memory, 0x3001, 0x1008, 16); /* half of it is unknown */
    assert_int_equal(word(0x3001), 8);
    assert_int_equal(word(0x3009), UNKNOWN);
    toll_sbf_memory_fill(&memory, 0x3001, 1, 20);
    assert_int_equal(word(0x3009), UINT64_C(0x0101010101010101));
    act(STORE_64, UINT64_C(0x400000100), 6, 0, 0);
    toll_sbf_memory_forget_accounts(&memory);
    assert_int_equal(word(UINT64_C(0x400000100)), UNKNOWN);
    assert_int_equal(word(0x1008), 8);
    toll_sbf_memory_copy(&memory, 0x1008, 0x3000, UINT64_MAX);
    assert_int_equal(word(0x1008), UNKNOWN);
}

/* A word that has the place of another drops it. */
static void test_sbf_memory_is_never_wrong(void **state)
{
    (void)state;
    toll_sbf_memory_clear(&memory);
    for (uint64_t i = 0; i < 4 * TOLL_SBF_MEMORY_WORDS; i++)
        act(STORE_64, 8 * i, i, 0, 0);
    size_t known = 0;
    for (uint64_t i = 0; i < 4 * TOLL_SBF_MEMORY_WORDS; i++) {
        uint64_t value = word(8 * i);
        known += value == i;
        assert_true(value == i || value == UNKNOWN);
    }
    assert_true(known > 0 && known <= TOLL_SBF_MEMORY_WORDS);
}

static uint64_t seen[4];

static void keep(void *user, size_t tag, uint8_t value)
{
    (void)user;
    seen[tag] = seen[tag] * 1000 + value;
}

static void test_sbf_memory_watches_bytes(void **state)
{
    (void)state;
    toll_sbf_memory_clear(&memory);
    memory.loaded = keep;
    memset(seen, 0, sizeof seen);
    toll_sbf_memory_watch(&memory, 0x1001, 1);
    toll_sbf_memory_watch(&memory, 0x2001, 2);
    toll_sbf_memory_watch(&memory, 0x3001, 3);
    put(registers + TOLL_SBF_REGS_SIZE + 8, 0x11223344, 8); /* what is loaded into r1 */
    act(LOAD_8, 0, 0x1000, 0, 0);                           /* another byte */
    assert_int_equal(seen[1], 0);
    toll_sbf_memory_copy(&memory, 0x5000, 0x1000, 8);
    act(LOAD_64, 0, 0x5000, 0, 0);
    assert_int_equal(seen[1], 0x33);
    act(LOAD_64, 0, 0x1000, 0, 0);
    assert_int_equal(seen[1], 0x33 * 1000 + 0x33);
    act(STORE_8_CONSTANT, 0x2001, 0, 0, 4); /* the program's own */
    act(LOAD_8, 0, 0x2001, 0, 0);
    assert_int_equal(seen[2], 0);
    toll_sbf_memory_forget(&memory, 0x3000, 2);
    act(LOAD_8, 0, 0x3001, 0, 0);
    assert_int_equal(seen[3], 0);
    for (uint64_t i = 0; i < TOLL_SBF_WATCHED + 1; i++)
        toll_sbf_memory_watch(&memory, 0x6000 + i, 0);
    assert_int_equal(memory.watched_count, TOLL_SBF_WATCHED);
}

/* --- figures -----------------------------------------------------------------------------------*/

/* Each step's r0 to r5; r0 is seen in the step after a call. */
static const step two_hashes[] = {
    { 1, CALL, SOL_SHA256, 0 }, { 2, CALL, SOL_UNITS, 0 }, { 3, CALL, SOL_SHA256, 0 },
    { 4, CALL, SOL_SHA256, 0 }, { 5, EXIT, 0, 0 },
};
static const uint64_t one_slice[][6] = { { 0, 64, 1 }, { 0 }, { 0, 64, 1 }, { 0, 64, 1 }, { 0 } };

#define LOG(lines, units)                                                                          \
    "Program " TOKEN " invoke [1]\n" lines "Program " TOKEN " consumed " units                     \
    " of 10000 compute units\nProgram " TOKEN " success\n"

static void test_sbf_lines_of_units_are_figures(void **state)
{
    (void)state;
    step_regs = one_slice;
    SAVE_TRACE("a", TOKEN, two_hashes);
    step_regs = NULL;
    toll_profile *p = read_traces(NULL, NULL);
    assert_int_equal(cost(p, ROOT ";sol_sha256"), 3 * (85 + 10)); /* at least */
    assert_int_equal(test_note(p, "system calls charged the least that they cost"), 3);
    toll_profile_free(p);
    save_text("logs", LOG("Program consumption: 9000 units remaining\n", "2005"));
    p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, ROOT ";sol_sha256"), 2005 - 5 - 100);
    assert_int_equal(cost(p, ROOT ";sol_log_compute_units_"), 100);
    assert_int_equal(test_note(p, "groups of system calls"), 0);
    toll_profile_free(p);
    /* More lines than the trace has calls for are not believed. */
    save_text("logs", LOG("Program consumption: 9990 units remaining\n"
                          "Program consumption: 9980 units remaining\n",
                          "2005"));
    p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, ROOT ";sol_sha256"), 2005 - 5 - 100);
    toll_profile_free(p);
}

static void test_sbf_remaining_units_are_figures(void **state)
{
    static const step steps[] = {
        { 1, CALL, SOL_SHA256, 0 },
        { 2, CALL, SOL_REMAINING, 0 },
        { 3, CALL, SOL_FIND, 0 },
        { 4, EXIT, 0, 0 },
    };
    static const uint64_t regs[][6] = { { 0, 64, 1 }, { 0 }, { 9400 }, { 0 } };
    (void)state;
    step_regs = regs;
    SAVE_TRACE("a", TOKEN, steps);
    step_regs = NULL;
    save_text("logs", LOG("", "5104"));
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, ROOT ";sol_sha256"), 10000 - 9400 - 2 - 100);
    assert_int_equal(cost(p, ROOT ";sol_remaining_compute_units"), 100);
    assert_int_equal(cost(p, ROOT ";sol_try_find_program_address"), 5104 - 600 - 2);
    assert_int_equal(test_note(p, "groups of system calls"), 0);
    toll_profile_free(p);
}

/* Two calls of different kinds, of which either may have cost more. */
static void test_sbf_what_cannot_be_told_apart_is_unknown(void **state)
{
    static const step steps[] = { { 1, CALL, SOL_SHA256, 0 },
                                  { 2, CALL, SOL_FIND, 0 },
                                  { 3, EXIT, 0, 0 } };
    static const uint64_t regs[][6] = { { 0, 64, 1 }, { 0 }, { 0 } };
    (void)state;
    step_regs = regs;
    SAVE_TRACE("a", TOKEN, steps);
    step_regs = NULL;
    save_text("logs", LOG("", "4000"));
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, ROOT ";sol_sha256"), 95);
    assert_int_equal(cost(p, ROOT ";sol_try_find_program_address"), 1500);
    assert_int_equal(cost(p, "Token;[unknown syscall cost]"), 4000 - 3 - 1595);
    assert_int_equal(test_note(p, "groups of system calls of which only the sum is known"), 1);
    assert_int_equal(total(p), 4000);
    toll_profile_free(p);
    save_text("logs", LOG("", "1598")); /* nothing is left: both are known */
    p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, ROOT ";sol_sha256"), 95);
    assert_int_equal(test_note(p, "groups of system calls"), 0);
    toll_profile_free(p);
    save_text("logs", LOG("", "1597")); /* less than they cost at least */
    p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, "Token;[unknown syscall cost]"), 1594);
    assert_int_equal(test_note(p, "groups of system calls that cost something else"), 1);
    assert_int_equal(total(p), 1597);
    toll_profile_free(p);
}

/* A program without units left was charged fewer instructions than it executed. */
static void test_sbf_instructions_beyond_the_budget_are_not_charged(void **state)
{
    static const step steps[] = {
        { 1, CALL, SOL_LOG, 0 }, { 2, OTHER, 0, 0 }, { 3, OTHER, 0, 0 }, { 4, OTHER, 0, 0 }
    };
    (void)state;
    SAVE_TRACE("a", TOKEN, steps);
    save_text("logs", "Program " TOKEN " invoke [1]\nProgram log: x\n"
                      "Program " TOKEN " consumed 102 of 102 compute units\n"
                      "Program " TOKEN " failed: exceeded CUs meter at BPF instruction\n");
    toll_profile *p = read_traces(NULL, "logs");
    assert_int_equal(cost(p, "Token (failed);fn@1"), 2);
    assert_int_equal(cost(p, "Token (failed);fn@1;sol_log_"), 100);
    assert_int_equal(total(p), 102);
    assert_int_equal(test_note(p, "groups of system calls"), 0);
    toll_profile_free(p);
}

/* --- tables in files ---------------------------------------------------------------------------*/

static toll_status read_costs(const char *text, toll_sbf_costs *costs, toll_error *err)
{
    const toll_mem mem = toll_mem_from(NULL);
    save_text("costs.json", text);
    toll_sbf_costs_set(costs);
    toll_failure failure = { .err = err };
    toll_input *in;
    if (toll_ok(&failure, toll_input_open(&mem, test_path("costs.json"), &in, err))) {
        toll_sbf_costs_read(costs, in, &failure);
        toll_input_free(in);
    }
    return failure.status;
}

static void test_sbf_costs_may_be_replaced(void **state)
{
    toll_sbf_costs costs;
    (void)state;
    assert_ok(read_costs("{ \"runtime\": \"mine 2\", \"costs\": { \"invoke_units\": 1000,\n"
                         "\"bls12_381_additional_pair_cost\": 0 } }",
                         &costs, err));
    assert_string_equal(costs.runtime, "mine 2");
    assert_int_equal(costs.invoke_units, 1000);
    assert_int_equal(costs.bls12_381_additional_pair_cost, 0);
    assert_int_equal(costs.log_64_units, 100);
    assert_ok(read_costs("{\"runtime\":\"x\"}", &costs, err));
}

static void test_sbf_costs_that_are_wrong(void **state)
{
    static const char *const cases[][2] = {
        { "[]", "1: a table of costs is an object with \"runtime\" and \"costs\"" },
        { "{}", "1: there is no \"runtime\"; say whose costs these are, as in \"agave 2.1.0\"" },
        { "{\"runtime\":\"\"}", "1: \"runtime\" is empty; name the runtime" },
        { "{\"runtime\":2}", "1: \"runtime\" must be a text: name and version" },
        { "{\n\"prices\":{}}", "2: a table of costs has \"runtime\" and \"costs\" alone" },
        { "{\"costs\":[]}", "1: \"costs\" must be an object: figures by name" },
        { "{\"costs\":{\n\"invoke_unit\":1}}",
          "2: no figure is called 'invoke_unit'; the nearest name is invoke_units" },
        { "{\"costs\":{\"x\":1}}", "1: no figure is called 'x'" },
        { "{\"costs\":{\"invoke_units\":1.5}}",
          "1: invoke_units must be a whole number from 0 to 10^12" },
        { "{\"costs\":{\"invoke_units\":-1}}",
          "1: invoke_units must be a whole number from 0 to 10^12" },
        { "{\"costs\":{\"invoke_units\":1000000000001}}",
          "1: invoke_units must be a whole number from 0 to 10^12" },
        { "{\"costs\":{\"invoke_units\":\"1\"}}",
          "1: invoke_units must be a whole number from 0 to 10^12" },
        { "{\"runtime\":\"x\",", "1: the JSON text ends too early; fetch the file again" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_sbf_costs costs;
        toll_error err = { TOLL_OK, "" };
        assert_int_not_equal(read_costs(cases[i][0], &costs, &err), TOLL_OK);
        const char *text = strstr(err.text, "costs.json:");
        assert_non_null(text);
        assert_string_equal(text + strlen("costs.json:"), cases[i][1]);
    }
}

static toll_status read_all(const toll_allocator *a, void *unused)
{
    toll_profile *p = NULL;
    toll_error e = { TOLL_OK, "" };
    (void)unused;
    toll_status status = read_with(a, NULL, "logs", &p, &e);
    toll_profile_free(p);
    return status;
}

static void test_sbf_prices_without_memory(void **state)
{
    (void)state;
    step_regs = one_slice;
    SAVE_TRACE("a", TOKEN, two_hashes);
    step_regs = NULL;
    save_text("logs", LOG("Program consumption: 9000 units remaining\n", "2005"));
    test_allocations(read_all, NULL, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbf_exponents_cost_by_their_highest_bit),
        cmocka_unit_test(test_sbf_memory_knows_what_was_stored),
        cmocka_unit_test(test_sbf_memory_forgets_what_may_have_changed),
        cmocka_unit_test(test_sbf_memory_is_never_wrong),
        cmocka_unit_test(test_sbf_memory_watches_bytes),
        IN_FOLDER(test_sbf_lines_of_units_are_figures),
        IN_FOLDER(test_sbf_remaining_units_are_figures),
        IN_FOLDER(test_sbf_what_cannot_be_told_apart_is_unknown),
        IN_FOLDER(test_sbf_instructions_beyond_the_budget_are_not_charged),
        IN_FOLDER(test_sbf_costs_may_be_replaced),
        IN_FOLDER(test_sbf_costs_that_are_wrong),
        IN_FOLDER(test_sbf_prices_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

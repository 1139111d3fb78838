/* test_sbf_evidence.c - what functions without names do, by the system calls in their code. */
#include "support_sbf.h"

#include "sbf/sbf_evidence.h"
#include "sbf/sbf_syscalls.h"

#define SOL_FIND UINT32_C(0x48504a38) /* sol_try_find_program_address */
#define ABORT UINT32_C(0xb6fc1a11)
#define HASH_OF_3 UINT32_C(0xa33b57b3) /* murmur3 of slot 3 as 8 bytes */

enum { HASHED = 0, DISTANCE = 1 };

typedef struct code {
    uint8_t op, source;
    uint32_t constant;
} code;

static void make_text(uint8_t *text, const code *all, size_t count)
{
    memset(text, 0, count * TOLL_SBF_INSN_SIZE);
    for (size_t i = 0; i < count; i++) {
        text[i * TOLL_SBF_INSN_SIZE] = all[i].op;
        text[i * TOLL_SBF_INSN_SIZE + 1] = (uint8_t)(all[i].source << 4);
        put(text + i * TOLL_SBF_INSN_SIZE + 4, all[i].constant, 4);
    }
}

/* Functions at 0, at 3 (called by the hash of its slot) and at 5 (by distance). */
static const code all[] = {
    { CALL, HASHED, HASH_OF_3 }, { CALL, DISTANCE, 3 }, { EXIT, 0, 0 },
    { CALL, HASHED, SOL_LOG },   { EXIT, 0, 0 },        { CALL, 0, SOL_LOG },
    { CALL, 0, SOL_FIND },       { CALL, 0, SOL_LOG },  { CALL, 0, ABORT },
};
enum { COUNT = sizeof all / sizeof *all };

static const char *evidence(const toll_sbf_starts *starts, const uint8_t *text, uint64_t pc)
{
    const char *name = toll_sbf_evidence(starts, text, pc);
    return name ? name : "none";
}

static void test_sbf_evidence_up_to_the_next_function(void **state)
{
    (void)state;
    uint8_t text[COUNT * TOLL_SBF_INSN_SIZE];
    const toll_mem mem = toll_mem_from(NULL);
    toll_sbf_starts starts = { 0 };
    make_text(text, all, COUNT);
    assert_true(toll_sbf_starts_find(&starts, &mem, text, sizeof text));
    assert_string_equal(evidence(&starts, text, 0), "none");
    assert_string_equal(evidence(&starts, text, 3), "sol_log_");
    assert_string_equal(evidence(&starts, text, 5), "sol_try_find_program_address");
    assert_string_equal(evidence(&starts, text, 7), "sol_log_");
    assert_string_equal(evidence(&starts, text, 8), "none"); /* it panics, as most may */
    assert_string_equal(evidence(&starts, text, COUNT), "none");
    assert_string_equal(evidence(&starts, text, UINT64_MAX), "none");
    toll_sbf_starts_free(&starts, &mem);
}

/* How much a call shows, by its kind. */
static int weight_of(const toll_sbf_syscall *call)
{
    static const int weights[] = {
        [TOLL_SBF_OTHER] = 3,     [TOLL_SBF_LOG] = 1,  [TOLL_SBF_INVOKE] = 5, [TOLL_SBF_UNITS] = 2,
        [TOLL_SBF_REMAINING] = 2, [TOLL_SBF_FIND] = 4, [TOLL_SBF_COPY] = 1,   [TOLL_SBF_FILL] = 1
    };
    bool may_panic = strcmp(call->name, "abort") == 0 || strcmp(call->name, "sol_panic_") == 0;
    return may_panic ? 0 : weights[call->kind];
}

/* Of two calls the one that shows more, of equal ones the first. */
static void test_sbf_evidence_of_each_two_calls(void **state)
{
    (void)state;
    const toll_mem mem = toll_mem_from(NULL);
    const toll_sbf_syscall *x, *y;
    for (unsigned i = 0; (x = toll_sbf_syscall_at(i)) != NULL; i++)
        for (unsigned k = 0; (y = toll_sbf_syscall_at(k)) != NULL; k++) {
            const code two[] = { { CALL, HASHED, x->hash },
                                 { CALL, HASHED, y->hash },
                                 { EXIT, 0, 0 } };
            uint8_t text[3 * TOLL_SBF_INSN_SIZE];
            toll_sbf_starts starts = { 0 };
            const toll_sbf_syscall *best = weight_of(y) > weight_of(x) ? y : x;
            make_text(text, two, 3);
            assert_true(toll_sbf_starts_find(&starts, &mem, text, sizeof text));
            assert_string_equal(evidence(&starts, text, 0), weight_of(best) ? best->name : "none");
            toll_sbf_starts_free(&starts, &mem);
        }
}

/* Calls that lead anywhere, and half an instruction. */
static void test_sbf_evidence_of_damaged_code(void **state)
{
    static const code wild[] = { { CALL, DISTANCE, UINT32_MAX },
                                 { CALL, DISTANCE, 0x80000000 },
                                 { CALL, DISTANCE, 0x7fffffff },
                                 { CALL, HASHED, 0x12345678 },
                                 { CALL, HASHED, SOL_LOG } };
    (void)state;
    uint8_t text[sizeof wild / sizeof *wild * TOLL_SBF_INSN_SIZE];
    const toll_mem mem = toll_mem_from(NULL);
    toll_sbf_starts starts = { 0 };
    make_text(text, wild, sizeof wild / sizeof *wild);
    assert_true(toll_sbf_starts_find(&starts, &mem, text, sizeof text - 1));
    assert_int_equal(starts.slots, 4);
    assert_string_equal(evidence(&starts, text, 1), "none");
    toll_sbf_starts_free(&starts, &mem);
    assert_true(toll_sbf_starts_find(&starts, &mem, text, 0));
    assert_string_equal(evidence(&starts, text, 0), "none");
    toll_sbf_starts_free(&starts, &mem);
}

static toll_status find_starts(const toll_allocator *a, void *user)
{
    uint8_t text[COUNT * TOLL_SBF_INSN_SIZE];
    const toll_mem mem = toll_mem_from(a);
    toll_sbf_starts starts = { 0 };
    (void)user;
    make_text(text, all, COUNT);
    bool good = toll_sbf_starts_find(&starts, &mem, text, sizeof text);
    assert_true(good || !starts.bits);
    toll_sbf_starts_free(&starts, &mem);
    return good ? TOLL_OK : TOLL_E_NOMEM;
}

static void test_sbf_evidence_every_allocation_may_fail(void **state)
{
    (void)state;
    test_every_allocation(find_starts, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbf_evidence_up_to_the_next_function),
        cmocka_unit_test(test_sbf_evidence_of_each_two_calls),
        cmocka_unit_test(test_sbf_evidence_of_damaged_code),
        cmocka_unit_test(test_sbf_evidence_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

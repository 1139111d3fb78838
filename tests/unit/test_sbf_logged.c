/* test_sbf_logged.c - what functions without names do, by the instruction that they log. */
#include "support_sbf.h"

#include "sbf/sbf_logged.h"

enum { SLOTS = 40, JUMP = 0x05, LDDW = 0x18, MOV = 0xb7, AT = 0x100 };

#define TRANSFER "Instruction: Transfer"
#define BURN "Instruction: Burn"

/* Texts follow one another without a NUL, as compilers put them. */
static const char constants[] = TRANSFER BURN "Instruction: no name!Instruction: ";

static void put_insn(uint8_t *text, unsigned slot, uint8_t op, uint8_t registers, uint32_t constant)
{
    uint8_t *insn = text + (size_t)slot * TOLL_SBF_INSN_SIZE;
    memset(insn, 0, TOLL_SBF_INSN_SIZE);
    insn[0] = op;
    insn[1] = registers;
    put(insn + 4, constant, 4);
}

/* Log size bytes of the constants from `from` on: four slots, the last of which calls `log`. */
static void put_log(uint8_t *text, unsigned slot, uint32_t from, uint32_t size, unsigned log)
{
    put_insn(text, slot, LDDW, 1, AT + from);
    put_insn(text, slot + 1, 0, 0, 0);
    put_insn(text, slot + 2, MOV, 2, size);
    put_insn(text, slot + 3, CALL, 1 << 4, log - (slot + 4));
}

static void put_call(uint8_t *text, unsigned slot, unsigned target)
{
    put_insn(text, slot, CALL, 1 << 4, target - (slot + 1));
}

enum { T_SIZE = sizeof TRANSFER - 1, B_SIZE = sizeof BURN - 1 };

/* 0: chooses; 20: logs for all; 22, 24: what it calls; 26: logs one; 32: logs what is no name. */
static void make_text(uint8_t *text)
{
    memset(text, 0, SLOTS * TOLL_SBF_INSN_SIZE);
    put_call(text, 0, 26);
    put_log(text, 1, 0, T_SIZE, 20);
    put_call(text, 5, 22);
    put_insn(text, 6, JUMP, 0, 8);
    put_log(text, 7, T_SIZE, B_SIZE, 20);
    put_call(text, 11, 24);
    put_insn(text, 12, EXIT, 0, 0);
    put_call(text, 13, 32);
    put_insn(text, 20, CALL, 0, SOL_LOG);
    put_insn(text, 21, EXIT, 0, 0);
    put_insn(text, 22, EXIT, 0, 0);
    put_insn(text, 24, EXIT, 0, 0);
    put_log(text, 26, T_SIZE, B_SIZE, 20);
    put_insn(text, 30, EXIT, 0, 0);
    put_log(text, 32, T_SIZE + B_SIZE, 21, 20);
    put_insn(text, 36, EXIT, 0, 0);
}

static const char *name(const toll_sbf_logged *l, uint64_t pc)
{
    const char *found = toll_sbf_logged_name(l, pc);
    return found ? found : "none";
}

static bool find(toll_sbf_logged *l, const toll_mem *mem, const uint8_t *text)
{
    const toll_sbf_constants c = { (const uint8_t *)constants, sizeof constants - 1, AT };
    return toll_sbf_logged_find(l, mem, text, SLOTS * TOLL_SBF_INSN_SIZE, &c);
}

static void test_sbf_logged_by_what_functions_log(void **state)
{
    (void)state;
    uint8_t text[SLOTS * TOLL_SBF_INSN_SIZE];
    const toll_mem mem = toll_mem_from(NULL);
    toll_sbf_logged l;
    make_text(text);
    assert_true(find(&l, &mem, text));
    assert_string_equal(name(&l, 0), "none"); /* it logs two */
    assert_string_equal(name(&l, 22), "Transfer");
    assert_string_equal(name(&l, 24), "Burn");
    assert_string_equal(name(&l, 26), "Burn");
    assert_string_equal(name(&l, 20), "none");
    assert_string_equal(name(&l, 32), "none");
    assert_int_equal(l.count, 3);
    assert_string_equal(name(&l, UINT64_MAX), "none");
    toll_sbf_logged_free(&l);
    put_call(text, 14, 22); /* a second caller */
    assert_true(find(&l, &mem, text));
    assert_string_equal(name(&l, 22), "none");
    toll_sbf_logged_free(&l);
    put_insn(text, 10, EXIT, 0, 0); /* what follows is other code */
    put_insn(text, 9, EXIT, 0, 0);  /* and no size */
    assert_true(find(&l, &mem, text));
    assert_string_equal(name(&l, 0), "Transfer");
    assert_string_equal(name(&l, 24), "none");
    toll_sbf_logged_free(&l);
}

/* Constants that end within a text, sizes that lead out of them, half a lddw at the end. */
static void test_sbf_logged_of_damaged_programs(void **state)
{
    (void)state;
    uint8_t text[SLOTS * TOLL_SBF_INSN_SIZE];
    const toll_mem mem = toll_mem_from(NULL);
    const uint8_t *data = (const uint8_t *)constants;
    toll_sbf_logged l;
    make_text(text);
    for (size_t size = 0; size < sizeof constants; size++)
        for (int end = 0; end < 2; end++) {
            uint64_t address = end ? UINT64_MAX - 3 : AT;
            assert_true(toll_sbf_logged_find(&l, &mem, text, sizeof text - 1,
                                             &(toll_sbf_constants){ data, size, address }));
            assert_true(l.count <= (!end && size >= T_SIZE ? 3 : 0));
            toll_sbf_logged_free(&l);
        }
    put_insn(text, SLOTS - 1, LDDW, 1, AT);
    assert_true(find(&l, &mem, text));
    toll_sbf_logged_free(&l);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        put_log(text, slot < SLOTS - 4 ? slot : 0, 0, slot, slot);
    assert_true(find(&l, &mem, text));
    toll_sbf_logged_free(&l);
    assert_true(toll_sbf_logged_find(&l, &mem, text, 0, &(toll_sbf_constants){ data, 9, AT }));
    toll_sbf_logged_free(&l);
}

static toll_status work(const toll_allocator *a, void *text)
{
    toll_sbf_logged l;
    bool good = find(&l, a, text);
    toll_sbf_logged_free(&l);
    return good ? TOLL_OK : TOLL_E_NOMEM;
}

static void test_sbf_logged_every_allocation_may_fail(void **state)
{
    (void)state;
    uint8_t text[SLOTS * TOLL_SBF_INSN_SIZE];
    make_text(text);
    test_every_allocation(work, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbf_logged_by_what_functions_log),
        cmocka_unit_test(test_sbf_logged_of_damaged_programs),
        cmocka_unit_test(test_sbf_logged_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

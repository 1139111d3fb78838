/* test_sbf_code.c - instructions that ran, compared with an ELF file's code: addresses that loaders
 * write are ignored, any other difference counts. */
#include "support.h"

#include "sbf/sbf_elf.h"
#include "sbf/sbf_v2.h"

static const uint8_t code[] = {
    0x85, 0x10, 0, 0, 0xff, 0xff, 0xff, 0xff, /* 0: call */
    0x18, 0x02, 0, 0, 5,    0,    0,    0,    /* 1: lddw, of two slots */
    0x00, 0x00, 0, 0, 0,    0,    0,    0,    /* 2 */
    0xb7, 0x00, 0, 0, 9,    0,    0,    0,    /* 3: mov64 */
    0x95, 0x00, 0, 0, 0,    0,    0,    0,    /* 4: exit */
};

static bool has(const toll_sbf_symbols *s, uint64_t pc, size_t byte, uint8_t value)
{
    uint8_t insn[8];
    memcpy(insn, code + pc * 8, sizeof insn);
    insn[byte] = value;
    return toll_sbf_symbols_have(s, pc, insn);
}

static void test_sbf_code_that_ran(void **state)
{
    toll_mem mem = toll_mem_from(NULL);
    toll_sbf_symbols s;
    (void)state;
    toll_sbf_symbols_init(&s, &mem);
    assert_false(toll_sbf_symbols_have(&s, 0, code)); /* no code at all */
    assert_true(toll_buffer_append(&s.text, code, sizeof code));
    assert_true(has(&s, 0, 0, 0x85));
    assert_true(has(&s, 0, 5, 0x71)); /* the hash of what it calls */
    assert_false(has(&s, 0, 1, 0x00));
    assert_true(has(&s, 1, 7, 1)); /* where data has been loaded to */
    assert_false(has(&s, 1, 1, 0x03));
    assert_true(has(&s, 3, 4, 9));
    assert_false(has(&s, 3, 4, 8));
    assert_false(has(&s, 3, 0, 0x07));
    assert_true(has(&s, 4, 0, 0x95));
    assert_false(has(&s, 4, 7, 1));
    assert_false(toll_sbf_symbols_have(&s, 5, code)); /* beyond its end */
    assert_false(toll_sbf_symbols_have(&s, UINT64_MAX, code));
    toll_sbf_symbols_free(&s);
}

/* A load of v2 is the multiplication by a register of other versions; the one by a constant is none
 * in v2 either. */
static void test_sbf_code_of_v2(void **state)
{
    enum { MUL32_CONSTANT = 0x24, LOAD_BYTE_V2 = 0x2c, STORE_BYTE_V2 = 0x27, LOAD_BYTE = 0x71 };
    uint8_t insns[2 * 8] = { MUL32_CONSTANT };
    (void)state;
    assert_false(toll_sbf_v2_begins(insns, 0));
    assert_false(toll_sbf_v2_begins(insns, 1));
    insns[8] = LOAD_BYTE_V2;
    assert_false(toll_sbf_v2_begins(insns, 1));
    assert_true(toll_sbf_v2_begins(insns, 2));
    insns[0] = STORE_BYTE_V2;
    assert_true(toll_sbf_v2_begins(insns, 1));
    insns[0] = LOAD_BYTE;
    assert_false(toll_sbf_v2_begins(insns, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_sbf_code_that_ran),
                                        cmocka_unit_test(test_sbf_code_of_v2) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

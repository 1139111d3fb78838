/* test_wasm_pvm.c - the table of costs "pvm": modules that it refuses, damaged modules, and lack of
 * memory. tests/kernel/pvm.mjs compares the ticks. */
#include "support.h"

#include "wasm/pvm_start.h"
#include "wasm/stretches.h"

/* (module (type (func)) (type (func (param i32) (result i32))) (import "m" "f" (func (type 0)))
 *   (func (export "kernel_run") (type 0) CODE) (data "ab")), with a section that counts data. */
static const uint8_t head[] = {
    0,  'a', 's', 'm',  1,   0,   0,    0,                                         /* header */
    1,  9,   2,   0x60, 0,   0,   0x60, 1,   0x7f, 1,   0x7f,                      /* types */
    2,  7,   1,   1,    'm', 1,   'f',  0,   0,                                    /* imports */
    3,  2,   1,   0,                                                               /* functions */
    7,  14,  1,   10,   'k', 'e', 'r',  'n', 'e',  'l', '_',  'r', 'u', 'n', 0, 1, /* exports */
    12, 1,   1,                                                                    /* data count */
};
static const uint8_t tail[] = { 11, 5, 1, 1, 2, 'a', 'b' };

/* All kinds of what depends on the place: blocks, branches, a table of them, bulk instructions. */
static const uint8_t every[] = {
    0x10, 0,    0x41, 7,    0x41, 0,    0x02, 1,    0x41, 1, 0x0d, 0,    0x03, 0x40, 0x41, 0,
    0x0d, 0,    0x0b, 0x41, 1,    0x04, 0x40, 0x0b, 0x41, 0, 0x04, 0x40, 0x01, 0x05, 0x0f, 0x0b,
    0x0b, 0x02, 0x40, 0x02, 0x40, 0x41, 0,    0x0e, 2,    0, 1,    2,    0x0b, 0x0b, 0x1a, 0x1a,
    0x02, 0x40, 0x41, 0,    0x41, 0,    0x41, 0,    0xfc, 8, 0,    0,    0x0b,
};

typedef struct module {
    uint8_t bytes[256];
    size_t size;
} module;

static module with_code(const uint8_t *code, size_t size)
{
    module m = { .size = 0 };
    const uint8_t section[] = { 10, (uint8_t)(size + 4), 1, (uint8_t)(size + 2), 0 };
    memcpy(m.bytes, head, sizeof head);
    m.size = sizeof head;
    memcpy(m.bytes + m.size, section, sizeof section);
    m.size += sizeof section;
    memcpy(m.bytes + m.size, code, size);
    m.size += size;
    m.bytes[m.size++] = 0x0b;
    memcpy(m.bytes + m.size, tail, sizeof tail);
    m.size += sizeof tail;
    return m;
}

static toll_status instrument(const toll_allocator *a, const module *m, int lines, toll_error *err)
{
    toll_wasm_costs *costs = NULL;
    toll_input *in = NULL;
    toll_output *out = NULL;
    toll_status status = toll_wasm_costs_named(a, "pvm", &costs, err);
    if (!status)
        status = toll_input_from_memory(a, m->bytes, m->size, "m.wasm", &in, err);
    if (!status)
        status = toll_output_to_memory(a, 0, &out, err);
    const toll_wasm_options options = { .size = sizeof options, .costs = costs, .lines = lines };
    if (!status)
        status = toll_wasm_instrument(a, in, &options, out, err);
    if (!status)
        status = toll_output_commit(out, err);
    toll_output_free(out);
    toll_input_free(in);
    toll_wasm_costs_free(costs);
    return status;
}

static toll_status start(const toll_allocator *a, const module *m, toll_error *err)
{
    const toll_mem mem = toll_mem_from(a);
    toll_wasm_pvm_start out;
    toll_wasm_module read;
    toll_status status = toll_wasm_module_read(&read, &mem, "m.wasm", m->bytes, m->size, err);
    if (!status)
        status = toll_wasm_pvm_start_read(&read, &out, err);
    toll_wasm_module_free(&read);
    return status;
}

static void test_a_module(void **state)
{
    (void)state;
    const module m = with_code(every, sizeof every);
    assert_ok(instrument(NULL, &m, 0, err));
    assert_ok(start(NULL, &m, err));
}

static void test_lines_are_refused(void **state)
{
    (void)state;
    const module m = with_code(every, sizeof every);
    const toll_mem mem = toll_mem_from(NULL);
    toll_wasm_module read;
    toll_wasm_stretches *stretches;
    toll_wasm_costs *costs;
    toll_error e;
    assert_int_equal(instrument(NULL, &m, 1, &e), TOLL_E_ARGUMENT);
    assert_non_null(strstr(e.text, "lines and costs of pvm exclude one another"));
    assert_ok(toll_wasm_costs_named(NULL, "pvm", &costs, err));
    assert_ok(toll_wasm_module_read(&read, &mem, "m.wasm", m.bytes, m.size, err));
    assert_int_equal(toll_wasm_stretches_create(&read, costs, &stretches, &e), TOLL_E_ARGUMENT);
    assert_null(stretches);
    toll_wasm_module_free(&read);
    toll_wasm_costs_free(costs);
}

static void test_code_that_is_refused(void **state)
{
    (void)state;
    static const struct {
        uint8_t code[8];
        size_t size;
        toll_status status;
        const char *text;
    } cases[] = {
        { { 0x1a }, 1, TOLL_E_SYNTAX, "0 operands where 1 are needed" },
        { { 0x41, 0 }, 2, TOLL_E_SYNTAX, "1 operands at the end of a block of 0" },
        { { 0x02, 0x7f, 0x0b, 0x1a }, 4, TOLL_E_SYNTAX, "0 operands at the end of a block of 1" },
        { { 0x41, 0, 0x41, 0, 0x04, 1, 0x0b }, 7, TOLL_E_SYNTAX, "1 operands at the end" },
        { { 0x02, 9, 0x0b }, 3, TOLL_E_SYNTAX, "type 9 is no function type" },
        { { 0x10, 9 }, 2, TOLL_E_SYNTAX, "function 9 of 2" },
        { { 0x41, 0, 0x11, 9, 0 }, 5, TOLL_E_SYNTAX, "type 9 is no function type" },
        { { 0x41, 0, 0x0d, 3 }, 4, TOLL_E_SYNTAX, "label 3 of 1" },
        { { 0x41, 0, 0x0e, 1, 0, 3 }, 6, TOLL_E_SYNTAX, "label 3 of 1" },
        { { 0x12, 0 }, 2, TOLL_E_UNSUPPORTED, "Tezos' PVM has no return_call" },
        { { 0x00, 0x1a, 0x6a, 0x1a }, 4, TOLL_OK, "" }, /* never reached: any operands */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const module m = with_code(cases[i].code, cases[i].size);
        toll_error e = { .text = "" };
        assert_int_equal(instrument(NULL, &m, 0, &e), cases[i].status);
        if (!strstr(e.text, cases[i].text))
            fail_msg("case %zu: %s", i, e.text);
    }
}

/* A tag is imported instead of the function. */
static void test_imports_that_are_refused(void **state)
{
    enum { SIZE = 20, KIND = 26 };
    toll_error e = { TOLL_OK, "" };
    module m = with_code((const uint8_t[]){ 0x01 }, 1);
    (void)state;
    memmove(m.bytes + KIND + 1, m.bytes + KIND, m.size - KIND);
    m.size++;
    m.bytes[SIZE]++;
    m.bytes[KIND] = 4;
    assert_int_equal(start(NULL, &m, &e), TOLL_E_UNSUPPORTED);
    assert_string_equal(
        e.text, "m.wasm: at byte 26, in the import section: Tezos' PVM has no such imports");
}

static void test_modules_cut_anywhere_and_damaged(void **state)
{
    (void)state;
    const module whole = with_code(every, sizeof every);
    for (size_t at = 8; at < whole.size; at++) {
        module m = whole;
        toll_error e;
        m.size = at;
        (void)!start(NULL, &m, &e); /* a module may end behind a section */
        (void)!instrument(NULL, &m, 0, &e);
        for (int bit = 0; bit < 8; bit++) {
            m = whole;
            m.bytes[at] ^= (uint8_t)(1 << bit);
            (void)!start(NULL, &m, &e);
            (void)!instrument(NULL, &m, 0, &e);
        }
    }
}

static toll_status both(const toll_allocator *a, void *user)
{
    toll_status status = instrument(a, user, 0, NULL);
    return status ? status : start(a, user, NULL);
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    module m = with_code(every, sizeof every);
    test_every_allocation(both, &m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_module),
        cmocka_unit_test(test_lines_are_refused),
        cmocka_unit_test(test_code_that_is_refused),
        cmocka_unit_test(test_imports_that_are_refused),
        cmocka_unit_test(test_modules_cut_anywhere_and_damaged),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

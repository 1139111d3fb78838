/* test_wasm_stretches.c - the instructions of a stretch, their costs, and the build of a module.
 * tests/instrument tests that instrumented modules count the same stretches. */
#include "support.h"

#include "wasm/build_id.h"
#include "wasm/costs.h"
#include "wasm/stretches.h"

/* (module (import "m" "f" (func)) (func $g (result i32 i32) (local i64) call 0 i32.const 1
 * i32.const 2 return unreachable) (func $h (loop (br_if 0 (i32.const 1))))) with a build id. */
static const uint8_t small[] = {
    0,  'a', 's', 'm',  1,    0,   0,    0,                                 /* header */
    1,  9,   2,   0x60, 0,    0,   0x60, 0,   2,    0x7f, 0x7f,             /* types */
    2,  7,   1,   1,    'm',  1,   'f',  0,   0,                            /* imports */
    3,  3,   2,   1,    0,                                                  /* functions */
    10, 24,  2,                                                             /* code */
    12, 1,   1,   0x7e, 0x10, 0,   0x41, 1,   0x41, 2,    0x0f, 0x00, 0x0b, /* g */
    9,  0,   3,   0x40, 0x41, 1,   0x0d, 0,   0x0b, 0x0b,                   /* h */
    0,  13,  8,   'b',  'u',  'i', 'l',  'd', '_',  'i',  'd',  3,    0xab, 0x00, 0x7f,
};
enum { CODE_END = sizeof small - 15, G = 1, H = 2, G_ADDRESS = 2, H_ADDRESS = 15 };

static void read_module(toll_wasm_module *m, const toll_allocator *allocator, size_t size)
{
    toll_mem mem = toll_mem_from(allocator);
    assert_ok(toll_wasm_module_read(m, &mem, "m.wasm", small, size, err));
}

static void hold_steps(toll_wasm_stretches *s, uint32_t function, const toll_wasm_step *expected,
                       size_t count)
{
    const toll_wasm_step *steps;
    size_t got;
    assert_ok(toll_wasm_stretches_read(s, function, &steps, &got, err));
    assert_int_equal(got, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(steps[i].address, expected[i].address);
        assert_int_equal(steps[i].stretch, expected[i].stretch);
        assert_int_equal(steps[i].cost, expected[i].cost);
    }
}

static void test_instructions_of_stretches(void **state)
{
    (void)state;
    static const toll_wasm_step g[] = { { 1, 5, 5 },  { 1, 7, 7 },  { 1, 9, 7 },
                                        { 1, 11, 7 }, { 1, 12, 0 }, { 1, 13, 0 } };
    static const toll_wasm_step h[] = {
        { 1, 16, 16 }, { 1, 18, 18 }, { 1, 20, 18 }, { 1, 22, 22 }, { 1, 23, 22 }
    };
    toll_wasm_module m;
    toll_wasm_stretches *s;
    toll_error e;
    const toll_wasm_step *steps;
    size_t count;
    read_module(&m, NULL, sizeof small);
    assert_ok(toll_wasm_stretches_create(&m, NULL, &s, err));
    hold_steps(s, H, h, 5);
    hold_steps(s, G, g, 6);
    hold_steps(s, H, h, 5);
    assert_int_equal(toll_wasm_stretches_read(s, 0, &steps, &count, &e), TOLL_E_ARGUMENT);
    assert_string_equal(e.text, "m.wasm: has no code of function 0");
    assert_int_equal(toll_wasm_stretches_read(s, 3, &steps, &count, NULL), TOLL_E_ARGUMENT);
    toll_wasm_stretches_free(s);
    toll_wasm_stretches_free(NULL);
    toll_wasm_module_free(&m);
}

static void test_costs_of_instructions(void **state)
{
    (void)state;
    static const toll_wasm_step h[] = {
        { 1, 16, 16 }, { 1, 18, 18 }, { 1, 20, 18 }, { 0, 22, 22 }, { 0, 23, 22 }
    };
    toll_wasm_module m;
    toll_wasm_stretches *s;
    toll_wasm_costs *fuel; /* 1 to enter the function, and a loop is free */
    assert_ok(toll_wasm_costs_named(NULL, "fuel", &fuel, err));
    read_module(&m, NULL, sizeof small);
    assert_ok(toll_wasm_stretches_create(&m, fuel, &s, err));
    hold_steps(s, H, h, 5);
    toll_wasm_stretches_free(s);
    toll_wasm_module_free(&m);
    toll_wasm_costs_free(fuel);
}

static void test_function_at_an_address(void **state)
{
    (void)state;
    toll_wasm_module m;
    read_module(&m, NULL, sizeof small);
    static const struct {
        uint64_t address;
        uint32_t function;
    } cases[] = {
        { 0, UINT32_MAX },       { 1, UINT32_MAX }, { G_ADDRESS, G }, { H_ADDRESS - 2, G },
        { 14, UINT32_MAX },      { H_ADDRESS, H },  { 23, H },        { 24, UINT32_MAX },
        { 1u << 31, UINT32_MAX }
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(toll_wasm_function_at(&m, cases[i].address), cases[i].function);
    toll_wasm_module_free(&m);
}

/* Debug information and names may be stripped: the hash is of the code alone. */
static void test_build_id(void **state)
{
    (void)state;
    toll_wasm_module m;
    toll_buffer id;
    toll_mem mem = toll_mem_from(NULL);
    toll_buffer_init(&id, &mem);
    read_module(&m, NULL, sizeof small);
    assert_true(toll_wasm_append_build_id(&m, &id));
    assert_string_equal(toll_buffer_cstr(&id), "ab007f");
    toll_wasm_module_free(&m);
    toll_buffer_clear(&id);
    read_module(&m, NULL, CODE_END);
    assert_true(toll_wasm_append_build_id(&m, &id));
    assert_string_equal(toll_buffer_cstr(&id), "e52f1a0a159614fb");
    toll_wasm_module_free(&m);
    toll_buffer_free(&id);
}

static toll_status read_all(const toll_allocator *allocator, void *user)
{
    toll_mem mem = toll_mem_from(allocator);
    toll_wasm_module m;
    toll_wasm_stretches *s = NULL;
    const toll_wasm_step *steps;
    size_t count;
    (void)user;
    toll_status status = toll_wasm_module_read(&m, &mem, "m.wasm", small, sizeof small, NULL);
    if (!status)
        status = toll_wasm_stretches_create(&m, NULL, &s, NULL);
    for (uint32_t f = G; !status && f <= H; f++)
        status = toll_wasm_stretches_read(s, f, &steps, &count, NULL);
    toll_wasm_stretches_free(s);
    toll_wasm_module_free(&m);
    return status;
}

static void test_when_memory_runs_out(void **state)
{
    (void)state;
    test_every_allocation(read_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions_of_stretches),
        cmocka_unit_test(test_costs_of_instructions),
        cmocka_unit_test(test_function_at_an_address),
        cmocka_unit_test(test_build_id),
        cmocka_unit_test(test_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

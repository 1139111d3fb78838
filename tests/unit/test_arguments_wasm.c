/* test_arguments_wasm.c - wrong arguments that the functions of toll/wasm.h refuse: NULL, and
 * numbers without a meaning. */
#include "support_arguments.h"

static void test_toll_wasm_costs_named(void **state)
{
    (void)state;
    toll_wasm_costs *costs = test_stale();
    assert_argument(toll_wasm_costs_named(NULL, NULL, &costs, err));
    assert_null(costs);
    assert_argument(toll_wasm_costs_named(NULL, "dollars", &costs, err));
    assert_argument(toll_wasm_costs_named(NULL, "fuel", NULL, err));
}

static void test_toll_wasm_costs_read(void **state)
{
    (void)state;
    toll_wasm_costs *costs = test_stale();
    toll_input *in;
    assert_ok(toll_input_from_memory(NULL, "i32.add x\n", 10, "x", &in, err));
    assert_argument(toll_wasm_costs_read(NULL, in, NULL, err));
    assert_int_equal(toll_wasm_costs_read(NULL, in, &costs, NULL), TOLL_E_SYNTAX);
    assert_null(costs);
    toll_input_free(in);
}

static void test_toll_wasm_costs_free(void **state)
{
    (void)state;
    toll_wasm_costs_free(NULL);
}

static void test_toll_wasm_instrument(void **state)
{
    (void)state;
    static const char module[] = "\0asm\1\0\0";
    toll_input *in;
    toll_output *out = to_memory();
    toll_wasm_options bad_only = { .size = sizeof bad_only, .only = "(" },
                      bad_skip = { .size = sizeof bad_skip, .skip = "(" };
    assert_ok(toll_input_from_memory(NULL, module, sizeof module, "x", &in, err));
    assert_argument(toll_wasm_instrument(NULL, in, NULL, NULL, err));
    assert_int_equal(toll_wasm_instrument(NULL, in, &bad_only, out, NULL), TOLL_E_ARGUMENT);
    toll_input_free(in);
    assert_ok(toll_input_from_memory(NULL, module, sizeof module, "x", &in, err));
    assert_int_equal(toll_wasm_instrument(NULL, in, &bad_skip, out, NULL), TOLL_E_ARGUMENT);
    toll_input_free(in);
    assert_ok(toll_input_from_memory(NULL, module, sizeof module, "x", &in, err));
    assert_ok(toll_wasm_instrument(NULL, in, NULL, out, err));
    toll_input_free(in);
    toll_output_free(out);
}

static void test_toll_wasm_is_component(void **state)
{
    (void)state;
    assert_int_equal(toll_wasm_is_component(NULL, 0), 0);
    assert_int_equal(toll_wasm_is_component("\0asm\x0d\0\1", 8), 1);
    assert_int_equal(toll_wasm_is_component("\0asm\x0d\0\1", 7), 0);
    assert_int_equal(toll_wasm_is_component("\0asm\1\0\0", 8), 0);
}

static void test_toll_wasm_instrument_component(void **state)
{
    (void)state;
    static const char component[] = "\0asm\x0d\0\1", module[] = "\0asm\1\0\0";
    toll_input *in, *toll_wasm;
    toll_output *out = to_memory();
    const toll_wasm_options no_size = { .heap = 1 };
    assert_ok(toll_input_from_memory(NULL, component, sizeof component, "x", &in, err));
    assert_ok(toll_input_from_memory(NULL, module, sizeof module, "toll.wasm", &toll_wasm, err));
    assert_argument(toll_wasm_instrument_component(NULL, in, toll_wasm, NULL, NULL, err));
    assert_argument(toll_wasm_instrument_component(NULL, in, toll_wasm, &no_size, out, err));
    assert_int_equal(toll_wasm_instrument_component(NULL, in, toll_wasm, NULL, out, NULL),
                     TOLL_E_UNSUPPORTED);
    toll_input_free(toll_wasm);
    toll_input_free(in);
    toll_output_free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_toll_wasm_costs_named),
        cmocka_unit_test(test_toll_wasm_costs_read),
        cmocka_unit_test(test_toll_wasm_costs_free),
        cmocka_unit_test(test_toll_wasm_instrument),
        cmocka_unit_test(test_toll_wasm_instrument_component),
        cmocka_unit_test(test_toll_wasm_is_component),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

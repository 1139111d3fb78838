/* test_instrument.c - modules that toll_wasm_instrument refuses, and why; memory that runs out.
 * What the modules do that it writes is for tests/instrument. */
#include "support.h"

/* (module (import "m" "f" (func)) (func (export "g") (result i32 i32) call 0 i32.const 1 return
 * i32.const 2 return unreachable)): an import, an export, two results. */
static const uint8_t small[] = {
    0,  'a', 's', 'm',  1,   0,    0,    0,                                     /* header */
    1,  9,   2,   0x60, 0,   0,    0x60, 0,    2, 0x7f, 0x7f,                   /* types */
    2,  7,   1,   1,    'm', 1,    'f',  0,    0,                               /* imports */
    3,  2,   1,   1,                                                            /* functions */
    7,  5,   1,   1,    'g', 0,    1,                                           /* exports */
    10, 12,  1,   10,   0,   0x10, 0,    0x41, 1, 0x41, 2,    0x0f, 0x00, 0x0b, /* code */
};

static toll_status instrument(const toll_allocator *a, const void *data, size_t size,
                              const toll_wasm_options *options, toll_error *err)
{
    toll_input *in;
    toll_output *out = NULL;
    toll_status status = toll_input_from_memory(a, data, size, "m.wasm", &in, err);
    if (status)
        return status;
    status = toll_output_to_memory(a, 0, &out, err);
    if (!status)
        status = toll_wasm_instrument(a, in, options, out, err);
    if (!status)
        status = toll_output_commit(out, err);
    toll_output_free(out);
    toll_input_free(in);
    return status;
}

enum { CODE_END = 8 + 11 + 9 + 4 + 7 + 14 };

static void test_a_module(void **state)
{
    (void)state;
    assert_ok(instrument(NULL, small, CODE_END, NULL, err));
    assert_ok(instrument(NULL, small, 8, NULL, err)); /* nothing in it */
}

static void test_errors_say_what_and_where(void **state)
{
    (void)state;
    uint8_t bad[CODE_END];
    static const struct {
        size_t at;
        uint8_t byte;
        toll_status status;
        const char *error;
    } cases[] = {
        { 0, 1, TOLL_E_SYNTAX,
          "m.wasm: is no WebAssembly module; text (.wat) must be assembled first" },
        { 6, 1, TOLL_E_UNSUPPORTED,
          "m.wasm: is a component; take its core module out of it first" },
        { 4, 2, TOLL_E_UNSUPPORTED, "m.wasm: is of version 2; 1 is known" },
        { 8, 14, TOLL_E_UNSUPPORTED, "m.wasm: at byte 8: a section of kind 14" },
        { 31, 5, TOLL_E_SYNTAX, "m.wasm: at byte 32: type 5 is no function type" },
        { 44, 0xe0, TOLL_E_UNSUPPORTED, NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_error e = { TOLL_OK, "" };
        memcpy(bad, small, sizeof bad);
        bad[cases[i].at] = cases[i].byte;
        assert_int_equal(instrument(NULL, bad, sizeof bad, NULL, &e), cases[i].status);
        if (cases[i].error)
            assert_string_equal(e.text, cases[i].error);
    }
    toll_error e = { TOLL_OK, "" };
    toll_wasm_options options = { .only = "(" };
    assert_int_equal(instrument(NULL, small, CODE_END, &options, &e), TOLL_E_ARGUMENT);
}

static void test_modules_cut_anywhere(void **state)
{
    (void)state;
    for (size_t size = 0; size < CODE_END; size++) {
        toll_status status = instrument(NULL, small, size, NULL, NULL);
        int whole = size == 8 || size == 8 + 11 || size == 8 + 11 + 9; /* sections */
        assert_int_equal(status == TOLL_OK, whole);
    }
}

static void test_any_bit_flipped(void **state)
{
    (void)state;
    uint8_t bad[CODE_END];
    for (size_t bit = 0; bit < CODE_END * 8; bit++) {
        memcpy(bad, small, sizeof bad);
        bad[bit / 8] ^= (uint8_t)(1 << bit % 8);
        instrument(NULL, bad, sizeof bad, NULL, NULL);
    }
}

static toll_status whole(const toll_allocator *allocator, void *user)
{
    (void)user;
    return instrument(allocator, small, CODE_END, NULL, NULL);
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    test_every_allocation(whole, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_module),
        cmocka_unit_test(test_errors_say_what_and_where),
        cmocka_unit_test(test_modules_cut_anywhere),
        cmocka_unit_test(test_any_bit_flipped),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_instrument.c - modules that toll_wasm_instrument refuses, its messages, and lack of memory.
 * tests/instrument tests what the written modules do. */
#include "support.h"

#include "wasm/costs.h"

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

static const char *define(void *user, uint32_t function, uint64_t address, uint32_t *line)
{
    (void)user;
    assert_int_equal(function, 1);
    assert_int_equal(address, 2);
    *line = 7;
    return "g.c";
}

enum { CODE_END = 8 + 11 + 9 + 4 + 7 + 14 };

static void test_a_module(void **state)
{
    (void)state;
    assert_ok(instrument(NULL, small, CODE_END, NULL, err));
    assert_ok(instrument(NULL, small, 8, NULL, err)); /* nothing in it */
}

/* Functions and calls of linked modules are numbered together, to 2^26. An import has a number,
 * too. */
static void test_limits_of_linked_modules(void **state)
{
    (void)state;
    enum { MOST = 67108864, FUNCTIONS = 2 };
    toll_wasm_options options = { .size = sizeof options, .linked = 1 };
    toll_error e;
    options.first_function = MOST - FUNCTIONS;
    options.first_call = MOST;
    assert_ok(instrument(NULL, small, CODE_END, &options, err));
    options.first_function++;
    assert_int_equal(instrument(NULL, small, CODE_END, &options, &e), TOLL_E_LIMIT);
    assert_string_equal(e.text, "m.wasm: linked modules have at most 67108864 functions and calls");
    options.first_function--;
    options.first_call++;
    assert_int_equal(instrument(NULL, small, CODE_END, &options, &e), TOLL_E_LIMIT);
    options.linked = 0; /* they are ignored */
    assert_ok(instrument(NULL, small, CODE_END, &options, err));
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
          "m.wasm: is a component; toll run profiles it in Node, toll instrument or a "
          "ComponentRecorder (Python, Rust) elsewhere" },
        { 4, 2, TOLL_E_UNSUPPORTED, "m.wasm: is of version 2; 1 is known" },
        { 8, 14, TOLL_E_UNSUPPORTED, "m.wasm: at byte 8: a section of kind 14" },
        { 31, 5, TOLL_E_SYNTAX,
          "m.wasm: at byte 32, in the function section: type 5 is no function type" },
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
    toll_wasm_options options = { .size = sizeof options, .only = "(" };
    assert_int_equal(instrument(NULL, small, CODE_END, &options, &e), TOLL_E_ARGUMENT);
}

static void test_options_that_exclude_one_another(void **state)
{
    (void)state;
    const toll_wasm_options heap = { .size = sizeof heap, .heap = 1, .no_calls = 1 };
    const toll_wasm_options nothing = { .size = sizeof nothing, .calls_only = 1, .no_calls = 1 };
    const toll_wasm_options lines = {
        .size = sizeof lines, .calls_only = 1, .no_calls = 1, .lines = 1
    };
    const toll_wasm_options places = {
        .size = sizeof places, .lines = 1, .no_calls = 1, .call_lines = 1
    };
    assert_int_equal(instrument(NULL, small, CODE_END, &heap, NULL), TOLL_E_ARGUMENT);
    assert_int_equal(instrument(NULL, small, CODE_END, &nothing, NULL), TOLL_E_ARGUMENT);
    assert_int_equal(instrument(NULL, small, CODE_END, &places, NULL), TOLL_E_ARGUMENT);
    assert_ok(instrument(NULL, small, CODE_END, &lines, err));
}

static void test_sections_have_an_order(void **state)
{
    (void)state;
    static const uint8_t swapped[] = { 0, 'a', 's', 'm', 1, 0, 0, 0, 2, 1, 0, 1, 1, 0 };
    static const uint8_t twice[] = { 0, 'a', 's', 'm', 1, 0, 0, 0, 5, 1, 0, 5, 1, 0 };
    static const uint8_t tags[] = { 0, 'a', 's', 'm', 1, 0, 0, 0, 5, 1, 0, 13, 1, 0, 6, 1, 0 };
    toll_error e;
    assert_int_equal(instrument(NULL, swapped, sizeof swapped, NULL, &e), TOLL_E_SYNTAX);
    assert_string_equal(e.text, "m.wasm: at byte 11: a section of kind 1 is not in its place, or "
                                "there twice; build or fetch the module again");
    assert_int_equal(instrument(NULL, twice, sizeof twice, NULL, &e), TOLL_E_SYNTAX);
    assert_ok(instrument(NULL, tags, sizeof tags, NULL, err));
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
        const toll_wasm_options options = { .size = sizeof options, .lines = bit % 2 };
        instrument(NULL, bad, sizeof bad, &options, NULL);
    }
}

typedef struct new_module {
    uint8_t data[1000];
    size_t size;
} new_module;

/* The new module in user, a `new_module`: empty before, or the same. */
static toll_status whole(const toll_allocator *allocator, void *user)
{
    new_module *new = user;
    toll_input *in;
    toll_output *out = NULL;
    size_t size = 0;
    const toll_wasm_options options = { .size = sizeof options, .lines = 1, .define = define };
    toll_status status = toll_input_from_memory(allocator, small, CODE_END, "m.wasm", &in, NULL);
    if (status)
        return status;
    status = toll_output_to_memory(allocator, 0, &out, NULL);
    if (!status)
        status = toll_wasm_instrument(allocator, in, &options, out, NULL);
    if (!status)
        status = toll_output_commit(out, NULL);
    const void *data = status ? NULL : toll_output_data(out, &size);
    assert_true(size <= sizeof new->data);
    if (data && new->size) {
        assert_int_equal(size, new->size);
        assert_memory_equal(data, new->data, size);
    } else if (data) {
        memcpy(new->data, data, new->size = size);
    }
    toll_output_free(out);
    toll_input_free(in);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    new_module new = { .size = 0 };
    assert_ok(whole(NULL, &new));
    test_every_allocation(whole, &new);
}

/* --- tables of costs ---------------------------------------------------------------------------*/

static toll_status read_costs(const toll_allocator *a, const char *text, toll_wasm_costs **out,
                              toll_error *err)
{
    toll_input *in;
    toll_status status = toll_input_from_memory(a, text, strlen(text), "dir/my.costs", &in, err);
    if (status)
        return status;
    status = toll_wasm_costs_read(a, in, out, err);
    toll_input_free(in);
    return status;
}

static uint32_t cost_of(const toll_wasm_costs *costs, uint8_t prefix, uint32_t code)
{
    return costs->of[toll_wasm_opcode_find(prefix, code)->number];
}

static void test_costs_built_in(void **state)
{
    (void)state;
    static const uint8_t zero[] = { 0x00, 0x01, 0x02, 0x03, 0x05, 0x0b, 0x0f, 0x1a };
    toll_wasm_costs *one, *fuel, *none;
    toll_error e;
    unsigned zeros = 0;
    assert_ok(toll_wasm_costs_named(NULL, "instructions", &one, err));
    assert_ok(toll_wasm_costs_named(NULL, "fuel", &fuel, err));
    assert_int_equal(one->entry, 0);
    assert_int_equal(fuel->entry, 1);
    for (uint32_t i = 0; i < TOLL_WASM_NUMBERS; i++) {
        assert_int_equal(one->of[i], 1);
        zeros += fuel->of[i] == 0;
        assert_true(fuel->of[i] <= 1);
    }
    assert_int_equal(zeros, sizeof zero);
    for (size_t i = 0; i < sizeof zero; i++)
        assert_int_equal(cost_of(fuel, 0, zero[i]), 0);
    toll_wasm_costs *gas;
    assert_ok(toll_wasm_costs_named(NULL, "cosmwasm", &gas, err));
    static const uint8_t accounting[] = { 0x03, 0x04, 0x05, 0x0b, 0x0c, 0x0d, 0x0e,
                                          0x0f, 0x10, 0x11, 0x12, 0x13, 0x08, 0x0a };
    for (size_t i = 0; i < sizeof accounting; i++)
        assert_int_equal(cost_of(gas, 0, accounting[i]), 1610);
    static const uint8_t others[] = { 0x00, 0x01, 0x02, 0x1a, 0x20, 0x28, 0x41, 0x6a };
    for (size_t i = 0; i < sizeof others; i++)
        assert_int_equal(cost_of(gas, 0, others[i]), 115);
    assert_int_equal(cost_of(gas, 0xfc, 0x0b), 115);  /* memory.fill */
    assert_int_equal(cost_of(gas, 0xfb, 0x18), 1610); /* br_on_cast */
    assert_int_equal(toll_wasm_entry_cost(gas, 29), 0);
    assert_int_equal(toll_wasm_entry_cost(gas, 30), 115);
    assert_int_equal(toll_wasm_entry_cost(gas, UINT32_MAX), (uint64_t)115 * (UINT32_MAX - 29u));
    assert_int_equal(toll_wasm_entry_cost(fuel, 100), 1);
    toll_wasm_costs_free(gas);
    assert_int_equal(toll_wasm_costs_named(NULL, "feul", &none, &e), TOLL_E_ARGUMENT);
    assert_string_equal(e.text, "no table of costs is called 'feul'; there are instructions, "
                                "fuel, pvm and cosmwasm");
    assert_null(none);
    toll_wasm_costs_free(one);
    toll_wasm_costs_free(fuel);
}

static void test_costs_of_a_file(void **state)
{
    (void)state;
    toll_wasm_costs *c;
    assert_ok(
        read_costs(NULL,
                   "# what things cost\n\n i32.add\t3 # here\n*  7#there\r\nentry 4294967295\n"
                   "ref.cast 0\nmemory.copy 20\nf64x2.add 5\ni32.atomic.load 6",
                   &c, err));
    assert_string_equal(c->name, "my.costs");
    assert_int_equal(c->entry, UINT32_MAX);
    assert_int_equal(cost_of(c, 0, 0x6a), 3);
    assert_int_equal(cost_of(c, 0, 0x6b), 7); /* i32.sub */
    assert_int_equal(cost_of(c, 0xfb, 0x16), 0);
    assert_int_equal(cost_of(c, 0xfb, 0x17), 0); /* both forms of ref.cast */
    assert_int_equal(cost_of(c, 0xfc, 0x0a), 20);
    assert_int_equal(cost_of(c, 0xfd, 0xf0), 5);
    assert_int_equal(cost_of(c, 0xfe, 0x10), 6);
    toll_wasm_costs_free(c);
    assert_ok(read_costs(NULL, "drop 2", &c, err));
    assert_int_equal(c->entry, 0);
    assert_int_equal(cost_of(c, 0, 0x1a), 2);
    assert_int_equal(cost_of(c, 0, 0x1b), 1);
    toll_wasm_costs_free(c);
}

static void test_costs_refused(void **state)
{
    (void)state;
    static const char form[] = ": is not NAME COST with a cost of 0 to 4294967295; write such as "
                               "i32.add 1";
    static const struct {
        const char *text, *line, *error;
    } cases[] = {
        { "\ni32.ad 1\n", "2", ": no instruction is called 'i32.ad'; the nearest name is i32.add" },
        { "memory.cpy 1", "1",
          ": no instruction is called 'memory.cpy'; the nearest name is memory.copy" },
        { "i32.add", "1", form },
        { "i32.add 4294967296", "1", form },
        { "i32.add -1", "1", form },
        { "i32.add 1 2", "1", form },
        { "nop 1\nnop 1", "2", ": 'nop' has a cost in line 1 already; take one out" },
        { "* 1\nnop 1\n* 2", "3", ": '*' has a cost in line 1 already; take one out" },
        { "entry 1\nentry 2", "2", ": 'entry' has a cost in line 1 already; take one out" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_wasm_costs *c;
        toll_error e;
        char want[300];
        snprintf(want, sizeof want, "dir/my.costs:%s%s", cases[i].line, cases[i].error);
        assert_int_equal(read_costs(NULL, cases[i].text, &c, &e), TOLL_E_SYNTAX);
        assert_string_equal(e.text, want);
    }
}

static toll_status read_table(const toll_allocator *allocator, void *user)
{
    toll_wasm_costs *costs;
    (void)user;
    toll_status status = read_costs(allocator, "* 2\nnop 1\n", &costs, NULL);
    if (!status)
        toll_wasm_costs_free(costs);
    return status;
}

static void test_costs_when_memory_runs_out(void **state)
{
    (void)state;
    test_every_allocation(read_table, NULL);
}

/* The section toll of `small`, and a function's first ticks: to enter it, and a call. */
static void test_the_section_and_costs_in_code(void **state)
{
    (void)state;
    static const uint8_t section[] = "\4toll\x09\xc8\1\2\0\x08my.costs\x03m.f\1g\1" /* names */
                                     "\6m.wasm\020"
                                     "0ec7ec0b7ba94501\0" /* the module; no compiler */
                                     "\2\1\3g.c\1\7"      /* g: its address, its definition */
                                     "\2\2\1\xeb\7\2\3"   /* two counters, two of them g's */
                                     "\1\1\1\0"           /* a call, g's */
                                     "\0";                /* not prompt */
    static const uint8_t added[] = { 0x23, 0, 0x42, 0xeb, 0x07, 0x7c, 0x24, 0 };
    toll_input *in;
    toll_output *out;
    toll_wasm_costs *costs;
    size_t size, found = 0;
    assert_ok(read_costs(NULL, "entry 1000\ncall 3", &costs, err));
    const toll_wasm_options options = { .size = sizeof options,
                                        .costs = costs,
                                        .max_depth = 200,
                                        .lines = 1,
                                        .define = define,
                                        .call_lines = 1 };
    assert_ok(toll_input_from_memory(NULL, small, CODE_END, "m.wasm", &in, err));
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_wasm_instrument(NULL, in, &options, out, err));
    assert_ok(toll_output_commit(out, err));
    const uint8_t *bytes = toll_output_data(out, &size);
    assert_true(size > sizeof section);
    assert_memory_equal(bytes + size - (sizeof section - 1), section, sizeof section - 1);
    for (size_t at = 0; at + sizeof added <= size; at++)
        found += memcmp(bytes + at, added, sizeof added) == 0;
    assert_int_equal(found, 1);
    toll_output_free(out);
    toll_input_free(in);
    toll_wasm_costs_free(costs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_module),
        cmocka_unit_test(test_limits_of_linked_modules),
        cmocka_unit_test(test_errors_say_what_and_where),
        cmocka_unit_test(test_options_that_exclude_one_another),
        cmocka_unit_test(test_sections_have_an_order),
        cmocka_unit_test(test_modules_cut_anywhere),
        cmocka_unit_test(test_any_bit_flipped),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_costs_built_in),
        cmocka_unit_test(test_costs_of_a_file),
        cmocka_unit_test(test_costs_refused),
        cmocka_unit_test(test_costs_when_memory_runs_out),
        cmocka_unit_test(test_the_section_and_costs_in_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

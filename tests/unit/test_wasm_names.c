/* test_wasm_names.c - names of an instrumented module's functions in its section "toll" are all
 * different. */
#include "demangle/cplus_symbol.h"
#include "support.h"

#include "base/buffer.h"
#include "profile/call_site.h"
#include "wasm/leb.h"
#include "wasm/section_read.h"

static toll_buffer module;

static void put_u32(toll_buffer *out, uint32_t value)
{
    uint8_t bytes[TOLL_WASM_MOST_U32];
    toll_buffer_append(out, bytes, (size_t)(toll_wasm_add_u32(bytes, value) - bytes));
}

static void put_text(toll_buffer *out, const char *text)
{
    put_u32(out, (uint32_t)strlen(text));
    toll_buffer_append_text(out, text);
}

static void put_section(uint8_t id, toll_buffer *body)
{
    toll_buffer_append_byte(&module, id);
    put_u32(&module, (uint32_t)body->size);
    toll_buffer_append(&module, body->data, body->size);
    toll_buffer_clear(body);
}

/* (module (func) (func) ...), `count` of them, called names[i % of]; NULL: without a name. */
static void make_module(uint32_t count, const char *const *names, uint32_t of)
{
    static const uint8_t header[] = { 0, 'a', 's', 'm', 1, 0, 0, 0 };
    toll_mem mem = toll_mem_from(NULL);
    toll_buffer body, map;
    toll_buffer_init(&body, &mem);
    toll_buffer_init(&map, &mem);
    toll_buffer_init(&module, &mem);
    toll_buffer_append(&module, header, sizeof header);
    toll_buffer_append(&body, "\1\x60\0\0", 4);
    put_section(1, &body);
    put_u32(&body, count);
    for (uint32_t i = 0; i < count; i++)
        toll_buffer_append_byte(&body, 0);
    put_section(3, &body);
    put_u32(&body, count);
    for (uint32_t i = 0; i < count; i++)
        toll_buffer_append(&body, "\2\0\x0b", 3);
    put_section(10, &body);
    uint32_t named = 0;
    for (uint32_t i = 0; i < count; i++)
        named += names[i % of] != NULL;
    put_u32(&map, named);
    for (uint32_t i = 0; i < count; i++)
        if (names[i % of]) {
            put_u32(&map, i);
            put_text(&map, names[i % of]);
        }
    put_text(&body, "name");
    toll_buffer_append_byte(&body, 1);
    put_u32(&body, (uint32_t)map.size);
    toll_buffer_append(&body, map.data, map.size);
    put_section(0, &body);
    toll_buffer_free(&body);
    toll_buffer_free(&map);
}

/* The module's new form; the caller's to free. */
static toll_status instrument(const toll_allocator *a, const toll_wasm_options *options,
                              toll_output **out)
{
    toll_input *in;
    toll_status status = toll_input_from_memory(a, module.data, module.size, "m.wasm", &in, NULL);
    if (status)
        return status;
    status = toll_output_to_memory(a, 0, out, NULL);
    if (!status)
        status = toll_wasm_instrument(a, in, options, *out, NULL);
    if (!status)
        status = toll_output_commit(*out, NULL);
    toll_input_free(in);
    return status;
}

/* Read the last section, which is "toll". The caller frees *t before `out`. */
static void read_last_section(toll_output *out, toll_wasm_section_info *t)
{
    static const char start[] = "\4toll\x09";
    toll_mem mem = toll_mem_from(NULL);
    size_t size, at;
    const uint8_t *data = toll_output_data(out, &size);
    for (at = size - sizeof start; at > 0 && memcmp(data + at, start, sizeof start - 1) != 0;)
        at--;
    assert_int_not_equal(at, 0);
    at += strlen("\4toll");
    assert_ok(toll_wasm_section_info_read(t, &mem, data + at, size - at, err));
}

static void assert_text(toll_wasm_bytes bytes, const char *text)
{
    assert_int_equal(bytes.size, strlen(text));
    assert_memory_equal(bytes.data, text, bytes.size);
}

static void hold_names_with(const toll_wasm_options *options, const char *const *names,
                            const char *const *expected, uint32_t count)
{
    toll_wasm_section_info t;
    toll_output *out = NULL;
    make_module(count, names, count);
    assert_ok(instrument(NULL, options, &out));
    read_last_section(out, &t);
    assert_int_equal(t.function_count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_text(t.functions[i].name, expected[i]);
    toll_wasm_section_info_free(&t);
    toll_output_free(out);
    toll_buffer_free(&module);
}

static void hold_names(const char *const *names, const char *const *expected, uint32_t count)
{
    hold_names_with(NULL, names, expected, count);
}

static const char *define(void *user, uint32_t function, uint64_t address, uint32_t *line)
{
    static const char *const files[] = { "a.c", "b.c", "a.c", "a.c", NULL, "d.c" };
    static const uint32_t lines[] = { 3, 3, 4, 3, 0, 1 };
    (void)user;
    (void)address;
    *line = lines[function];
    return files[function];
}

/* What file and line tell apart needs no number: here functions 0 and 3 do, and 4, whose file is
 * not known. A name that looks numbered keeps its number. */
static void test_names_that_file_and_line_tell_apart(void **state)
{
    (void)state;
    static const char *const names[] = { "cmp", "cmp", "cmp", "cmp", "cmp", "cmp#1" };
    static const char *const expected[] = { "cmp#0", "cmp", "cmp", "cmp#3", "cmp#4", "cmp#1#5" };
    const toll_wasm_options options = { .size = sizeof options, .define = define };
    hold_names_with(&options, names, expected, 6);
}

static void test_names_of_several_functions_get_their_numbers(void **state)
{
    (void)state;
    static const char *const names[] = { "cmp", "main", "cmp", NULL, "cmp" };
    static const char *const expected[] = { "cmp#0", "main", "cmp#2", "function[3]", "cmp#4" };
    hold_names(names, expected, 5);
}

static void test_names_that_look_numbered_stay_apart(void **state)
{
    (void)state;
    /* A name that is unique stays, also with a number in it, unless another function gets that
     * name. */
    static const char *const names[] = {
        "f", "f", "f#0", "f#1#2", "g#7", "f#01", "f#", "f#7", "h#8"
    };
    static const char *const expected[] = { "f#0",  "f#1", "f#0#2", "f#1#2", "g#7",
                                            "f#01", "f#",  "f#7",   "h#8" };
    hold_names(names, expected, 9);
    static const char *const chain[] = { "a", "a", "a#1", "a#1#2", "function[5]", NULL };
    static const char *const links[] = { "a#0",     "a#1",           "a#1#2",
                                         "a#1#2#3", "function[5]#4", "function[5]#5" };
    hold_names(chain, links, 6);
}

static void test_names_are_demangled(void **state)
{
    (void)state;
    static const char *const names[] = {
        "_ZN5alloc3vec12Vec$LT$T$GT$4push17h0123456789abcdefE",
        "_ZN5alloc3vec12Vec$LT$T$GT$4push17hfedcba9876543210E",
        "_RNvCs1234_7mycrate3foo",
        "_ZN3foo3barEv",
    };
    const char *expected[] = { "alloc::vec::Vec<T>::push#0", "alloc::vec::Vec<T>::push#1",
                               "mycrate::foo",
                               toll_has_cplus_symbols() ? "foo::bar()" : "_ZN3foo3barEv" };
    hold_names(names, expected, 4);
}

/* Of every function that has one, from the first on. */
static void test_symbols_of_the_linker_are_kept(void **state)
{
    (void)state;
    static const char *const names[] = { "_RNvCs1234_7mycrate3foo", "main",
                                         "_RNvCs1234_7mycrate3bar" };
    toll_output *out = NULL;
    toll_wasm_section_info t;
    make_module(3, names, 3);
    assert_ok(instrument(NULL, NULL, &out));
    read_last_section(out, &t);
    assert_text(t.functions[0].system_name, names[0]);
    assert_text(t.functions[1].system_name, "");
    assert_text(t.functions[2].system_name, names[2]);
    toll_wasm_section_info_free(&t);
    toll_output_free(out);
    toll_buffer_free(&module);
}

/* Time is not measured: at a quadratic cost the test would take minutes. */
static void test_names_of_very_many_functions(void **state)
{
    (void)state;
    static const char *const same[] = { "cmp" }, *const few[] = { "a", "b", "c#1", NULL, "a" };
    toll_output *out = NULL;
    make_module(200000, same, 1);
    assert_ok(instrument(NULL, NULL, &out));
    toll_output_free(out);
    toll_buffer_free(&module);
    make_module(200000, few, 5);
    assert_ok(instrument(NULL, NULL, &out));
    toll_output_free(out);
    toll_buffer_free(&module);
}

/* How many functions report their calls: those have more code. */
static size_t new_size(const char *only, const char *skip)
{
    const toll_wasm_options options = { .size = sizeof options, .only = only, .skip = skip };
    toll_output *out = NULL;
    size_t size;
    assert_ok(instrument(NULL, &options, &out));
    toll_output_data(out, &size);
    toll_output_free(out);
    return size;
}

static void test_patterns_match_a_name_with_and_without_its_number(void **state)
{
    (void)state;
    static const char *const names[] = { "cmp", "main", "cmp" };
    make_module(3, names, 3);
    size_t both = new_size("^cmp$", NULL), one = new_size("^cmp#2$", NULL);
    assert_true(new_size("^nothing$", NULL) < one && one < both);
    assert_int_equal(new_size(NULL, "^main$"), both);
    assert_int_equal(new_size(NULL, "^main$|^cmp#0$"), one);
    assert_int_equal(new_size(NULL, "^cmp$"), new_size("^main$", NULL));
    toll_buffer_free(&module);
}

static void test_allocators_are_known_with_a_number(void **state)
{
    (void)state;
    assert_true(toll_is_allocator("malloc#7", NULL));
    assert_true(toll_is_allocator("operator new(unsigned long)#7", NULL));
    assert_true(toll_is_allocator("operator_new_impl(unsigned long)", NULL));
    assert_true(
        toll_is_allocator("operator_new_aligned_impl(unsigned long, std::align_val_t)", NULL));
    assert_false(toll_is_allocator("mallocate#7", NULL));
}

static toll_status read_two(const toll_allocator *allocator, void *user)
{
    static const toll_wasm_options options = { .size = sizeof options, .only = "cmp" };
    (void)user;
    toll_output *out = NULL;
    toll_status status = instrument(allocator, &options, &out);
    toll_output_free(out);
    return status;
}

static void test_names_when_memory_runs_out(void **state)
{
    (void)state;
    static const char *const names[] = { "cmp", "cmp", "_RNvCs1234_7mycrate3foo" };
    make_module(3, names, 3);
    test_every_allocation(read_two, NULL);
    toll_buffer_free(&module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_that_file_and_line_tell_apart),
        cmocka_unit_test(test_names_of_several_functions_get_their_numbers),
        cmocka_unit_test(test_names_that_look_numbered_stay_apart),
        cmocka_unit_test(test_names_are_demangled),
        cmocka_unit_test(test_symbols_of_the_linker_are_kept),
        cmocka_unit_test(test_names_of_very_many_functions),
        cmocka_unit_test(test_patterns_match_a_name_with_and_without_its_number),
        cmocka_unit_test(test_allocators_are_known_with_a_number),
        cmocka_unit_test(test_names_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

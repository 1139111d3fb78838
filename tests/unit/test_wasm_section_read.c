/* test_wasm_section_read.c - a host reads the section "toll": valid, cut, damaged, or without
 * memory. */
#include "support.h"

#include "wasm/section_read.h"

#include "base/lz4.h"

/* As toll/wasm.h has it: an import f and functions g (in g.c, line 7) and h, whose module is
 * m.wasm; two counters of g, one of h; a call in g, two in h, and the symbols of f and h. */
#define REST                                                                                       \
    "\1f\1g\1h\1\6m.wasm\2ab\2cc\2\x20\1\3g."                                                      \
    "c\1\7\0\3\2\1\5\2\xff\xff\xff\xff\xff\1\1\0\3"                                                \
    "\3\1\4\2\1\6\2\0\2_f\2\2_h"
static const uint8_t section[] = "\x09\xc8\1\3\0\4mine" REST "\1";
/* As version 8 had it, and version 7. */
static const uint8_t version_8[] = "\x08\xc8\1\3\0\4mine" REST;
static const uint8_t version_7[] = "\7\xc8\1\4mine\3" REST;
enum { SIZE = sizeof section - 1, HEAD = 5 };

/* The section with its content packed; the caller's to free. */
static toll_buffer packed_section(void)
{
    toll_mem mem = toll_mem_from(NULL);
    toll_buffer packed;
    toll_buffer_init(&packed, &mem);
    toll_buffer_append(&packed, section, HEAD - 1);
    toll_buffer_append_byte(&packed, SIZE - HEAD);
    toll_lz4_append(&packed, section + HEAD, SIZE - HEAD);
    assert_false(packed.failed);
    return packed;
}

static toll_status read_section(const toll_allocator *allocator, const uint8_t *data, size_t size,
                                toll_error *e)
{
    toll_mem mem = toll_mem_from(allocator);
    toll_wasm_section_info t;
    toll_status status = toll_wasm_section_info_read(&t, &mem, data, size, e);
    toll_wasm_section_info_free(&t);
    return status;
}

static void assert_bytes(toll_wasm_bytes bytes, const char *text)
{
    assert_int_equal(bytes.size, strlen(text));
    assert_memory_equal(bytes.data, text, bytes.size);
}

static void hold_section(const uint8_t *data, size_t size, bool is_prompt)
{
    toll_mem mem = toll_mem_from(NULL);
    toll_wasm_section_info t;
    assert_ok(toll_wasm_section_info_read(&t, &mem, data, size, err));
    assert_int_equal(t.max_depth, 200);
    assert_int_equal(t.is_prompt, is_prompt);
    assert_false(t.is_linked);
    assert_bytes(t.costs, "mine");
    assert_bytes(t.file, "m.wasm");
    assert_bytes(t.build_id, "ab");
    assert_bytes(t.compilers, "cc");
    assert_int_equal(t.function_count, 3);
    assert_int_equal(t.imported, 1);
    assert_bytes(t.functions[0].name, "f");
    assert_bytes(t.functions[1].file, "g.c");
    assert_int_equal(t.functions[1].line, 7);
    assert_int_equal(t.functions[1].address, 2);
    assert_bytes(t.functions[2].file, "");
    assert_int_equal(t.functions[2].address, 34);
    assert_int_equal(t.counter_count, 3);
    assert_int_equal(t.counters[0].address, 3);
    assert_int_equal(t.counters[0].cost, 5);
    assert_int_equal(t.counters[1].address, 5);
    assert_int_equal(t.counters[1].cost, (1ull << 36) - 1);
    assert_int_equal(t.counters[2].function, 2);
    assert_int_equal(t.counters[2].address, 34);
    assert_bytes(t.functions[0].system_name, "_f");
    assert_bytes(t.functions[1].system_name, "");
    assert_bytes(t.functions[2].system_name, "_h");
    assert_int_equal(t.call_count, 3);
    assert_int_equal(t.calls[0].function, 1);
    assert_int_equal(t.calls[0].address, 6);
    assert_int_equal(t.calls[1].address, 35);
    assert_int_equal(t.calls[2].function, 2);
    assert_int_equal(t.calls[2].address, 41);
    toll_wasm_section_info_free(&t);
}

static void test_a_section(void **state)
{
    (void)state;
    toll_buffer packed = packed_section();
    hold_section(section, SIZE, true);
    hold_section(packed.data, packed.size, true);
    hold_section(version_8, sizeof version_8 - 1, false);
    hold_section(version_7, sizeof version_7 - 1, false);
    toll_buffer_free(&packed);
}

static void hold_cut_and_damaged(const uint8_t *data, size_t size)
{
    uint8_t bad[2 * SIZE];
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(read_section(NULL, data, cut, NULL), TOLL_E_SYNTAX);
    for (size_t bit = 0; bit < size * 8; bit++) {
        memcpy(bad, data, size);
        bad[bit / 8] ^= (uint8_t)(1 << bit % 8);
        read_section(NULL, bad, size, NULL);
    }
}

static void test_sections_cut_and_damaged(void **state)
{
    (void)state;
    toll_error e;
    toll_buffer packed = packed_section();
    hold_cut_and_damaged(section, SIZE);
    hold_cut_and_damaged(packed.data, packed.size);
    hold_cut_and_damaged(version_7, sizeof version_7 - 1);
    hold_cut_and_damaged(version_8, sizeof version_8 - 1);
    toll_buffer_free(&packed);
    assert_int_equal(read_section(NULL, section, SIZE + 1, &e), TOLL_E_SYNTAX); /* with its NUL */
    assert_string_equal(e.text, "section toll is damaged; instrument the module again");
    assert_int_equal(read_section(NULL, (const uint8_t *)"\3", 1, &e), TOLL_E_UNSUPPORTED);
    assert_string_equal(e.text, "section toll of version 3, not 9; instrument the module again");
}

static toll_status read_whole(const toll_allocator *allocator, void *user)
{
    const toll_buffer *packed = user;
    return read_section(allocator, packed->data, packed->size, NULL);
}

static void test_when_memory_runs_out(void **state)
{
    (void)state;
    toll_buffer packed = packed_section();
    test_every_allocation(read_whole, &packed);
    toll_buffer_free(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_section),
        cmocka_unit_test(test_sections_cut_and_damaged),
        cmocka_unit_test(test_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_go_table.c - wasm/go_table.h: reads Go's names, files and lines from the data segments. */
#include "support.h"

#include "base/buffer.h"
#include "wasm/go_table.h"
#include "wasm/leb.h"

/* Where the parts of the table are, from its beginning. */
enum {
    NAMES = 72,
    UNITS = 96,
    FILES = 104,
    COUNTERS = 116,
    ROWS = 124,
    LAST = 64,
    SIZE = UNITS + 4 * LAST + 8,
    AT = 4096
};

static uint8_t table[SIZE];

static void put(size_t at, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        table[at + i] = (uint8_t)(value >> (8 * i));
}

/* Two functions: main.a in x.go:3, main.(*T).b in y.go:7. `first`: the first program counter. */
static void make_table(uint64_t first, const uint32_t entries[2])
{
    const uint64_t header[] = { 2, 2, first, NAMES, UNITS, FILES, COUNTERS, ROWS };
    memset(table, 0, sizeof table);
    memcpy(table, "\xf1\xff\xff\xff\0\0\1\x08", 8);
    for (unsigned i = 0; i < 8; i++)
        put(8 + 8 * i, header[i], 8);
    memcpy(table + NAMES, "main.a\0main.(*T).b", 19);
    put(UNITS + 4 * LAST, 5, 4); /* file 0 at 0, the last one at 5 */
    memcpy(table + FILES, "x.go\0y.go", 10);
    memcpy(table + COUNTERS, "\0\2\1\x82\1\1", 6); /* at 1: -1 + 1; at 3: -1 + 65, in two bytes */
    for (unsigned i = 0; i < 2; i++) {
        size_t f = ROWS + 20 + 44 * i;
        put(ROWS + 8 * i, entries[i], 4);
        put(ROWS + 8 * i + 4, f - ROWS, 4);
        put(f + 4, i ? 7 : 0, 4);
        put(f + 20, i ? 3 : 1, 4);
        put(f + 36, i ? 7 : 3, 4);
    }
}

static void put_u32(toll_buffer *out, uint32_t value)
{
    uint8_t bytes[TOLL_WASM_MOST_U32];
    toll_buffer_append(out, bytes, (size_t)(toll_wasm_add_u32(bytes, value) - bytes));
}

static void put_section(toll_buffer *out, uint8_t id, const void *data, size_t size)
{
    toll_buffer_append_byte(out, id);
    put_u32(out, (uint32_t)size);
    toll_buffer_append(out, data, size);
}

/* A segment for table[from..to), of an address that takes two bytes. */
static void put_segment(toll_buffer *out, size_t from, size_t to)
{
    uint32_t address = AT + (uint32_t)from;
    const uint8_t start[] = { 0, 0x41, (uint8_t)(address | 0x80), (uint8_t)(address >> 7), 0x0b };
    toll_buffer_append(out, start, sizeof start);
    put_u32(out, (uint32_t)(to - from));
    toll_buffer_append(out, table + from, to - from);
}

/* A module of two functions, with the table in two segments, the later one first, between which the
 * zeros at 18 to 24 are left out. */
static void make_module(toll_buffer *out, const char *custom)
{
    toll_buffer data;
    toll_buffer_init(&data, &out->mem);
    toll_buffer_append(out, "\0asm\1\0\0", 8);
    put_section(out, 0, custom, (size_t)custom[0] + 1);
    put_section(out, 1, "\1\x60\0\0", 4);
    put_section(out, 3, "\2\0\0", 3);
    put_section(out, 5, "\1\0\1", 3);
    put_section(out, 10, "\2\2\0\x0b\2\0\x0b", 7);
    put_u32(&data, 2);
    put_segment(&data, 24, SIZE);
    put_segment(&data, 0, 18);
    put_section(out, 11, data.data, data.size);
    toll_buffer_free(&data);
}

static toll_wasm_module module;

static toll_wasm_go_function *read_bytes(const toll_mem *mem, const uint8_t *data, size_t size)
{
    toll_wasm_go_function *functions = NULL;
    toll_error e;
    if (toll_wasm_module_read(&module, mem, "m", data, size, &e) == TOLL_OK)
        assert_true(toll_wasm_read_go_table(&module, &functions));
    return functions;
}

static void let_go(toll_wasm_go_function *functions)
{
    toll_mem_free(&module.mem, functions, module.function_count + 1, sizeof *functions);
    toll_wasm_module_free(&module);
}

static void assert_text(toll_wasm_bytes text, const char *expected)
{
    assert_int_equal(text.size, strlen(expected));
    assert_memory_equal(text.data, expected, text.size);
}

static void assert_functions(const char *custom, bool is_found)
{
    const toll_mem mem = toll_mem_from(NULL);
    toll_buffer bytes;
    toll_buffer_init(&bytes, &mem);
    make_module(&bytes, custom);
    toll_wasm_go_function *f = read_bytes(&mem, bytes.data, bytes.size);
    assert_int_equal(f != NULL, is_found);
    if (f) {
        assert_text(f[0].name, "main.a");
        assert_text(f[0].file, "x.go");
        assert_int_equal(f[0].line, 3);
        assert_text(f[1].name, "main.(*T).b");
        assert_text(f[1].file, "y.go");
        assert_int_equal(f[1].line, 7);
    }
    let_go(f);
    toll_buffer_free(&bytes);
}

/* Of Go 1.26, where functions are numbers, and before, where they are program counters. */
static void test_go_table_of_both_forms(void **state)
{
    (void)state;
    make_table(0, (const uint32_t[]){ 0x1000, 0x1001 });
    assert_functions("\x0ago:buildid", true);
    make_table(0x10000000, (const uint32_t[]){ 0, 0x10000 });
    assert_functions("\x0ago:buildid", true);
    assert_functions("\x0ago.buildid", true);
}

static void test_go_table_of_other_languages_is_not_looked_for(void **state)
{
    (void)state;
    make_table(0, (const uint32_t[]){ 0x1000, 0x1001 });
    assert_functions("\x04name", false);
}

static void test_go_table_of_another_version_is_none(void **state)
{
    (void)state;
    make_table(0, (const uint32_t[]){ 0x1000, 0x1001 });
    table[0] = 0xf0;
    assert_functions("\x0ago:buildid", false);
    make_table(0, (const uint32_t[]){ 0x1000, 0x1001 });
    put(8, 3, 8); /* more functions than the module */
    assert_functions("\x0ago:buildid", false);
}

/* Whatever is in it, nothing but the module's bytes is read: the sanitizers see to that. */
static void test_go_table_that_is_damaged(void **state)
{
    const toll_mem mem = toll_mem_from(NULL);
    (void)state;
    make_table(0x10000000, (const uint32_t[]){ 0, 0x10000 });
    toll_buffer bytes;
    toll_buffer_init(&bytes, &mem);
    make_module(&bytes, "\x0ago:buildid");
    for (size_t i = 0; i < bytes.size; i++)
        for (unsigned change = 1; change < 256; change += 2) {
            bytes.data[i] ^= (uint8_t)change;
            let_go(read_bytes(&mem, bytes.data, bytes.size));
            bytes.data[i] ^= (uint8_t)change;
        }
    toll_buffer_free(&bytes);
}

static toll_status read_once(const toll_allocator *a, void *user)
{
    const toll_buffer *bytes = user;
    toll_mem mem = toll_mem_from(a);
    toll_wasm_go_function *f = NULL;
    toll_error e;
    toll_status status = toll_wasm_module_read(&module, &mem, "m", bytes->data, bytes->size, &e);
    if (!status && !toll_wasm_read_go_table(&module, &f))
        status = toll_fail_nomem(&e);
    let_go(f);
    return status;
}

static void test_go_table_without_memory(void **state)
{
    const toll_mem mem = toll_mem_from(NULL);
    (void)state;
    make_table(0, (const uint32_t[]){ 0x1000, 0x1001 });
    toll_buffer bytes;
    toll_buffer_init(&bytes, &mem);
    make_module(&bytes, "\x0ago:buildid");
    test_allocations(read_once, &bytes, true);
    toll_buffer_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_go_table_of_both_forms),
        cmocka_unit_test(test_go_table_of_other_languages_is_not_looked_for),
        cmocka_unit_test(test_go_table_of_another_version_is_none),
        cmocka_unit_test(test_go_table_that_is_damaged),
        cmocka_unit_test(test_go_table_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_imports.c - the import section, in its plain and its compact form; and what proposals bring
 * to a module's types and imports that is not known here. */
#include "support.h"

#include "base/buffer.h"
#include "wasm/wasm_module.h"

#define HEADER 0, 'a', 's', 'm', 1, 0, 0, 0
#define TYPES 1, 4, 1, 0x60, 0, 0

static toll_status read_module(toll_wasm_module *m, const uint8_t *data, size_t size, toll_error *e)
{
    toll_mem mem = toll_mem_from(NULL);
    return toll_wasm_module_read(m, &mem, "m.wasm", data, size, e);
}

/* ("p" "q"), then "env" with ("a") and a global ("g"), then "x" with functions ("b"), ("c"), ("d"),
 * then none of "no", then ("y" ""). */
static const uint8_t compact[] = {
    HEADER, TYPES,                     /* then the section */
    2,      47,    5,                  /* entries */
    1,      'p',   1,   'q',  0,    0, /* plain */
    3,      'e',   'n', 'v',  0,    0x7f, 2, 1, 'a', 0, 0,   1, 'g', 3, 0x7f, 0, /* of one module */
    1,      'x',   0,   0x7e, 0,    0,    3, 1, 'b', 1, 'c', 1, 'd', /* and of one type */
    2,      'n',   'o', 0,    0x7f, 0,                               /* none */
    1,      'y',   0,   0,    0,                                     /* plain, without a name */
};

static const struct {
    const char *module, *name;
} functions[] = { { "p", "q" }, { "env", "a" }, { "x", "b" },
                  { "x", "c" }, { "x", "d" },   { "y", "" } };
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void assert_text(toll_wasm_bytes bytes, const char *text)
{
    assert_int_equal(bytes.size, strlen(text));
    assert_memory_equal(bytes.data ? bytes.data : (const uint8_t *)"", text, bytes.size);
}

static void test_compact_imports_are_read(void **state)
{
    (void)state;
    toll_wasm_module m;
    assert_ok(read_module(&m, compact, sizeof compact, err));
    assert_int_equal(m.imported_functions, FUNCTIONS);
    assert_int_equal(m.imported_globals, 1);
    for (uint32_t f = 0; f < FUNCTIONS; f++) {
        assert_text(m.functions[f].module, functions[f].module);
        assert_text(m.functions[f].name, functions[f].name);
    }
    assert_true(toll_wasm_imports_from(&m, "env"));
    assert_true(toll_wasm_imports_from(&m, "y"));
    assert_false(toll_wasm_imports_from(&m, "no"));
    assert_false(toll_wasm_imports_from(&m, "en"));
    assert_true(toll_wasm_find_import(&m, TOLL_WASM_KIND_GLOBAL, "env", "g"));
    assert_true(toll_wasm_find_import(&m, TOLL_WASM_KIND_FUNCTION, NULL, "d"));
    assert_true(toll_wasm_find_import(&m, TOLL_WASM_KIND_FUNCTION, "x", "d"));
    assert_false(toll_wasm_find_import(&m, TOLL_WASM_KIND_FUNCTION, "env", "d"));
    assert_false(toll_wasm_find_import(&m, TOLL_WASM_KIND_FUNCTION, NULL, "g"));
    toll_wasm_module_free(&m);
}

/* The same module with imports of the plain form is instrumented the same: all behind the section
 * of imports has the same bytes. */
static void test_compact_imports_are_as_plain_ones(void **state)
{
    static const uint8_t plain[] = {
        HEADER, TYPES, 2, 47,  7, /* then what the entries above mean */
        1,      'p',   1, 'q', 0,   0,    3,   'e', 'n', 'v', 1,   'a', 0, 0, 3,   'e',
        'n',    'v',   1, 'g', 3,   0x7f, 0,   1,   'x', 1,   'b', 0,   0, 1, 'x', 1,
        'c',    0,     0, 1,   'x', 1,    'd', 0,   0,   1,   'y', 0,   0, 0,
    };
    toll_buffer both[2];
    toll_mem mem = toll_mem_from(NULL);
    (void)state;
    for (int i = 0; i < 2; i++) {
        toll_input *in;
        toll_output *out;
        toll_wasm_module m;
        size_t size;
        assert_ok(i ? toll_input_from_memory(NULL, plain, sizeof plain, "m.wasm", &in, err)
                    : toll_input_from_memory(NULL, compact, sizeof compact, "m.wasm", &in, err));
        assert_ok(toll_output_to_memory(NULL, 0, &out, err));
        assert_ok(toll_wasm_instrument(NULL, in, NULL, out, err));
        assert_ok(toll_output_commit(out, err));
        const uint8_t *data = toll_output_data(out, &size);
        assert_ok(read_module(&m, data, size, err));
        const toll_wasm_section *imports = toll_wasm_find_section(&m, TOLL_WASM_IMPORTS);
        size_t end = (size_t)(imports->whole.data + imports->whole.size - data);
        toll_buffer_init(&both[i], &mem);
        assert_true(toll_buffer_append(&both[i], data + end, size - end));
        toll_wasm_module_free(&m);
        toll_output_free(out);
        toll_input_free(in);
    }
    assert_int_equal(both[0].size, both[1].size);
    assert_true(both[0].size > 100);
    assert_memory_equal(both[0].data, both[1].data, both[0].size);
    toll_buffer_free(&both[0]);
    toll_buffer_free(&both[1]);
}

/* Toll's own imports follow those of the module, whose entries stay as they are. */
static void test_compact_imports_are_kept(void **state)
{
    (void)state;
    toll_input *in;
    toll_output *out;
    toll_wasm_module m;
    size_t size;
    assert_ok(toll_input_from_memory(NULL, compact, sizeof compact, "m.wasm", &in, err));
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_wasm_instrument(NULL, in, NULL, out, err));
    assert_ok(toll_output_commit(out, err));
    const uint8_t *data = toll_output_data(out, &size);
    assert_ok(read_module(&m, data, size, err));
    for (uint32_t f = 0; f < FUNCTIONS; f++)
        assert_text(m.functions[f].name, functions[f].name);
    assert_true(m.imported_functions > FUNCTIONS);
    assert_text(m.functions[FUNCTIONS].module, "toll");
    toll_wasm_module_free(&m);
    toll_output_free(out);
    toll_input_free(in);
}

static void test_compact_imports_cut_anywhere(void **state)
{
    enum { SECTION = 14 }; /* where it begins */
    uint8_t cut[sizeof compact];
    (void)state;
    for (uint8_t size = 1; size < sizeof compact - SECTION - 2; size++) {
        toll_wasm_module m;
        toll_error e;
        memcpy(cut, compact, sizeof cut);
        cut[SECTION + 1] = size;
        assert_int_not_equal(read_module(&m, cut, SECTION + 2u + size, &e), TOLL_OK);
        assert_non_null(strstr(e.text, "import section"));
        toll_wasm_module_free(&m);
    }
}

/* --- what is not known -------------------------------------------------------------------------*/

#define BYTES(...)                                                                                 \
    (const uint8_t[]){ HEADER, __VA_ARGS__ }, sizeof((const uint8_t[]){ HEADER, __VA_ARGS__ })
#define LACKS(what, proposal)                                                                      \
    what " is of the proposal " proposal ", which is not known here; build the module without it"

static const struct {
    const uint8_t *bytes;
    size_t size;
    const char *error;
} refused[] = {
    { BYTES(1, 3, 1, 0x5d, 0),
      LACKS("byte 11, in the type section: a continuation type", "stack switching") },
    { BYTES(1, 5, 1, 0x65, 0x60, 0, 0),
      LACKS("byte 11, in the type section: a shared type", "shared-everything threads") },
    { BYTES(1, 5, 1, 0x4d, 1, 0x5f, 0),
      LACKS("byte 11, in the type section: a type with a descriptor", "custom descriptors") },
    { BYTES(1, 5, 1, 0x4c, 1, 0x5f, 0),
      LACKS("byte 11, in the type section: a type with a descriptor", "custom descriptors") },
    { BYTES(1, 5, 1, 0x60, 1, 0x67, 0), "of the proposal reference-typed strings, which is not" },
    { BYTES(1, 3, 1, 0x5c, 0), "byte 11, in the type section: a type of form 0x5c" },
    { BYTES(TYPES, 2, 7, 1, 1, 'm', 1, 'f', 0x20, 0),
      LACKS("byte 21, in the import section: an exact import", "custom descriptors") },
    { BYTES(2, 8, 1, 1, 'm', 1, 'g', 3, 0x7f, 2),
      LACKS("byte 17, in the import section: a shared global", "shared-everything threads") },
    { BYTES(2, 8, 1, 1, 'm', 1, 'm', 2, 0x10, 1),
      "byte 16, in the import section: limits of kind 0x10" },
    { BYTES(2, 7, 1, 1, 'm', 1, 'f', 0x7f, 0),
      "byte 15, in the import section: an import of kind 127" },
};

/* Also in the middle of plain instructions, which are copied without being decoded. */
static void test_an_array_access_among_plain_instructions(void **state)
{
    static const uint8_t module[] = {
        HEADER, TYPES, 3, 2,  1, 0,    5, 3,    1,    0, 1, /* a function, a memory */
        10,     16,    1, 14, 0, 0x41, 0, 0x28, 0x22, 0, 0, 0x1a, 1, 1, 1, 1, 1, 0x0b, /* code */
    };
    toll_input *in;
    toll_output *out;
    toll_error e;
    (void)state;
    assert_ok(toll_input_from_memory(NULL, module, sizeof module, "m.wasm", &in, err));
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_int_equal(toll_wasm_instrument(NULL, in, NULL, out, &e), TOLL_E_UNSUPPORTED);
    assert_string_equal(e.text, "m.wasm: at byte 31, in the code section: " LACKS(
                                    "an access of an array's bytes", "multibyte array access"));
    toll_output_free(out);
    toll_input_free(in);
}

static void test_what_is_not_known_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        toll_wasm_module m;
        toll_error e;
        assert_int_equal(read_module(&m, refused[i].bytes, refused[i].size, &e),
                         TOLL_E_UNSUPPORTED);
        if (!strstr(e.text, refused[i].error))
            fail_msg("case %zu: %s", i, e.text);
        toll_wasm_module_free(&m);
    }
}

/* Memories may have limits of each kind that is known: of 64 bits, shared, of small pages. */
static void test_limits(void **state)
{
    (void)state;
    static const struct {
        uint8_t flags, size;
    } kinds[] = { { 0, 0 }, { 1, 1 }, { 3, 1 }, { 4, 0 }, { 5, 1 }, { 7, 1 }, { 8, 1 }, { 15, 2 } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint8_t bytes[] = { HEADER, 2, 0, 1, 1, 'm', 1, 'm', 2, kinds[i].flags, 1, 1, 1 };
        toll_wasm_module m;
        bytes[9] = (uint8_t)(8 + kinds[i].size);
        assert_ok(read_module(&m, bytes, sizeof bytes - 2u + kinds[i].size, err));
        assert_int_equal(m.memory_count, 1);
        toll_wasm_module_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compact_imports_are_read),
        cmocka_unit_test(test_compact_imports_are_kept),
        cmocka_unit_test(test_compact_imports_are_as_plain_ones),
        cmocka_unit_test(test_compact_imports_cut_anywhere),
        cmocka_unit_test(test_what_is_not_known_is_named),
        cmocka_unit_test(test_an_array_access_among_plain_instructions),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

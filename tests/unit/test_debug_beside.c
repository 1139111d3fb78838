/* test_debug_beside.c - the folder and the name in a program's path, with the separators of the
 * system. */
#include "support_stretch.h"

#include "debug/debug_beside.h"

static void expect_beside(const char *path, const char *name, const char *expected)
{
    toll_mem mem = toll_mem_from(NULL);
    toll_buffer room;
    toll_buffer_init(&room, &mem);
    assert_string_equal(toll_debug_beside(&room, path, name, strlen(name)), expected);
    toll_buffer_free(&room);
}

/* Whatever system the name is of, its last part is used. */
static void test_files_are_beside_the_program(void **state)
{
    (void)state;
    expect_beside("app.wasm", "/build/tiny.dwo", "tiny.dwo");
    expect_beside("out/app.wasm", "https://host/app.map", "out/app.map");
    expect_beside("/out/app.wasm", "C:\\build\\tiny.dwo", "/out/tiny.dwo");
#ifdef _WIN32
    expect_beside("out\\app.wasm", "/build/tiny.dwo", "out\\tiny.dwo");
    expect_beside("C:\\my/out\\app.wasm", "tiny.dwo", "C:\\my/out\\tiny.dwo");
    expect_beside("C:\\my\\out/app.wasm", "tiny.dwo", "C:\\my\\out/tiny.dwo");
    expect_beside("C:app.wasm", "tiny.dwo", "C:tiny.dwo");
#else
    expect_beside("out/a\\b.wasm", "tiny.dwo", "out/tiny.dwo");
#endif
}

/* A profile without a build id is of the program with the name of its module. */
static void expect_match(const char *path)
{
    uint64_t cost, address = first_stretch(&cost);
    toll_input *in;
    toll_debug *d;
    toll_profile *p = recorded(NULL, "", address, 10 * (int64_t)cost), *q;
    assert_ok(toll_input_from_memory(NULL, tiny_dwarf5, sizeof tiny_dwarf5, path, &in, err));
    assert_ok(toll_debug_read(NULL, in, &d, err));
    const toll_debug *debugs[] = { d };
    assert_ok(toll_profile_symbolize(p, debugs, 1, NULL, &q, err));
    toll_profile_free(q);
    toll_profile_free(p);
    toll_debug_free(d);
    toll_input_free(in);
}

static void test_a_program_is_known_by_its_name(void **state)
{
    (void)state;
    expect_match("app.wasm");
    expect_match("/out/app.wasm");
#ifdef _WIN32
    expect_match("C:\\out\\app.wasm");
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_are_beside_the_program),
        cmocka_unit_test(test_a_program_is_known_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_arguments_debug.c - wrong arguments that the functions of toll/debug.h refuse. */
#include "support_arguments.h"

static toll_debug *debug_of_empty(void)
{
    static const uint8_t empty[] = { 0, 'a', 's', 'm', 1, 0, 0, 0 };
    toll_input *in;
    toll_debug *d;
    assert_ok(toll_input_from_memory(NULL, empty, sizeof empty, "empty", &in, err));
    assert_ok(toll_debug_read(NULL, in, &d, err));
    toll_input_free(in);
    return d;
}

static void test_toll_debug_open(void **state)
{
    (void)state;
    toll_debug *d = test_stale();
    assert_argument(toll_debug_open(NULL, NULL, &d, err));
    assert_null(d);
    assert_argument(toll_debug_open(NULL, "x", NULL, err));
}

static void test_toll_debug_open_functions(void **state)
{
    (void)state;
    toll_debug *d = test_stale();
    assert_argument(toll_debug_open_functions(NULL, NULL, &d, err));
    assert_null(d);
    assert_argument(toll_debug_open_functions(NULL, "x", NULL, err));
}

static void test_toll_debug_read(void **state)
{
    (void)state;
    toll_debug *d = test_stale();
    toll_input *in;
    assert_ok(toll_input_from_memory(NULL, NULL, 0, "empty", &in, err));
    assert_argument(toll_debug_read(NULL, in, NULL, err));
    assert_int_equal(toll_debug_read(NULL, in, &d, NULL), TOLL_E_UNSUPPORTED);
    assert_null(d);
    toll_input_free(in);
}

static toll_status take_debug(void *user, toll_debug *debug, toll_error *e)
{
    (void)user;
    (void)e;
    toll_debug_free(debug);
    return TOLL_OK;
}

static void test_toll_debug_read_component(void **state)
{
    (void)state;
    toll_input *in;
    assert_ok(toll_input_from_memory(NULL, NULL, 0, "empty", &in, err));
    assert_argument(toll_debug_read_component(NULL, in, NULL, NULL, err));
    assert_int_equal(toll_debug_read_component(NULL, in, take_debug, NULL, NULL),
                     TOLL_E_UNSUPPORTED);
    toll_input_free(in);
}

static void test_toll_debug_read_functions(void **state)
{
    (void)state;
    toll_debug *d = test_stale();
    toll_input *in;
    assert_ok(toll_input_from_memory(NULL, NULL, 0, "empty", &in, err));
    assert_argument(toll_debug_read_functions(NULL, in, NULL, err));
    assert_int_equal(toll_debug_read_functions(NULL, in, &d, NULL), TOLL_E_UNSUPPORTED);
    assert_null(d);
    toll_input_free(in);
}

static void test_toll_debug_free(void **state)
{
    (void)state;
    toll_debug_free(NULL);
}

static void test_toll_debug_find_function(void **state)
{
    (void)state;
    toll_debug *d = debug_of_empty();
    assert_int_equal(toll_debug_find_function(d, 1, NULL), 0);
    toll_debug_free(d);
}

static void test_toll_debug_function_at(void **state)
{
    (void)state;
    toll_debug *d = debug_of_empty();
    assert_int_equal(toll_debug_function_at(d, 0, NULL), 0);
    toll_debug_free(d);
}

static void test_toll_debug_places(void **state)
{
    (void)state;
    toll_debug *d = debug_of_empty();
    assert_int_equal(toll_debug_places(d, 1, NULL, 0), 0);
    assert_int_equal(toll_debug_places(d, 1, NULL, 5), 0);
    toll_debug_free(d);
}

static void test_toll_debug_source_map(void **state)
{
    (void)state;
    toll_debug *d = debug_of_empty();
    assert_string_equal(toll_debug_source_map(d), "");
    toll_debug_free(d);
}

static void test_toll_debug_source(void **state)
{
    (void)state;
    toll_debug *d = debug_of_empty();
    const char *text = "stale";
    size_t size = 7;
    assert_int_equal(toll_debug_source(d, "", &text, &size), 0);
    assert_null(text);
    assert_int_equal(size, TOLL_SOURCE_MISSING);
    assert_int_equal(toll_debug_source(d, NULL, NULL, NULL), 0);
    toll_debug_free(d);
}

static void test_toll_profile_symbolize(void **state)
{
    (void)state;
    toll_profile *p, *q = test_stale();
    toll_debug *d = debug_of_empty();
    const toll_debug *debugs[] = { d };
    toll_symbolize_options no_size = { .size = 0 };
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_argument(toll_profile_symbolize(p, NULL, 1, NULL, &q, err));
    assert_null(q);
    assert_argument(toll_profile_symbolize(p, debugs, 1, &no_size, &q, err));
    assert_argument(toll_profile_symbolize(p, debugs, 1, NULL, NULL, err));
    assert_int_equal(toll_profile_symbolize(p, debugs, 1, NULL, &q, NULL), TOLL_E_NOT_FOUND);
    assert_ok(toll_profile_symbolize(p, NULL, 0, NULL, &q, err));
    toll_profile_free(q);
    toll_profile_free(p);
    toll_debug_free(d);
}

static void test_toll_assembly_create(void **state)
{
    (void)state;
    toll_debug *d = debug_of_empty();
    const toll_debug *debugs[] = { d };
    toll_profile *p;
    toll_assembly *a = test_stale();
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_argument(toll_assembly_create(NULL, debugs, 1, NULL, &a, err));
    assert_null(a);
    assert_argument(toll_assembly_create(p, NULL, 1, NULL, &a, err));
    assert_argument(toll_assembly_create(p, debugs, 1, NULL, NULL, err));
    assert_int_equal(toll_assembly_create(p, NULL, 0, NULL, &a, NULL), TOLL_E_NOT_FOUND);
    toll_profile_free(p);
    toll_debug_free(d);
}

static void test_toll_assembly_free(void **state)
{
    (void)state;
    toll_assembly_free(NULL);
}

static void test_toll_assembly_instructions(void **state)
{
    (void)state;
    const toll_instruction *list;
    const toll_value_type value = { "ticks", "count" };
    size_t count;
    assert_argument(
        toll_assembly_instructions(NULL, &(toll_frame){ .name = "f" }, value, &list, &count, err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_toll_debug_open),
        cmocka_unit_test(test_toll_debug_open_functions),
        cmocka_unit_test(test_toll_debug_read),
        cmocka_unit_test(test_toll_debug_read_component),
        cmocka_unit_test(test_toll_debug_read_functions),
        cmocka_unit_test(test_toll_debug_free),
        cmocka_unit_test(test_toll_debug_find_function),
        cmocka_unit_test(test_toll_debug_function_at),
        cmocka_unit_test(test_toll_debug_places),
        cmocka_unit_test(test_toll_debug_source_map),
        cmocka_unit_test(test_toll_debug_source),
        cmocka_unit_test(test_toll_profile_symbolize),
        cmocka_unit_test(test_toll_assembly_create),
        cmocka_unit_test(test_toll_assembly_free),
        cmocka_unit_test(test_toll_assembly_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

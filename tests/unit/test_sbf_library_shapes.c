/* test_sbf_library_shapes.c - the table of shapes is what sbf_library.h says. */
#include "support.h"

#include "sbf/sbf_library.h"

static void test_sbf_library_shapes_are_sorted(void **state)
{
    (void)state;
    assert_true(toll_sbf_library_shape_count > 1000);
    for (size_t i = 0; i < toll_sbf_library_shape_count; i++) {
        const toll_sbf_library_shape *at = &toll_sbf_library_shapes[i];
        assert_true(at->size >= 8 && at->size <= 8192);
        assert_true(*at->name != 0 && strncmp(at->name, "_ZN", 3) != 0);
        assert_true(i == 0 || at[-1].hash < at->hash ||
                    (at[-1].hash == at->hash && at[-1].size < at->size));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_sbf_library_shapes_are_sorted) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

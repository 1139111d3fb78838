/* test_sbf_library_shapes.c - the table of shapes is what sbf_library.h says. */
#include "support.h"

#include "base/text.h"
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

/* Nobody can tell by reading it whether a shape is right, so that none may change by itself.
 * Whoever has run scripts/shapes says here what it wrote. */
static void test_sbf_library_shapes_are_as_they_were_written(void **state)
{
    (void)state;
    uint64_t sum = 0;
    for (size_t i = 0; i < toll_sbf_library_shape_count; i++) {
        const toll_sbf_library_shape *at = &toll_sbf_library_shapes[i];
        sum = toll_hash_u64(sum ^ at->hash) + at->size;
        sum = toll_hash_bytes(at->name, strlen(at->name), sum);
    }
    assert_int_equal(sum, UINT64_C(0xe6b21fa4f7341f7c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbf_library_shapes_are_sorted),
        cmocka_unit_test(test_sbf_library_shapes_are_as_they_were_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

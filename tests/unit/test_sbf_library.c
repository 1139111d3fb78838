/* test_sbf_library.c - functions that are named by the shape of their code. This program has a
 * table of shapes of its own. */
#include "support.h"

#include "sbf/sbf_library.h"

const toll_sbf_library_shape toll_sbf_library_shapes[] = {
    { UINT64_C(0xbef89cc30f719ba8), 7, "long" },
    { UINT64_C(0xe8b5e8076fdd3a67), 3, "short" },
};
const size_t toll_sbf_library_shape_count = 2;

/* mov, jne, exit: the short one; lddw, ldx, call: with these, the long one. */
static const uint8_t code[] = {
    0xb7, 0,    0, 0, 1, 0, 0, 0, /* r0 = 1 */
    0x55, 0x21, 9, 0, 5, 0, 0, 0, /* if r1 != 5 goto +9 */
    0x95, 0,    0, 0, 0, 0, 0, 0, /* exit */
    0x18, 3,    0, 0, 9, 9, 9, 9, /* r3 = ... */
    0,    0,    0, 0, 9, 9, 9, 9, /* */
    0x79, 0x12, 8, 0, 0, 0, 0, 0, /* r2 = *(r1 + 8) */
    0x85, 0x10, 0, 0, 7, 0, 0, 0, /* call */
};
enum { SLOT = 8, SLOTS = sizeof code / SLOT };

static const char *name_of(const uint8_t *text, size_t size, uint64_t pc)
{
    const char *name = toll_sbf_library_name(text, size, pc);
    return name ? name : "none";
}

static void test_sbf_library_the_longest_shape_that_fits(void **state)
{
    (void)state;
    assert_string_equal(name_of(code, sizeof code, 0), "long");
    assert_string_equal(name_of(code, sizeof code - 1, 0), "short"); /* half an instruction */
    assert_string_equal(name_of(code, 3 * SLOT, 0), "short");
    assert_string_equal(name_of(code, 2 * SLOT, 0), "none");
    assert_string_equal(name_of(code, 4 * SLOT, 0), "short"); /* half a constant */
    assert_string_equal(name_of(code, sizeof code, 1), "none");
    assert_string_equal(name_of(code, sizeof code, SLOTS), "none");
    assert_string_equal(name_of(code, sizeof code, UINT64_MAX), "none");
    assert_string_equal(name_of(code, sizeof code, UINT64_MAX / SLOT + 1), "none");
    assert_string_equal(name_of(NULL, 0, 0), "none");
}

/* Each byte belongs to the shape or to the place of the function. */
static void test_sbf_library_what_a_shape_is(void **state)
{
    static const uint8_t of_place[] = { 1 * SLOT + 2, 1 * SLOT + 3, 2 * SLOT + 2, 2 * SLOT + 3,
                                        3 * SLOT + 4, 3 * SLOT + 5, 3 * SLOT + 6, 3 * SLOT + 7,
                                        6 * SLOT + 2, 6 * SLOT + 3, 6 * SLOT + 4, 6 * SLOT + 5,
                                        6 * SLOT + 6, 6 * SLOT + 7 };
    (void)state;
    for (size_t i = 0; i < sizeof code; i++) {
        uint8_t text[sizeof code];
        bool is_free = i / SLOT == 4 || memchr(of_place, (int)i, sizeof of_place);
        memcpy(text, code, sizeof code);
        text[i] ^= 0x40;
        if (i / SLOT == 3 && i % SLOT == 0)
            continue; /* no constant: the next slot is an instruction */
        const char *expected = is_free ? "long" : i < 3 * SLOT ? "none" : "short";
        assert_string_equal(name_of(text, sizeof text, 0), expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbf_library_the_longest_shape_that_fits),
        cmocka_unit_test(test_sbf_library_what_a_shape_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

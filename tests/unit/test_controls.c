/* test_controls.c - line-based formats write a blank in place of a character that cannot be
 * printed. This includes control characters of C1 (some readers see U+0085 as the end of a line,
 * and U+009B controls terminals), and characters that set the direction of text. */
#include "support.h"

static void assert_written(const char *format, const char *line)
{
    toll_profile *p;
    toll_output *out;
    size_t size;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "samples", "count", NULL, err));
    test_add_stack(p, "", "a\xc2\x85z\xc2\x9b\x1b\x7f\xc2\xa0\xe2\x80\xae\xc3\xaf", 0, 5);
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, format, NULL, out, err));
    toll_output_write(out, "", 1);
    assert_ok(toll_output_commit(out, err));
    assert_non_null(strstr(toll_output_data(out, &size), line));
    toll_output_free(out);
    toll_profile_free(p);
}

static void test_controls_are_blanks_in_lines(void **state)
{
    (void)state;
    assert_written("folded", "a z   \xc2\xa0 \xc3\xaf 5\n");
    assert_written("callgrind", "a z   \xc2\xa0 \xc3\xaf\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_controls_are_blanks_in_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

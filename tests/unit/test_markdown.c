/* test_markdown.c - report/markdown.h: names are plain text in Markdown, and long ones are cut.
 * tests/readers/markdown.sh reads them with a Markdown reader. */
#include "support.h"

#include "report/markdown.h"

static void assert_code(const char *name, const char *expected)
{
    toll_output *out;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    toll_markdown_put_code(out, name);
    toll_output_write(out, "", 1);
    assert_ok(toll_output_commit(out, err));
    assert_string_equal(toll_output_data(out, NULL), expected);
    toll_output_free(out);
}

static void test_markdown_names_are_text(void **state)
{
    (void)state;
    assert_code("parse_line", "<code>parse&#95;line</code>");
    assert_code("&lt;|", "<code>&#38;lt;&#124;</code>");
    assert_code("a@b", "<code>a<!-- -->&#64;b</code>");
    assert_code("a\nb\x1b", "<code>a&#92;x0ab&#92;x1b</code>");
    assert_code("\xc3\xa9", "<code>\xc3\xa9</code>");
}

static void test_markdown_cuts_the_middle_of_long_names(void **state)
{
    char name[400] = "", expected[800] = "<code>";
    (void)state;
    for (int i = 0; i < 80; i++)
        strcat(name, "\xc3\xa9");
    strcat(strcat(expected, name), "</code>");
    assert_code(name, expected); /* 80 characters are not cut */
    strcat(name, "x");
    strcpy(expected, "<code>");
    strcat(expected, name);
    expected[strlen("<code>") + 2 * 40] = 0;
    strcat(strcat(strcat(expected, "\xe2\x80\xa6"), name + 2 * 42), "</code>");
    assert_code(name, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markdown_names_are_text),
        cmocka_unit_test(test_markdown_cuts_the_middle_of_long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_pattern.c - patterns for names: regular expressions, or plain text where the system has
 * none. */
#include "support.h"

#include "base/pattern.h"

static void expect(const char *text, const char *name, bool matches)
{
    toll_pattern pattern;
    assert_ok(toll_pattern_parse(&pattern, text, err));
    assert_true(toll_pattern_matches(&pattern, name) == matches);
    toll_pattern_free(&pattern);
}

static void test_plain_text_is_found_anywhere(void **state)
{
    (void)state;
    expect("main", "main", true);
    expect("main", "domain::find", true);
    expect("main", "mai", false);
    expect("main", "Main", false);
    expect("a b", "xa by", true);
    expect("\xc3\xa9", "caf\xc3\xa9", true);
}

static void test_regular_expressions(void **state)
{
    (void)state;
    toll_pattern pattern;
    toll_error e = { TOLL_OK, "" };
    if (toll_pattern_parse(&pattern, "^a.*z$", &e) == TOLL_E_UNSUPPORTED) {
        assert_non_null(strstr(e.text, "'^a.*z$'"));
        print_message("skipped: this system has no regular expressions\n");
        skip();
    }
    toll_pattern_free(&pattern);
    expect("^a.*z$", "abcz", true);
    expect("^a.*z$", "abczd", false);
    expect("(read|write)_[0-9]+", "my_write_12", true);
    expect("(read|write)_[0-9]+", "my_write_x", false);
}

static void test_what_is_no_pattern(void **state)
{
    (void)state;
    toll_pattern pattern;
    toll_error e = { TOLL_OK, "" };
    toll_status status = toll_pattern_parse(&pattern, "a(b", &e);
    assert_true(status == TOLL_E_ARGUMENT || status == TOLL_E_UNSUPPORTED);
    assert_non_null(strstr(e.text, "pattern 'a(b'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_text_is_found_anywhere),
        cmocka_unit_test(test_regular_expressions),
        cmocka_unit_test(test_what_is_no_pattern),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

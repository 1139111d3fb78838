/* test_faults_sections.c - as test_faults.c, for the code in sections/. */
#include "support.h"

#include <toll/sections.h>

/* sections.c: the message has one byte more or less of a long id than 100, or one byte from behind
 * the end of a short one. */
static void assert_message_has(toll_sections *s, const char *text, size_t size, size_t shown)
{
    const uint64_t now = 0;
    toll_error e = { TOLL_OK, "" };
    char expected[200];
    snprintf(expected, sizeof expected, "no section '%.*s' is open", (int)shown, text);
    assert_int_equal(toll_sections_end(s, text, size, NULL, &now, &e), TOLL_E_NOT_FOUND);
    assert_string_equal(e.text, expected);
}

static void test_a_message_has_100_bytes_of_an_id(void **state)
{
    char text[150];
    toll_sections_options o = { .size = sizeof o };
    toll_sections *s;
    (void)state;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i % 26);
    assert_ok(toll_sections_create(&o, &s, err));
    assert_message_has(s, text, 0, 0);
    assert_message_has(s, text, 98, 98);
    assert_message_has(s, text, 99, 99);
    assert_message_has(s, text, 100, 100);
    assert_message_has(s, text, 101, 100);
    assert_message_has(s, text, 150, 100);
    toll_sections_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_message_has_100_bytes_of_an_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_printable.c - base/printable.h: characters that may control a terminal become escapes. */
#include "support.h"

#include "base/json_write.h"
#include "base/printable.h"

static void assert_shown(const char *text, const char *shown)
{
    char buffer[100];
    assert_string_equal(toll_printable(text, buffer, sizeof buffer), shown);
    assert_true(toll_printable_width(text) <= strlen(shown));
}

static void test_printable_text_stays(void **state)
{
    static const char *const texts[] = { "",
                                         "f",
                                         "a\\b",
                                         "na\xc3\xafve",
                                         "\xe6\x97\xa5\xe6\x9c\xac",
                                         "\xf0\x9f\x98\x80",
                                         "\xc2\xa0",
                                         "\xe2\x80\xa7\xe2\x81\x9f\xe2\x81\xb0" };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_shown(texts[i], texts[i]);
    assert_int_equal(toll_printable_width("\xe6\x97\xa5"), 1);
    assert_int_equal(toll_printable_width("\x1b\xe2\x80\xae"), 10);
}

static void test_printable_controls_are_escaped(void **state)
{
    (void)state;
    assert_shown("a\x1b[31m\n\r\t\x01\x7f", "a\\x1b[31m\\x0a\\x0d\\x09\\x01\\x7f");
    assert_shown("\xc2\x80\xc2\x9b\xc2\x9f", "\\x80\\x9b\\x9f");
    assert_shown("\xd8\x9c", "\\u061c");
    assert_shown("\xe2\x80\x8e\xe2\x80\x8f", "\\u200e\\u200f");
    assert_shown("\xe2\x80\xa8\xe2\x80\xaa\xe2\x80\xae", "\\u2028\\u202a\\u202e");
    assert_shown("\xe2\x81\xa6\xe2\x81\xa9", "\\u2066\\u2069");
    assert_shown("a\xe2\x80\x8b\xe2\x80\x8c\xe2\x80\x8d", "a\\u200b\\u200c\\u200d"); /* no width */
    assert_shown("\xc2\xad\xe2\x81\xa0\xef\xbb\xbf", "\\xad\\u2060\\ufeff");
    assert_shown("\xe3\x85\xa4\xef\xbe\xa0", "\\u3164\\uffa0"); /* letters that are blank */
}

static size_t encode(uint32_t code, char text[4])
{
    if (code < 0x80) {
        text[0] = (char)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = n; i-- > 1; code >>= 6)
        text[i] = (char)(0x80 | (code & 0x3f));
    text[0] = (char)(0xf00 >> n | code);
    return n;
}

/* All characters that are not printed, as ranges: c for controls, i for those that are only
 * invisible. */
static void test_printable_every_character(void **state)
{
    static const char expected[] =
        "0-1f c, 7f-9f c, ad-ad i, 61c-61c c, 115f-1160 i, 180e-180e i, 200b-200d i, 200e-200f c, "
        "2028-202e c, 2060-2065 i, 2066-2069 c, 206a-206f i, 3164-3164 i, feff-feff i, ffa0-ffa0 "
        "i, "
        "fff9-fffb i, ";
    char found[1000] = "", before = 'p';
    size_t used = 0;
    uint32_t first = 0;
    (void)state;
    for (uint32_t code = 0; code <= 0x110000; code++) {
        char text[4], kind = 'p';
        if (code < 0x110000 && (code < 0xd800 || code > 0xdfff)) {
            size_t size = encode(code, text);
            toll_character c = toll_character_at(text, size);
            assert_int_equal(c.code, code);
            assert_int_equal(c.size, size);
            kind = c.is_control ? 'c' : c.is_printable ? 'p' : 'i';
            assert_false(c.is_control && c.is_printable);
        }
        if (kind != before && before != 'p')
            used += (size_t)snprintf(found + used, sizeof found - used, "%x-%x %c, ", first,
                                     code - 1, before);
        if (kind != before)
            first = code;
        before = kind;
    }
    assert_string_equal(found, expected);
}

static void test_printable_bytes_that_are_no_utf8(void **state)
{
    (void)state;
    assert_shown("\xff", "\\xff");
    assert_shown("a\x80"
                 "b",
                 "a\\x80b");
    assert_shown("\xc0\x9b", "\\xc0\\x9b");          /* overlong ESC */
    assert_shown("\xed\xa0\x80", "\\xed\\xa0\\x80"); /* a surrogate */
    assert_shown("x\xe2\x80", "x\\xe2\\x80");        /* cut off */
}

static void test_printable_is_cut_between_characters(void **state)
{
    char buffer[8];
    (void)state;
    assert_string_equal(toll_printable("abcdef\xc3\xaf", buffer, sizeof buffer), "abcdef");
    assert_string_equal(toll_printable("abcdef\x1bz", buffer, sizeof buffer), "abcdef");
    assert_string_equal(toll_printable("abc\x1b", buffer, sizeof buffer), "abc\\x1b");
    assert_string_equal(toll_printable("abc", buffer, 1), "");
    assert_string_equal(toll_printable("\\abcdefgh", buffer, sizeof buffer), "\\abcdef");
}

static void test_printable_json(void **state)
{
    toll_output *out;
    size_t size;
    (void)state;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    toll_json_put_string(out, "a\"\\\x1b\x7f\xc2\x9b\xe2\x80\xae\xc3\xaf\xff");
    assert_ok(toll_output_commit(out, err));
    const char *text = toll_output_data(out, &size);
    static const char wanted[] = "\"a\\\"\\\\\\u001b\\u007f\\u009b\\u202e\xc3\xaf\\ufffd\"";
    assert_int_equal(size, sizeof wanted - 1);
    assert_memory_equal(text, wanted, size);
    toll_output_free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printable_text_stays),
        cmocka_unit_test(test_printable_controls_are_escaped),
        cmocka_unit_test(test_printable_every_character),
        cmocka_unit_test(test_printable_bytes_that_are_no_utf8),
        cmocka_unit_test(test_printable_is_cut_between_characters),
        cmocka_unit_test(test_printable_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

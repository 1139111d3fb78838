/* test_sniff.c - formats are recognised by the begin of a file, with the right certainty. */
#include "support.h"

#include "format/format_row.h"
#include "format/sniff.h"
#include "page/page_row.h"
#include "report/flame_svg.h"

static const uint8_t *bytes(const char *text)
{
    return (const uint8_t *)text;
}

static toll_sniff json(const char *text, const char *word, const char *other)
{
    return toll_sniff_json(bytes(text), strlen(text), word, other);
}

static void test_json_by_its_words(void **state)
{
    (void)state;
    assert_int_equal(json("{\"a\":1,\"b\":2}", "\"a\"", "\"b\""), TOLL_SNIFF_SURE);
    assert_int_equal(json("[{\"b\":2,\"a\":1}]", "\"a\"", "\"b\""), TOLL_SNIFF_SURE);
    assert_int_equal(json("{\"a\":1}", "\"a\"", "\"b\""), TOLL_SNIFF_LIKELY);
    assert_int_equal(json("{\"b\":1}", "\"a\"", "\"b\""), TOLL_SNIFF_LIKELY);
    assert_int_equal(json("{\"c\":1}", "\"a\"", "\"b\""), TOLL_SNIFF_NO);
    assert_int_equal(json("{\"a\":1}", "\"a\"", NULL), TOLL_SNIFF_SURE);
    assert_int_equal(json("{\"b\":1}", "\"a\"", NULL), TOLL_SNIFF_NO);
    assert_int_equal(json("{\"a", "\"a\"", NULL), TOLL_SNIFF_NO); /* cut off in the word */
    assert_int_equal(json("{\"aa\"\"a\"", "\"a\"", NULL), TOLL_SNIFF_SURE);
}

static void test_json_behind_white_space(void **state)
{
    static const char *const white[] = { "",   " ",        "\n",           "\r",
                                         "\t", " \n\r\t ", "\xef\xbb\xbf", "\xef\xbb\xbf \n" };
    char text[40];
    (void)state;
    for (size_t i = 0; i < sizeof white / sizeof *white; i++) {
        snprintf(text, sizeof text, "%s{\"a\":1}", white[i]);
        assert_int_equal(json(text, "\"a\"", NULL), TOLL_SNIFF_SURE);
        assert_int_equal(json(white[i], "\"a\"", NULL), TOLL_SNIFF_NO);
    }
    assert_int_equal(json("\v{\"a\":1}", "\"a\"", NULL), TOLL_SNIFF_NO);
}

static void test_only_objects_and_arrays_are_json(void **state)
{
    (void)state;
    assert_int_equal(json("x{\"a\":1}", "\"a\"", NULL), TOLL_SNIFF_NO);
    assert_int_equal(json("\"a\"", "\"a\"", NULL), TOLL_SNIFF_NO);
    assert_int_equal(json("", "\"a\"", NULL), TOLL_SNIFF_NO);
}

static toll_sniff folded(const char *text)
{
    return toll_folded_sniff(bytes(text), strlen(text));
}

static void test_folded_by_its_first_line(void **state)
{
    (void)state;
    assert_int_equal(folded("f;g 5\n"), TOLL_SNIFF_LIKELY);
    assert_int_equal(folded("f 5\r\n\xff"), TOLL_SNIFF_LIKELY);
    assert_int_equal(folded("f;g 5"), TOLL_SNIFF_MAYBE); /* the line has no end */
    assert_int_equal(folded("f\xff;g 5\n"), TOLL_SNIFF_MAYBE);
    assert_int_equal(folded("f;g five\n"), TOLL_SNIFF_MAYBE);
    assert_int_equal(folded("five\nf;g 5\n"), TOLL_SNIFF_MAYBE);
    assert_int_equal(folded("5\n"), TOLL_SNIFF_MAYBE);
    assert_int_equal(folded("# a comment\n"), TOLL_SNIFF_MAYBE);
    assert_int_equal(folded("five\n"), TOLL_SNIFF_NO);
    assert_int_equal(folded(""), TOLL_SNIFF_NO);
    assert_int_equal(folded("{\"a;b\": 5\n"), TOLL_SNIFF_NO);
    assert_int_equal(folded("[a;b 5\n"), TOLL_SNIFF_NO);
    assert_int_equal(toll_folded_sniff(bytes("f;g 5\n\0"), 7), TOLL_SNIFF_NO);
}

static toll_sniff pprof(const char *data, size_t size)
{
    return toll_pprof_sniff(bytes(data), size);
}

static void test_pprof_by_its_first_field(void **state)
{
    (void)state;
    assert_int_equal(pprof("\x0a\x04\x08\x01\x10\x02", 6), TOLL_SNIFF_SURE);
    assert_int_equal(pprof("\x0a\x00", 2), TOLL_SNIFF_SURE);
    assert_int_equal(pprof("\x0a\x02\x18\x01", 4), TOLL_SNIFF_NO); /* no field of a type */
    assert_int_equal(pprof("\x0a\x02\x0a\x00", 4), TOLL_SNIFF_NO); /* no number */
    assert_int_equal(pprof("\x0a\x01\x08", 3), TOLL_SNIFF_NO);     /* half of one */
    assert_int_equal(pprof("\x32\x00", 2), TOLL_SNIFF_MAYBE);      /* a string */
    assert_int_equal(pprof("\x32\x01"
                           "a",
                           3),
                     TOLL_SNIFF_NO);                           /* text has no NUL */
    assert_int_equal(pprof("\x7a\x00", 2), TOLL_SNIFF_NO);     /* field 15 */
    assert_int_equal(pprof("\x0b\x00", 2), TOLL_SNIFF_NO);     /* a group */
    assert_int_equal(pprof("\x32\x05\x00", 3), TOLL_SNIFF_NO); /* it is cut off */
    assert_int_equal(pprof("", 0), TOLL_SNIFF_NO);
}

/* By all of the first bytes, and no other. */
static void test_others_by_their_first_bytes(void **state)
{
    static const struct {
        toll_sniff (*sniff)(const uint8_t *data, size_t size);
        const char *begin;
    } formats[] = {
        { toll_svg_sniff, "<svg " },           { toll_html_sniff, "<!doctype html" },
        { toll_html_sniff, "<!DOCTYPE HTML" }, { toll_callgrind_sniff, "# callgrind format" },
        { toll_callgrind_sniff, "version: " }, { toll_callgrind_sniff, "creator: " },
        { toll_callgrind_sniff, "events: " },
    };
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const size_t size = strlen(formats[i].begin);
        for (size_t n = 0; n <= size; n++) {
            uint8_t *data = malloc(n + 1); /* no more than that may be read */
            assert_non_null(data);
            memcpy(data + 1, formats[i].begin, n);
            assert_int_equal(formats[i].sniff(data + 1, n),
                             n < size ? TOLL_SNIFF_NO : TOLL_SNIFF_SURE);
            for (size_t k = 1; k <= n; k++) {
                data[k] ^= 1;
                assert_int_equal(formats[i].sniff(data + 1, n), TOLL_SNIFF_NO);
                data[k] ^= 1;
            }
            free(data);
        }
    }
}

static void test_perfetto_by_its_first_packet(void **state)
{
    static const uint8_t trace[] = { 0x0a, 0x04, 0x50 }, other[] = { 0x0a, 0x04, 0x08 },
                         message[] = { 0x12, 0x04, 0x50 };
    (void)state;
    assert_int_equal(toll_perfetto_sniff(trace, 3), TOLL_SNIFF_SURE);
    assert_int_equal(toll_perfetto_sniff(trace, 2), TOLL_SNIFF_NO);
    assert_int_equal(toll_perfetto_sniff(other, 3), TOLL_SNIFF_NO);
    assert_int_equal(toll_perfetto_sniff(message, 3), TOLL_SNIFF_NO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_by_its_words),
        cmocka_unit_test(test_json_behind_white_space),
        cmocka_unit_test(test_only_objects_and_arrays_are_json),
        cmocka_unit_test(test_folded_by_its_first_line),
        cmocka_unit_test(test_pprof_by_its_first_field),
        cmocka_unit_test(test_others_by_their_first_bytes),
        cmocka_unit_test(test_perfetto_by_its_first_packet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

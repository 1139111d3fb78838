/* test_where_text.c - report/report_text.h: where a function is, in a line of a table: the longest
 * names of files, from both sides of the limit. */
#include "support.h"

#include "report/report_text.h"

#include <string.h>

enum { MOST = TOLL_WHERE_TEXT_SIZE - 16 };

/* "abcabc...", of that size. */
static char *file_of(size_t size)
{
    static char file[2 * TOLL_WHERE_TEXT_SIZE];
    assert_true(size < sizeof file);
    for (size_t i = 0; i < size; i++)
        file[i] = "abc"[i % 3];
    file[size] = 0;
    return file;
}

static void assert_where(toll_frame f, const char *begin, const char *end)
{
    char text[TOLL_WHERE_TEXT_SIZE], expected[TOLL_WHERE_TEXT_SIZE];
    snprintf(expected, sizeof expected, "%s%s", begin, end);
    assert_ptr_equal(toll_where_text(f, text), text);
    assert_string_equal(text, expected);
}

static void test_places(void **state)
{
    (void)state;
    assert_where((toll_frame){ .file = "", .line = 7 }, "", "");
    assert_where((toll_frame){ .file = "a.lua" }, "a.lua", "");
    assert_where((toll_frame){ .file = "a.lua", .line = 1 }, "a.lua", ":1");
    assert_where((toll_frame){ .file = "a.lua", .line = UINT32_MAX }, "a.lua", ":4294967295");
}

/* The end of a name says more than its beginning. */
static void test_long_names(void **state)
{
    (void)state;
    for (size_t size = MOST - 2; size <= MOST + 3; size++) {
        char *file = file_of(size);
        const toll_frame f = { .file = file, .line = UINT32_MAX };
        char end[TOLL_WHERE_TEXT_SIZE];
        size_t cut = size > MOST ? size - MOST : 0;
        snprintf(end, sizeof end, "%s:4294967295", file + cut);
        assert_where(f, cut ? "..." : "", end);
    }
    char *file = file_of(MOST + 2);
    memcpy(file + 1, "\xe2\x82\xac", 3); /* it would be cut in this character */
    assert_where((toll_frame){ .file = file }, "...", file + 4);
    file = file_of(MOST + 1);
    memcpy(file + 1, "\xe2\x82\xac", 3); /* and here before it */
    assert_where((toll_frame){ .file = file }, "...", file + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_places),
                                        cmocka_unit_test(test_long_names) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

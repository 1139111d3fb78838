/* test_option_values.c - what options accept: sizes, numbers, shares, words, labels and files of
 * programs, at the ends of what they may be. tests/cli/help/every_mistake.sh has the messages. */
#include "support.h"

#include "cli/complain.h"
#include "cli/options.h"

static char complaint[1024];

/* That of the command, which this test does not have, prints it. */
int toll_complain(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(complaint, sizeof complaint, format, args);
    va_end(args);
    return status;
}

/* The option's argument; complaints are kept. Returns whether it was accepted. */
static bool set(toll_option_kind kind, size_t place, const char *argument, const char *hint,
                toll_settings *s)
{
    toll_option o = { .name = "it", .kind = kind, .place = place, .words = "one two three" };
    char text[200];
    o.argument = hint;
    *complaint = 0;
    if (argument)
        snprintf(text, sizeof text, "%s", argument);
    int status = toll_option_set(&o, argument ? text : NULL, s);
    assert_true(status == -1 || (status == 2 && *complaint));
    return status == -1;
}

static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t size;
    } sizes[] = {
        { "0", 0 },
        { "1000000", 1000000 },
        { "1k", 1 << 10 },
        { "1K", 1 << 10 },
        { "3M", 3 << 20 },
        { "3MB", 3 << 20 },
        { "2GiB", UINT64_C(2) << 30 },
        { "5t", UINT64_C(5) << 40 },
        { "18446744073709551615", UINT64_MAX },
        { "18014398509481983k", UINT64_C(18014398509481983) << 10 },
        { "16777215T", UINT64_C(16777215) << 40 },
    };
    static const char *const wrong[] = {
        "",
        "k",
        "-1",
        "+1",
        " 1",
        "1 k",
        "1p",
        "1kb",
        "1ki",
        "1kiBB",
        "18446744073709551616",
        "18014398509481984k",
        "16777216T",
        "0x10",
        "1B",
        "1.5M",
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        toll_settings s = { .max_memory = 7 };
        assert_true(set(TOLL_SIZE, offsetof(toll_settings, max_memory), sizes[i].text, "SIZE", &s));
        assert_int_equal(s.max_memory, sizes[i].size);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        toll_settings s = { .max_memory = 7 };
        if (set(TOLL_SIZE, offsetof(toll_settings, max_memory), wrong[i], "SIZE", &s))
            fail_msg("'%s' is a size", wrong[i]);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    toll_settings s = { .rows = { 7, false } };
    const size_t rows = offsetof(toll_settings, rows);
    assert_true(set(TOLL_NUMBER, rows, "0", "N", &s));
    assert_true(s.rows.is_set && s.rows.value == 0);
    assert_true(set(TOLL_NUMBER, rows, "4294967295", "N", &s));
    assert_int_equal(s.rows.value, UINT32_MAX);
    assert_false(set(TOLL_NUMBER, rows, "4294967296", "N", &s));
    assert_false(set(TOLL_NUMBER, rows, "1x", "N", &s));
    assert_false(set(TOLL_NUMBER, rows, "", "N", &s));
    assert_int_equal(s.rows.value, UINT32_MAX);
    assert_true(set(TOLL_NUMBER, rows, "1", "[=N]", &s));
    assert_int_equal(s.rows.value, 1);
    assert_false(set(TOLL_NUMBER, rows, "0", "[=N]", &s)); /* it would be as if it was left out */
    assert_true(set(TOLL_NUMBER, rows, NULL, "[=N]", &s));
    assert_true(s.rows.is_set && s.rows.value == 0);
}

static void test_shares(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } shares[] = { { "0", 0 },      { "0%", 0 },    { "0.5", 0.5 },
                   { ".25", 0.25 }, { "50%", 0.5 }, { "99%", 0.99 } };
    static const char *const wrong[] = { "",     "1",    "100%",  "-0.1", "+0.1",
                                         " 0.1", "0.1x", "0.1%%", "nan" };
    const size_t prune = offsetof(toll_settings, prune);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        toll_settings s = { .prune = { 7, false } };
        assert_true(set(TOLL_SHARE, prune, shares[i].text, "SHARE", &s));
        assert_true(s.prune.is_set && s.prune.value == shares[i].value);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        toll_settings s = { .prune = { 7, false } };
        if (set(TOLL_SHARE, prune, wrong[i], "SHARE", &s))
            fail_msg("'%s' is a share", wrong[i]);
        assert_false(s.prune.is_set);
    }
}

static void test_words(void **state)
{
    (void)state;
    static const char *const words[] = { "one", "two", "three" };
    static const char *const wrong[] = { "", "on", "oned", "one two", "four", " " };
    const size_t sort = offsetof(toll_settings, sort);
    for (uint32_t i = 0; i < 3; i++) {
        toll_settings s = { .sort = { NULL, 9 } };
        assert_true(set(TOLL_WORD, sort, words[i], "WORD", &s));
        assert_int_equal(s.sort.place, i);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        toll_settings s = { .sort = { NULL, 9 } };
        assert_false(set(TOLL_WORD, sort, wrong[i], "WORD", &s));
        assert_int_equal(s.sort.place, 9);
    }
}

static void test_labels_are_lines(void **state)
{
    (void)state;
    static const char *const wrong[] = { "", "a", "=", "=b", "a=", "a=b\nc=d" };
    toll_settings s = { .output = NULL };
    const size_t labels = offsetof(toll_settings, format.labels);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(set(TOLL_LABELS, labels, wrong[i], "KEY=VALUE", &s));
    assert_null(s.format.labels);
    assert_true(set(TOLL_LABELS, labels, "a=b", "KEY=VALUE", &s));
    assert_string_equal(s.format.labels, "a=b\n");
    assert_true(set(TOLL_LABELS, labels, "c=d=e", "KEY=VALUE", &s));
    assert_string_equal(s.format.labels, "a=b\nc=d=e\n");
    toll_settings_free(&s);
}

/* An ID has 32 to 44 letters and digits. */
static void test_files_of_programs(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        const char *rest;
        bool is_id;
    } files[] = { { 32, "=f", true },  { 44, "=f", true },   { 31, "=f", false },
                  { 45, "=f", false }, { 40, "=", false },   { 40, "-=f", false },
                  { 40, "", false },   { 40, "=a=b", true }, { 0, "a=b", false } };
    enum { COUNT = sizeof files / sizeof *files };
    toll_option o = { .name = "elf",
                      .kind = TOLL_PROGRAM_FILE,
                      .place = offsetof(toll_settings, elfs) };
    char texts[COUNT][64], kept[64];
    toll_settings s = { .output = NULL };
    for (size_t i = 0; i < COUNT; i++) {
        memset(texts[i], '7', files[i].size);
        snprintf(texts[i] + files[i].size, sizeof texts[i] - files[i].size, "%s", files[i].rest);
        snprintf(kept, sizeof kept, "%s", texts[i]);
        assert_int_equal(toll_option_set(&o, texts[i], &s), -1);
        assert_int_equal(s.elfs.count, i + 1);
        const toll_program_file *file = &s.elfs.items[i];
        assert_int_equal(file->program_id != NULL, files[i].is_id);
        assert_string_equal(file->path, files[i].is_id ? files[i].rest + 1 : kept);
        if (file->program_id)
            assert_int_equal(strlen(file->program_id), files[i].size);
        assert_string_equal(toll_option_value(&o, &s, i), file->path);
    }
    assert_null(toll_option_value(&o, &s, COUNT));
    toll_settings_free(&s);
}

/* What is on the command line may be asked for, value by value. */
static void test_values(void **state)
{
    (void)state;
    toll_settings s = { .output = NULL };
    toll_option list = { .name = "dir", .kind = TOLL_LIST, .place = offsetof(toll_settings, dirs) };
    toll_option text = { .name = "o", .kind = TOLL_TEXT, .place = offsetof(toll_settings, output) };
    char a[] = "a", b[] = "b";
    assert_null(toll_option_value(&list, &s, 0));
    assert_null(toll_option_value(&text, &s, 0));
    assert_int_equal(toll_option_set(&list, a, &s), -1);
    assert_int_equal(toll_option_set(&list, b, &s), -1);
    assert_int_equal(toll_option_set(&text, b, &s), -1);
    assert_string_equal(toll_option_value(&list, &s, 0), "a");
    assert_string_equal(toll_option_value(&list, &s, 1), "b");
    assert_null(toll_option_value(&list, &s, 2));
    assert_string_equal(toll_option_value(&text, &s, 0), "b");
    assert_null(toll_option_value(&text, &s, 1));
    toll_settings_free(&s);
}

static void test_formats(void **state)
{
    (void)state;
    toll_settings s = { .output = NULL };
    const size_t to = offsetof(toll_settings, to), from = offsetof(toll_settings, from);
    assert_true(set(TOLL_WRITE_FORMAT, to, "folded", "FORMAT", &s));
    assert_true(set(TOLL_READ_FORMAT, from, "folded", "FORMAT", &s));
    assert_true(set(TOLL_WRITE_FORMAT, to, "callgrind", "FORMAT", &s));
    assert_false(set(TOLL_READ_FORMAT, from, "callgrind", "FORMAT", &s));
    assert_string_equal(complaint, "--it: callgrind files can only be written");
    assert_false(set(TOLL_WRITE_FORMAT, to, "solana", "FORMAT", &s));
    assert_string_equal(complaint, "--it: solana files can only be read");
    assert_false(set(TOLL_WRITE_FORMAT, to, "foldedd", "FORMAT", &s));
    assert_string_equal(complaint, "--it: no format is called 'foldedd'; did you mean folded?");
    assert_false(set(TOLL_WRITE_FORMAT, to, "zzzzzzzz", "FORMAT", &s));
    assert_non_null(strstr(complaint, "; there are pprof, "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_labels_are_lines),
        cmocka_unit_test(test_files_of_programs),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

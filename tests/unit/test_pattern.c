/* test_pattern.c - patterns for names: what they match, which ones are refused with which messages,
 * and limits for hostile ones. tests/page/patterns.mjs tests that they mean the same in the page.
 */
#include "support.h"

#include "base/pattern.h"

#include <toll/memory.h>

static bool matches(const char *text, const char *name)
{
    toll_pattern *pattern;
    toll_mem mem = toll_mem_from(NULL);
    assert_ok(toll_pattern_parse(&pattern, &mem, text, err));
    bool is = toll_pattern_matches(pattern, name);
    assert_true(is == toll_pattern_matches(pattern, name));
    assert_ok(toll_pattern_check(pattern, err));
    toll_pattern_free(pattern);
    return is;
}

static void expect(const char *text, const char *name, bool want)
{
    if (matches(text, name) != want)
        fail_msg("/%s/ and '%s'", text, name);
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
    expect("", "x", true);
    expect("", "", true);
    expect("aab", "aaab", true);
}

static void test_regular_expressions(void **state)
{
    (void)state;
    expect("^a.*z$", "abcz", true);
    expect("^a.*z$", "abczd", false);
    expect("(read|write)_[0-9]+", "my_write_12", true);
    expect("(read|write)_[0-9]+", "my_write_x", false);
    expect("^(a|b|)c$", "c", true);
    expect("^(?:ab)?c$", "abc", true);
    expect("^(?:ab)?c$", "ac", false);
    expect("^a{2,3}$", "aa", true);
    expect("^a{2,3}$", "aaaa", false);
    expect("^a{2}$", "aaa", false);
    expect("^a{2,}?$", "aaaaa", true);
    expect("^(a{2}b){2}$", "aabaab", true);
    expect("^a{0}b$", "b", true);
    expect("^(()*)*$", "", true);
    expect("^(a*)*$", "aaa", true);
    expect("x^", "x", false);
    expect("a$|^b", "xa", true);
    expect(".", "", false);
    expect("^.$", "\n", true);
}

static void test_braces_and_brackets_are_characters_where_they_end_nothing(void **state)
{
    (void)state;
    expect("{{closure}}", "main::{{closure}}", true);
    expect("^{closure#0}$", "{closure#0}", true);
    expect("a{,2}", "a{,2}", true);
    expect("x]", "[x]", true);
}

static void test_sets(void **state)
{
    (void)state;
    expect("^[a-c_]+$", "ab_c", true);
    expect("^[^a-c]$", "b", false);
    expect("^[^a-c]$", "\xc3\xa9", true);
    expect("^[]x]+$", "]x", true);
    expect("^[a-]+$", "a-", true);
    expect("^[\\]\\-\\\\]+$", "]-\\", true);
    expect("^[[:alpha:]_][[:alnum:]_]*$", "x_12", true);
    expect("^[^[:digit:]]$", "7", false);
    expect("^\\d+\\D$", "12x", true);
    expect("^[\\d.]+$", "1.2", true);
    expect("^\\w+\\W\\w+$", "ab-c", true);
    expect("^\\S+\\s\\S+$",
           "a\xc2\xa0"
           "b",
           true);
    expect("^[\xce\xb1-\xcf\x89]+$", "\xce\xbb\xcf\x8c\xce\xb3\xce\xbf\xcf\x82", false);
    expect("^[\xce\xb1-\xcf\x8e]+$", "\xce\xbb\xcf\x8c\xce\xb3\xce\xbf\xcf\x82", true);
    expect("^\\x41\\u00e9\\u{1F600}$", "A\xc3\xa9\xf0\x9f\x98\x80", true);
}

static void test_categories_of_unicode(void **state)
{
    (void)state;
    expect("^\\p{L}+$", "\xd0\x9c\xd0\xb8\xd1\x80", true); /* Cyrillic */
    expect("^\\p{Lu}\\p{Ll}+$", "\xd0\x9c\xd0\xb8\xd1\x80", true);
    expect("\\p{Lu}", "\xd0\xb8", false);
    expect("^\\P{L}$", "7", true);
    expect("^[\\p{Nd}x]+$", "x\xd9\xa3", true); /* Arabic-Indic 3 */
    expect("^\\p{So}$", "\xf0\x9f\x98\x80", true);
    expect("\\p{Cn}", "\xff", false); /* a byte that is no UTF-8 is no character */
}

static void test_edges_of_words(void **state)
{
    (void)state;
    expect("\\bread\\b", "file.read()", true);
    expect("\\bread\\b", "thread", false);
    expect("\\bread\\b", "read", true);
    expect("\\Bread", "thread", true);
    expect("\\Bread", "x read", false);
    expect("^\\B$", "", true);
    expect("^\\b$", "", false);
}

static void test_bytes_that_are_no_utf8(void **state)
{
    (void)state;
    expect("^a.b$",
           "a\xff"
           "b",
           true);
    expect("^a\xff"
           "b$",
           "a\xff"
           "b",
           true);
    expect("^a\xff"
           "b$",
           "a\xfe"
           "b",
           false);
    expect("^a\xff"
           "b$",
           "a\xc3\xbf"
           "b",
           false);
    expect("^a[^b]$", "a\xc3", true);
}

static void refuse(const char *text, const char *says, toll_status status)
{
    toll_pattern *pattern;
    toll_error e = { TOLL_OK, "" };
    toll_mem mem = toll_mem_from(NULL);
    assert_int_equal(toll_pattern_parse(&pattern, &mem, text, &e), status);
    assert_null(pattern);
    if (!strstr(e.text, says) || strncmp(e.text, "bad pattern '", 13) != 0)
        fail_msg("/%s/: %s", text, e.text);
}

static void test_what_is_refused_is_named(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        { "a(b", "'(' is never closed; write \\( for the character (character 2)" },
        { "\xc3\xa9)", "')' closes nothing; write \\) for the character (character 2)" },
        { "x[a", "'[' is never closed" },
        { "[", "'[' is never closed" },
        { "(a*)\\1z", "'\\1' is a back reference, which patterns do not have (character 5)" },
        { "\\k<x>", "back reference" },
        { "(?=a)", "'(?=' looks around" },
        { "(?<!a)b", "'(?<!' looks around" },
        { "(?<n>a)", "groups have no names" },
        { "(?P<n>a)", "groups have no names" },
        { "(?R)", "recursion" },
        { "(?(1)a)", "conditional" },
        { "(*ACCEPT)", "verb" },
        { "(?>a)", "'(?' begins what patterns do not have" },
        { "(?i)a", "'(?' begins what patterns do not have" },
        { "a++", "possessive" },
        { "a**", "nothing before '*'" },
        { "*a", "nothing before '*'" },
        { "a|+", "nothing before '+'" },
        { "^*", "nothing before '*'" },
        { "{3}", "nothing before '{'" },
        { "a{3,2}", "second number" },
        { "a{1001}", "more than 1000 times" },
        { "a{1,99999999999}", "more than 1000 times" },
        { "[z-a]", "end is before its beginning" },
        { "[\\d-z]", "a class is no end of a range" },
        { "[[:word:]]", "there is no such class; there are alnum" },
        { "[[=a=]]", "'[=' begins a name of a character" },
        { "[[.hyphen.]]", "'[.' begins a name of a character" },
        { "\\<a", "the edge of a word is \\b" },
        { "\\Ca", "'\\C' is nothing" },
        { "\\0", "'\\0' is nothing" },
        { "[\\b]", "'\\b' is nothing" },
        { "a\\", "nothing behind the last" },
        { "\\p{Greek}", "general category" },
        { "\\pL", "general category" },
        { "\\x4", "\\xHH" },
        { "\\u{110000}", "up to 10ffff" },
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        refuse(texts[i][0], texts[i][1], TOLL_E_ARGUMENT);
}

/* `count` times `part`, then `end`. */
static char *repeated(size_t count, const char *part, const char *end)
{
    char *text = calloc(count * strlen(part) + strlen(end) + 1, 1);
    assert_non_null(text);
    for (size_t i = 0; i < count; i++)
        strcat(text + i * strlen(part), part);
    return strcat(text, end);
}

static void test_what_is_too_large_is_refused(void **state)
{
    (void)state;
    char *deep = repeated(101, "(", ""), *nested = repeated(100, "(", "a"),
         *long_text = repeated(32769, "a", "");
    char *wide = repeated(200, "[\\p{L}\\p{N}]", ""),
         *many = repeated(400, "[^\\p{L}\\p{Ll}]", "[\\p{L}\\p{Ll}x]");
    refuse(deep, "more than 100 deep", TOLL_E_ARGUMENT);
    refuse(nested, "'(' is never closed", TOLL_E_ARGUMENT);
    refuse(long_text, "more than 32768 bytes", TOLL_E_LIMIT);
    refuse("((((a{1,200}){1,200}){1,200}){1,200})", "more than 50000 parts", TOLL_E_LIMIT);
    refuse("((((){1000}){1000}){1000}){1000}", "more than 50000 parts", TOLL_E_LIMIT);
    refuse("(((a{1000}){1000}){1000}){1000}", "more than 50000 parts", TOLL_E_LIMIT);
    expect(wide, "a", false); /* one set, however often it is named */
    expect(many, "a", false);
    free(deep);
    free(nested);
    free(long_text);
    free(wide);
    free(many);
}

/* Sets of many ranges, each another one. */
static void test_sets_are_bounded(void **state)
{
    (void)state;
    char text[32000] = "";
    size_t at = 0;
    for (unsigned c = 0; c < 1000; c++)
        at += (size_t)snprintf(text + at, sizeof text - at, "[\\p{L}\\u{%x}]", 0x10000 + 2 * c);
    refuse(text, "more than 100000 ranges", TOLL_E_ARGUMENT);
}

/* Work and memory with hostile patterns: each ends, and most with the right answer. */
static void hold(const char *text, const char *name, bool want, bool may_give_up)
{
    toll_budget budget = { .limit = 32 << 20 };
    toll_mem mem = toll_budget_allocator(&budget);
    toll_pattern *pattern;
    assert_ok(toll_pattern_parse(&pattern, &mem, text, err));
    bool is = toll_pattern_matches(pattern, name);
    toll_error e = { TOLL_OK, "" };
    toll_status status = toll_pattern_check(pattern, &e);
    assert_true(is == want || status);
    if (status) {
        assert_true(may_give_up && status == TOLL_E_LIMIT);
        assert_non_null(strstr(e.text, "steps on these names"));
        assert_false(toll_pattern_matches(pattern, name));
    }
    toll_pattern_free(pattern);
    assert_int_equal(budget.used, 0);
}

static void test_hostile_patterns_are_bounded(void **state)
{
    (void)state;
    char *a = repeated(10000, "a", ""), *ab = repeated(5000, "ab", "c");
    hold("(((((a*)*)*)*)*)*[yz]", a, false, false);
    hold("(a?){400}[bc]", a, false, false);
    hold("(a{1,50}){1,50}[bc]", a, false, false);
    hold("(x+x+)+[yz]|(a|aa)+$", a, true, false);
    hold("(a|b)*a(a|b){9}c", ab, true, false);
    hold("(.*)(.*)(.*)(.*)(.*)[xy]", ab, false, false);
    free(a);
    free(ab);
}

/* Its states are all of 2^500: the table is emptied again and again, and then it gives up. */
static void test_a_pattern_that_needs_too_many_steps_gives_up(void **state)
{
    (void)state;
    char *name = calloc(1 << 20, 1);
    uint32_t random = 1;
    for (size_t i = 0; i + 1 < 1 << 20; i++) {
        random = random * 1664525 + 1013904223;
        name[i] = random >> 31 ? 'a' : 'b';
    }
    hold("[ab]*a[ab]{500}c", name, false, true);
    hold("(a|b)*a(a|b){9}$", name, name[(1 << 20) - 11] == 'a', false);
    free(name);
}

static toll_status parse_and_match(const toll_allocator *a, void *user)
{
    toll_pattern *pattern;
    toll_mem mem = toll_mem_from(a);
    toll_status status = toll_pattern_parse(&pattern, &mem, user, NULL);
    if (status)
        return status;
    bool is = toll_pattern_matches(pattern, "ab_aabbabab_baabababababa.x");
    assert_true(is);
    assert_ok(toll_pattern_check(pattern, err));
    toll_pattern_free(pattern);
    return TOLL_OK;
}

/* Memory for the table may lack: it is emptied more often then, and the answer is the same. */
static void test_memory_runs_out(void **state)
{
    (void)state;
    char words[] = "\\b[^\\P{L}x]{2}(_|[[:alnum:]]{2,5}?|)*\\.x$", many[] = "a[ab_]{9}[b_].*x";
    test_allocations(parse_and_match, words, true);
    test_allocations(parse_and_match, many, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_text_is_found_anywhere),
        cmocka_unit_test(test_regular_expressions),
        cmocka_unit_test(test_braces_and_brackets_are_characters_where_they_end_nothing),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_categories_of_unicode),
        cmocka_unit_test(test_edges_of_words),
        cmocka_unit_test(test_bytes_that_are_no_utf8),
        cmocka_unit_test(test_what_is_refused_is_named),
        cmocka_unit_test(test_what_is_too_large_is_refused),
        cmocka_unit_test(test_sets_are_bounded),
        cmocka_unit_test(test_hostile_patterns_are_bounded),
        cmocka_unit_test(test_a_pattern_that_needs_too_many_steps_gives_up),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

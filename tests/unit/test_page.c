/* test_page.c - the page of toll view: hostile names, what is shown first, failures.
 * tests/properties/random_pages.c tests that it contains all stacks. */
#include "support.h"

/* A page as text, malloc's. */
static char *page_of(const toll_profile *p, const toll_profile *before, const toll_page_options *o)
{
    toll_output *out;
    size_t size;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_report_page(p, before, o, out, err));
    assert_ok(toll_output_commit(out, err));
    const char *data = toll_output_data(out, &size);
    char *text = malloc(size + 1);
    assert_non_null(text);
    memcpy(text, data, size);
    text[size] = 0;
    toll_output_free(out);
    return text;
}

static toll_profile *profile_with(const char *stack, int64_t value)
{
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "time", "nanoseconds", NULL, err));
    test_add_stack(p, "main", stack, 1, value);
    return p;
}

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;
    while ((text = strstr(text, what)) != NULL) {
        count++;
        text += strlen(what);
    }
    return count;
}

/* Names are in blocks, as base64; those that are in the header or the title end no element. */
static void test_names_are_data(void **state)
{
    (void)state;
    static const char evil[] = "</script><img src=x onerror=alert(1)>";
    toll_profile *plain = profile_with("a", 1), *p = profile_with("</title><b>&amp;", 1);
    toll_page_options o = { .size = sizeof o, .title = evil, .before = evil };
    test_add_stack(p, evil, evil, 1, 1);
    assert_ok(toll_profile_add_note(p, evil, 1, err));
    char *text = page_of(p, p, &o), *usual = page_of(plain, plain, NULL);
    assert_int_equal(count_of(text, "</script"), count_of(usual, "</script"));
    assert_int_equal(count_of(text, "<script"), count_of(usual, "<script"));
    assert_int_equal(count_of(text, "</title"),
                     count_of(text, "<title>")); /* those of the picture, too */
    assert_null(strstr(text, "<img"));
    assert_non_null(strstr(text, "<title>&lt;/script>&lt;img"));
    assert_non_null(strstr(text, "\"title\":\"\\u003c/script>\\u003cimg"));
    free(text);
    free(usual);
    toll_profile_free(p);
    toll_profile_free(plain);
}

/* Control characters, and line ends that only JavaScript and Unicode know, are escapes. */
static void test_control_characters_are_escapes(void **state)
{
    (void)state;
    toll_profile *p = profile_with("a", 1);
    toll_page_options o = { .size = sizeof o, .title = "a\x01\xe2\x80\xa8\xe2\x80\xae\xff z" };
    char *text = page_of(p, NULL, &o);
    assert_non_null(strstr(text, "<title>a\\x01\\u2028\\u202e\\xff z</title>"));
    assert_non_null(strstr(text, "\"title\":\"a\\u0001\\u2028\\u202e\\ufffd z\""));
    free(text);
    toll_profile_free(p);
}

static void test_the_shown_value_is_the_default(void **state)
{
    (void)state;
    toll_profile *p = profile_with("a;b", 7), *calls = profile_with("a", 0);
    test_add_stack(calls, "main", "a", 0, 3);
    toll_page_options o = { .size = sizeof o, .value = "calls" };
    char *text = page_of(p, NULL, NULL);
    assert_non_null(strstr(text, "\"default\":1"));
    assert_non_null(strstr(text, "\"calls\":0,\"executions\":-1"));
    assert_non_null(strstr(text, "\"sum\":\"7\""));
    free(text);
    text = page_of(p, NULL, &o);
    assert_non_null(strstr(text, "\"default\":0"));
    free(text);
    text = page_of(calls, NULL, NULL);
    assert_non_null(strstr(text, "\"default\":0"));
    assert_non_null(strstr(text, "\"notes\":[\"every value of time is 0"));
    free(text);
    toll_profile_free(p);
    toll_profile_free(calls);
}

static void test_a_comparison_has_both_sums_and_notes(void **state)
{
    (void)state;
    toll_profile *p = profile_with("a;b", 7), *before = profile_with("a;c", 5);
    toll_page_options o = { .size = sizeof o, .title = "new", .before = "old" };
    assert_ok(toll_profile_add_note(before, "returns without a call", 1234, err));
    char *text = page_of(p, before, &o);
    assert_non_null(strstr(text, "<title>new beside old</title>"));
    assert_non_null(strstr(text, "\"before\":\"old\""));
    assert_non_null(strstr(text, "\"sum\":\"7\",\"sumBefore\":\"5\""));
    assert_non_null(strstr(text, "\"before: returns without a call: 1,234\""));
    assert_non_null(strstr(text, "\"nodes\":4,\"frames\":3"));
    assert_non_null(strstr(text, "id=\"toll-block-before-1\""));
    free(text);
    toll_profile_free(p);
    toll_profile_free(before);
}

static toll_status source_of(void *user, const char *file, const char **text, size_t *size,
                             toll_error *err)
{
    (void)err;
    *text = strcmp(file, "gone.c") == 0 ? NULL : user;
    *size = *text ? strlen(*text) : 0;
    return TOLL_OK;
}

static void add_in_file(toll_profile *p, const char *file, uint32_t line)
{
    toll_frame f = { .name = "f", .file = file, .at_line = line };
    toll_frame_id frame;
    toll_node_id node;
    assert_ok(toll_profile_add_frame(p, &f, &frame, err));
    assert_ok(toll_profile_add_child(p, toll_profile_root(p, 0), frame, &node, err));
    assert_ok(toll_profile_add_self(p, node, 1, 1, err));
}

static void test_source_files_are_those_of_lines(void **state)
{
    (void)state;
    char source[] = "int x;\n";
    toll_profile *p = profile_with("a", 1);
    toll_page_options o = { .size = sizeof o, .source = source_of, .source_user = source };
    add_in_file(p, "there.c", 0);
    char *text = page_of(p, NULL, &o);
    assert_null(strstr(text, "toll-block-source"));
    free(text);
    add_in_file(p, "gone.c", 2);
    add_in_file(p, "lines.c", 2);
    text = page_of(p, NULL, &o);
    assert_non_null(strstr(text, "\"source\":{\"items\":1"));
    assert_non_null(strstr(text, "\"source files that are not there: 1\""));
    free(text);
    o.all_source = 1;
    text = page_of(p, NULL, &o);
    assert_non_null(strstr(text, "\"source\":{\"items\":2"));
    free(text);
    toll_profile_free(p);
}

static void test_a_page_says_what_is_exact(void **state)
{
    (void)state;
    toll_profile *p = profile_with("a", 1), *unknown;
    assert_ok(toll_profile_create(NULL, &unknown, err));
    assert_ok(toll_profile_add_column(unknown, "samples", "count", NULL, err));
    test_add_stack(unknown, "", "a", 0, 1);
    char *text = page_of(p, NULL, NULL);
    assert_non_null(strstr(text, "\"exact\":true"));
    free(text);
    text = page_of(unknown, NULL, NULL);
    assert_non_null(strstr(text, "\"exact\":null"));
    free(text);
    assert_ok(toll_profile_add_comment(p, "sampled: every 10000000 nanoseconds of cpu", err));
    text = page_of(unknown, p, NULL);
    assert_non_null(strstr(text, "\"exact\":false"));
    assert_non_null(strstr(text, "\"sampled\":\"every 10000000 nanoseconds of cpu\""));
    free(text);
    toll_profile_free(p);
    toll_profile_free(unknown);
}

static void test_nothing_at_all_is_a_page(void **state)
{
    (void)state;
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    char *text = page_of(p, p, NULL);
    assert_non_null(strstr(text, "\"values\":[]"));
    assert_non_null(strstr(text, "\"nodes\":0"));
    free(text);
    toll_profile_free(p);
}

static void test_sums_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    toll_profile *p = profile_with("a", INT64_MAX);
    toll_output *out;
    test_add_stack(p, "main", "b", 1, 1);
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_int_equal(toll_report_page(p, NULL, NULL, out, NULL), TOLL_E_OVERFLOW);
    toll_output_free(out);
    toll_profile_free(p);
}

static void test_same_profile_same_bytes(void **state)
{
    (void)state;
    toll_profile *p = profile_with("a;b", 1), *q = profile_with("c", 4);
    test_add_stack(p, "main", "c", 1, 4);
    test_add_stack(q, "main", "a;b", 1, 1);
    char *text = page_of(p, NULL, NULL), *again = page_of(q, NULL, NULL);
    assert_string_equal(text, again);
    free(text);
    free(again);
    toll_profile_free(p);
    toll_profile_free(q);
}

static toll_status compare_in(const toll_allocator *allocator, void *user)
{
    (void)user;
    toll_profile *p = NULL, *before = NULL;
    toll_output *out = NULL;
    toll_input *in;
    static const char after_text[] = "a;b 3\na;c 4\n", before_text[] = "a;b 3\nd 1\n";
    static char source[] = "int x;\n";
    const toll_page_options options = {
        .size = sizeof options, .source = source_of, .source_user = source, .all_source = 1
    };
    toll_status status =
        toll_input_from_memory(allocator, after_text, sizeof after_text - 1, "after", &in, NULL);
    if (!status) {
        status = toll_profile_read(in, "folded", NULL, NULL, &p, NULL);
        toll_input_free(in);
    }
    if (!status)
        status = toll_input_from_memory(allocator, before_text, sizeof before_text - 1, "before",
                                        &in, NULL);
    if (!status && p) {
        status = toll_profile_read(in, "folded", NULL, NULL, &before, NULL);
        toll_input_free(in);
    }
    if (!status)
        status = toll_output_to_memory(allocator, 0, &out, NULL);
    if (!status)
        status = toll_report_page(p, before, &options, out, NULL);
    if (!status)
        status = toll_output_commit(out, NULL);
    toll_output_free(out);
    toll_profile_free(before);
    toll_profile_free(p);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    test_allocations(compare_in, NULL,
                     true); /* whether there is nothing to prune is not known then */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_data),
        cmocka_unit_test(test_control_characters_are_escapes),
        cmocka_unit_test(test_the_shown_value_is_the_default),
        cmocka_unit_test(test_a_comparison_has_both_sums_and_notes),
        cmocka_unit_test(test_source_files_are_those_of_lines),
        cmocka_unit_test(test_a_page_says_what_is_exact),
        cmocka_unit_test(test_nothing_at_all_is_a_page),
        cmocka_unit_test(test_sums_that_do_not_fit_are_refused),
        cmocka_unit_test(test_same_profile_same_bytes),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

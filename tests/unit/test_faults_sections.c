/* test_faults_sections.c - like test_faults.c, for the code in sections/. */
#include "support.h"

#include <toll/recorder.h>
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

static toll_recorder *new_recorder(void)
{
    static const toll_counter units = { "units", "count", 0 };
    toll_recorder_options o = {
        .size = sizeof o, .counters = &units, .counter_count = 1, .section_heap = 1
    };
    toll_recorder *r;
    assert_ok(toll_recorder_create(&o, &r, err));
    return r;
}

/* One section, from 0 to `heap` bytes. */
static void run_section(toll_sections *s, const char *id, int64_t heap)
{
    const uint64_t now = 0, none = 0, bytes = (uint64_t)heap;
    toll_section_results results;
    assert_ok(toll_sections_begin(s, id, strlen(id), &none, &now, err));
    assert_ok(toll_sections_end(s, id, strlen(id), &bytes, &now, err));
    assert_ok(toll_sections_pop(s, &now, &results, err));
}

/* sections.c: the frame of a section has a line; section_net.c: the largest sum of heap values that
 * fits does not. */
static void test_a_section_in_the_tree(void **state)
{
    const int64_t largest = INT64_C(1) << 62; /* value of a heap that is tracked */
    toll_recorder *r = new_recorder();
    toll_sections_options o = { .size = sizeof o, .recorder = r };
    toll_sections *s;
    toll_profile *p;
    (void)state;
    assert_ok(toll_sections_create(&o, &s, err));
    run_section(s, "a", largest);
    run_section(s, "b", INT64_MAX - largest);
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    assert_int_equal(toll_profile_note_count(p), 0);
    assert_int_equal(test_self(p, "main", "a", 2), largest);
    assert_int_equal(test_self(p, "main", "b", 2), INT64_MAX - largest);
    assert_int_not_equal(
        toll_profile_find_frame(p, &(toll_frame){ .name = "a", .kind = TOLL_KIND_SECTION }),
        TOLL_NONE);
    toll_profile_free(p);
    run_section(s, "b", 1);
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    assert_int_equal(test_note(p, "heap values of sections that no sum can hold"), 1);
    assert_int_equal(test_sum(p, 2), INT64_MAX);
    toll_profile_free(p);
    toll_sections_free(s);
    toll_recorder_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_message_has_100_bytes_of_an_id),
        cmocka_unit_test(test_a_section_in_the_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_faults_columns.c - like test_faults.c, for columns, default columns and notes.
 * test_faults_profile.c has the rest of profile/. */
#include "support.h"

/* columns.c: an index one past the last column is accepted as one of the union. */
static void test_merge_has_the_columns_of_both_and_no_more(void **state)
{
    (void)state;
    toll_profile *p, *q;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_create(NULL, &q, err));
    assert_ok(toll_profile_add_column(p, "time", "ns", NULL, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(q, "calls", "count", NULL, err));
    assert_ok(toll_profile_add_column(q, "ticks", "count", NULL, err));
    assert_ok(toll_profile_merge(p, q, err));
    assert_int_equal(toll_profile_column_count(p), 3);
    assert_string_equal(toll_profile_column(p, 0).type, "calls");
    assert_string_equal(toll_profile_column(p, 1).type, "ticks");
    assert_string_equal(toll_profile_column(p, 2).type, "time");
    toll_profile_free(p);
    toll_profile_free(q);
}

/* columns.c: there is no room for the columns of two profiles that both have the largest number. */
static void test_merge_of_too_many_columns_is_refused(void **state)
{
    toll_profile *p[2];
    char type[16];
    toll_error e = { TOLL_OK, "" };
    uint32_t count = 0;
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_ok(toll_profile_create(NULL, &p[i], err));
        for (count = 0;; count++) {
            snprintf(type, sizeof type, "%c%u", 'a' + i, (unsigned)count);
            if (toll_profile_add_column(p[i], type, "count", NULL, NULL))
                break;
        }
    }
    assert_int_equal(toll_profile_merge(p[0], p[1], &e), TOLL_E_LIMIT);
    assert_int_equal(toll_profile_column_count(p[0]), count);
    for (int i = 0; i < 2; i++)
        toll_profile_free(p[i]);
}

/* profile.c: a value type that the profile does not have is found behind the last one. */
static void test_no_column_behind_the_last_is_found(void **state)
{
    toll_profile *p;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "calls", "count", NULL, err));
    assert_int_equal(toll_profile_find_value_type(p, (toll_value_type){ "", "" }), TOLL_NONE);
    assert_int_equal(toll_profile_find_value_type(p, (toll_value_type){ "calls", "count" }), 0);
    toll_profile_free(p);
}

/* columns.c: the same columns are sorted as if they were a union; a profile without columns hides
 * the default of the other. */
static void test_merge_keeps_the_order_of_columns_and_the_default(void **state)
{
    toll_profile *p[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_ok(toll_profile_create(NULL, &p[i], err));
        assert_ok(toll_profile_add_column(p[i], "time", "ns", NULL, err));
        assert_ok(toll_profile_add_column(p[i], "ticks", "count", NULL, err));
        toll_profile_set_default_column(p[i], 0);
    }
    assert_ok(toll_profile_merge(p[0], p[1], err));
    assert_string_equal(toll_profile_column(p[0], 0).type, "time");
    toll_profile_free(p[0]);
    assert_ok(toll_profile_create(NULL, &p[0], err));
    assert_ok(toll_profile_merge(p[0], p[1], err));
    assert_string_equal(toll_profile_column(p[0], toll_profile_default_column(p[0])).type, "time");
    toll_profile_free(p[0]);
    assert_ok(toll_profile_create(NULL, &p[0], err));
    for (int i = 0; i < 2; i++) { /* of a difference, too, whichever has none */
        toll_profile *by;
        assert_ok(toll_profile_diff(p[i], p[!i], &by, err));
        assert_string_equal(toll_profile_column(by, toll_profile_default_column(by)).type, "time");
        toll_profile_free(by);
    }
    for (int i = 0; i < 2; i++)
        toll_profile_free(p[i]);
}

/* profile.c: TOLL_NONE does not clear the default column, or another number does. */
static void test_the_default_column_can_be_taken_back(void **state)
{
    toll_profile *p;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    assert_ok(toll_profile_add_column(p, "time", "ns", NULL, err));
    toll_profile_set_default_column(p, 1);
    toll_profile_set_default_column(p, 2); /* there is none */
    assert_int_equal(toll_profile_default_column(p), 1);
    toll_profile_set_default_column(p, TOLL_NONE);
    assert_int_equal(toll_profile_default_column(p), 0);
    toll_profile_free(p);
}

/* notes.c: the largest count that fits 64 bits is refused. */
static void test_the_largest_count_of_a_note_fits(void **state)
{
    toll_profile *p;
    uint64_t count;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_note(p, "dropped", UINT64_MAX - 2, err));
    assert_ok(toll_profile_add_note(p, "dropped", 2, err));
    assert_int_equal(toll_profile_add_note(p, "dropped", 1, NULL), TOLL_E_OVERFLOW);
    toll_profile_note(p, 0, &count);
    assert_int_equal(count, UINT64_MAX);
    toll_profile_free(p);
}

/* notes.c: one note more or less than the limit. */
static void test_4096_notes_and_comments_fit(void **state)
{
    enum { MOST = 4096 };
    toll_profile *p;
    char text[16];
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    for (int i = 0; i < MOST; i++) {
        snprintf(text, sizeof text, "%d", i);
        assert_ok(toll_profile_add_note(p, text, 1, err));
        assert_ok(toll_profile_add_comment(p, text, err));
    }
    assert_int_equal(toll_profile_add_note(p, "more", 1, NULL), TOLL_E_LIMIT);
    assert_int_equal(toll_profile_add_comment(p, "more", NULL), TOLL_E_LIMIT);
    assert_int_equal(toll_profile_note_count(p), MOST);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merge_has_the_columns_of_both_and_no_more),
        cmocka_unit_test(test_merge_of_too_many_columns_is_refused),
        cmocka_unit_test(test_no_column_behind_the_last_is_found),
        cmocka_unit_test(test_merge_keeps_the_order_of_columns_and_the_default),
        cmocka_unit_test(test_the_default_column_can_be_taken_back),
        cmocka_unit_test(test_the_largest_count_of_a_note_fits),
        cmocka_unit_test(test_4096_notes_and_comments_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

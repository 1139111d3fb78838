/* test_label_keys.c - the list of a profile's labels in messages: the first sixteen in order, with
 * a value where all threads have the same short one; and which of several keys there are. */
#include "support.h"

#include "cli/label_keys.h"

static void add(toll_profile *p, const char *thread, const toll_thread_label *labels,
                uint32_t count)
{
    toll_thread_id id;
    assert_ok(toll_profile_add_labelled_thread(p, thread, labels, count, &id, err));
}

static toll_profile *empty(void)
{
    toll_profile *p;
    assert_ok(toll_profile_create(NULL, &p, err));
    return p;
}

static void expect(toll_profile *p, const char *expected)
{
    char text[TOLL_LABEL_KEYS_SIZE];
    toll_label_keys_text(p, text);
    assert_string_equal(text, expected);
    toll_profile_free(p);
}

static void test_values_that_all_threads_have(void **state)
{
    (void)state;
    static const toll_thread_label one[] = { { "a", "1" }, { "b", "2" }, { "c", "3" } };
    static const toll_thread_label other[] = { { "a", "1" }, { "c", "4" } };
    toll_profile *p = empty();
    expect(p, "");
    p = empty();
    add(p, "x", one, 3);
    expect(p, "a=1, b=2, c=3");
    p = empty();
    add(p, "x", one, 3);
    add(p, "y", other, 2);
    expect(p, "a=1, b, c");
    p = empty();
    add(p, "x", other, 2);
    add(p, "y", one, 3);
    expect(p, "a=1, b, c");
}

static void test_long_values_are_left_out(void **state)
{
    (void)state;
    char value[64], expected[64];
    for (int size = 40; size <= 41; size++) {
        toll_profile *p = empty();
        snprintf(value, sizeof value, "%0*d", size, 7);
        snprintf(expected, sizeof expected, size == 40 ? "a=%s" : "a", value);
        add(p, "x", &(toll_thread_label){ "a", value }, 1);
        expect(p, expected);
    }
}

/* Of `count` keys, added from the last, or from the first. */
static void check_count(int count, bool backwards, const char *last)
{
    char name[16], expected[TOLL_LABEL_KEYS_SIZE] = "";
    toll_profile *p = empty();
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "k%02d", backwards ? count - 1 - i : i);
        add(p, "x", &(toll_thread_label){ name, "v" }, 1);
    }
    for (int i = 0; i < count && i < 16; i++)
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%sk%02d%s",
                 i ? ", " : "", i, count == 1 ? "=v" : "");
    strcat(expected, last);
    expect(p, expected);
}

static void test_sixteen_keys_and_more(void **state)
{
    (void)state;
    for (int backwards = 0; backwards < 2; backwards++) {
        check_count(1, backwards, "");
        check_count(2, backwards, "");
        check_count(15, backwards, "");
        check_count(16, backwards, "");
        check_count(17, backwards, ", ...");
        check_count(20, backwards, ", ...");
    }
}

/* A text as long as there is room, and one longer by a byte. */
static void test_there_is_room_for_so_much(void **state)
{
    (void)state;
    enum { ROOM = TOLL_LABEL_KEYS_SIZE - (int)sizeof ", ..." };
    char name[TOLL_LABEL_KEYS_SIZE];
    for (int size = ROOM - 1; size <= ROOM; size++) {
        memset(name, 'k', (size_t)size);
        name[size] = 0;
        toll_profile *p = empty();
        add(p, "x", &(toll_thread_label){ name, "1" }, 1);
        add(p, "y", NULL, 0);
        expect(p, size < ROOM ? name : "...");
        name[size - 3] = 0; /* another one fits behind it, with its comma, or does not */
        p = empty();
        add(p, "x", (toll_thread_label[]){ { name, "1" }, { "z", "1" } }, 2);
        add(p, "y", NULL, 0);
        strcat(name, size < ROOM ? ", z" : ", ...");
        expect(p, name);
    }
}

static void test_which_keys_there_are(void **state)
{
    (void)state;
    toll_profile *p = empty();
    size_t size;
    add(p, "x", (toll_thread_label[]){ { "host", "1" }, { "test", "1" } }, 2);
    assert_null(toll_unknown_label_key(p, "host,test", &size));
    assert_null(toll_unknown_label_key(p, "thread, test", &size));
    assert_null(toll_unknown_label_key(p, "", &size));
    assert_null(toll_unknown_label_key(p, ",", &size));
    const char *key = toll_unknown_label_key(p, "host,tes,x", &size);
    assert_int_equal(size, 3);
    assert_memory_equal(key, "tes,", 4);
    key = toll_unknown_label_key(p, "host, tests", &size);
    assert_int_equal(size, 5);
    assert_string_equal(key, "tests");
    assert_true(toll_has_label_key(p, "x,test"));
    assert_false(toll_has_label_key(p, "x,thread,hos"));
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_that_all_threads_have),
        cmocka_unit_test(test_long_values_are_left_out),
        cmocka_unit_test(test_sixteen_keys_and_more),
        cmocka_unit_test(test_there_is_room_for_so_much),
        cmocka_unit_test(test_which_keys_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_section_place.c - which ids of sections name a place, in frames and in the log. */
#include "support_sections.h"

#include "sections/section_place.h"

static void assert_place(const char *id, const char *name, const char *file, uint32_t line)
{
    toll_mem mem = toll_mem_from(NULL);
    toll_buffer room;
    toll_frame frame;
    toll_buffer_init(&room, &mem);
    assert_true(toll_section_frame(&room, id, strlen(id), &frame));
    assert_string_equal(frame.name, name);
    assert_int_equal(frame.line, line);
    if (file)
        assert_string_equal(frame.file, file);
    else
        assert_null(frame.file);
    toll_buffer_free(&room);
}

static void test_ids_with_a_place(void **state)
{
    (void)state;
    assert_place("parse\n        src/lib.rs:12        ", "parse", "src/lib.rs", 12);
    assert_place("parse src/lib.rs:12", "parse", "src/lib.rs", 12);
    assert_place("two words \t c:\\x.c:4294967295\r\n", "two words", "c:\\x.c", UINT32_MAX);
    assert_place("a b.mp3:1", "a", "b.mp3", 1);
}

static void test_ids_without(void **state)
{
    static const char *const ids[] = {
        "parse",        "src/lib.rs:12",       "a lib.rs",  "a lib.rs:", "a :12",
        "a lib:12",     "a lib.:12",           "a .rs:12",  "a lib.R:1", "a lib.rs:0",
        "a lib.rs:12x", "a lib.rs:4294967296", " lib.rs:1", "a  "
    };
    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        assert_place(ids[i], ids[i], NULL, 0);
    assert_place("", "(unknown)", NULL, 0);
    assert_place("a lib.rs:99999999999999999999999", "a lib.rs:99999999999999999999999", NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_with_a_place),
        cmocka_unit_test(test_ids_without),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

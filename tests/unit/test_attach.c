/* test_attach.c - parts of toll attach: what a process has recorded, which may be anything; and how
 * Lua calls chunks that were loaded from text. */
#include "support.h"

#include <unistd.h>

#include "cli/attach_collect.h"
#include "luastack/attach_request.h"
#include "luastack/lua_walk.h"

typedef struct memory {
    FILE *file;
    int fd;
    uint64_t size;
} memory;

static memory new_memory(void)
{
    memory m = { .file = tmpfile() };
    assert_non_null(m.file);
    m.fd = fileno(m.file);
    return m;
}

static void put(memory *m, const void *bytes, size_t size)
{
    assert_int_equal(write(m->fd, bytes, size), size);
    m->size += size;
}

/* Append a profile with `value` ticks in main, as a process does. */
static void put_profile(memory *m, int64_t value)
{
    toll_profile *p;
    toll_output *out;
    uint32_t column;
    size_t size;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", &column, err));
    test_add_stack(p, "", "main", column, value);
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, "pprof", NULL, out, err));
    assert_ok(toll_output_commit(out, err));
    const void *bytes = toll_output_data(out, &size);
    const toll_attach_size head = size;
    put(m, &head, sizeof head);
    put(m, bytes, size);
    toll_output_free(out);
    toll_profile_free(p);
}

static toll_status collect(const toll_allocator *allocator, void *user)
{
    const memory *m = user;
    toll_profile *sum;
    toll_status status = toll_attach_collect(allocator, m->fd, m->size, "process 1", &sum, NULL);
    toll_profile_free(sum);
    return status;
}

static void test_profiles_are_added_up(void **state)
{
    memory m = new_memory();
    toll_profile *sum;
    (void)state;
    assert_ok(toll_attach_collect(NULL, m.fd, 0, "process 1", &sum, err));
    assert_null(sum);
    for (int64_t value = 1; value <= 3; value++)
        put_profile(&m, value);
    assert_ok(toll_attach_collect(NULL, m.fd, m.size, "process 1", &sum, err));
    assert_int_equal(test_self(sum, "", "main", 0), 6);
    toll_profile_free(sum);
    test_every_allocation(collect, &m);
    fclose(m.file);
}

static void assert_cut(const memory *m, uint64_t whole, const char *text)
{
    toll_error e = { TOLL_OK, "" };
    toll_profile *sum;
    assert_int_not_equal(toll_attach_collect(NULL, m->fd, whole, "process 1", &sum, &e), TOLL_OK);
    assert_null(sum);
    if (text)
        assert_string_equal(e.text, text);
}

/* It is cut off at any byte, the file has less than was said, or a size is any number. */
static void test_what_is_cut_off_is_refused(void **state)
{
    static const uint64_t sizes[] = { 0, 1, 1000, UINT64_MAX, UINT64_MAX - 7, (uint64_t)1 << 63 };
    memory m = new_memory();
    (void)state;
    put_profile(&m, 1);
    const uint64_t first = m.size;
    put_profile(&m, 2);
    for (uint64_t whole = 1; whole < m.size; whole++)
        if (whole != first)
            assert_cut(&m, whole,
                       whole > first ? NULL
                                     : "process 1: at byte 0 of what it has recorded: a profile is "
                                       "cut off; attach again");
    assert_cut(&m, m.size + 4, NULL);
    assert_cut(&m, m.size + 100, NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_int_equal(pwrite(m.fd, &sizes[i], sizeof *sizes, (off_t)first), sizeof *sizes);
        assert_cut(&m, m.size, NULL);
    }
    fclose(m.file);
}

/* What the interpreters say of load(text): debug.getinfo(f, "S").short_src. */
static void test_names_of_chunks_of_text(void **state)
{
#define LONG "0123456789012345678901234567890123456789"
    static const struct {
        int version;
        const char *text, *name;
    } cases[] = {
        { 501, LONG "abc", "[string \"" LONG "abc\"]" },
        { 501, LONG "abcd", "[string \"" LONG "abc...\"]" },
        { 501, "a\nb", "[string \"a...\"]" },
        { 501, "a\r\nb", "[string \"a...\"]" },
        { 501, "", "[string \"\"]" },
        { 504, LONG "abcd", "[string \"" LONG "abcd\"]" },
        { 504, LONG "abcde", "[string \"" LONG "abcde...\"]" },
        { 504, LONG "abcdef", "[string \"" LONG "abcde...\"]" },
        { 502, "a\nb", "[string \"a...\"]" },
        { 503, "a\r\nb", "[string \"a\r...\"]" },
        { 504, LONG "abcde\n", "[string \"" LONG "abcde...\"]" },
        { 504, LONG LONG "\n", "[string \"" LONG "01234...\"]" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[TOLL_LUA_SHORT_SIZE];
        toll_lua_short_source(cases[i].version, cases[i].text, name);
        assert_string_equal(name, cases[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profiles_are_added_up),
        cmocka_unit_test(test_what_is_cut_off_is_refused),
        cmocka_unit_test(test_names_of_chunks_of_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_os.c - files, folders and the clock of the system. */
#include "support.h"

#include "base/os.h"

#include <errno.h>

/* A name for temporary files that no other process has. */
static char base[600];

static int choose_base(void **state)
{
    char path[512];
    (void)state;
    int fd = toll_os_create_scratch("toll-test-os", path, sizeof path);
    if (fd < 0 || !toll_os_close(fd))
        return -1;
    snprintf(base, sizeof base, "%s-%llu", path, (unsigned long long)toll_os_clock_ns());
    return 0;
}

static void make(const char *path, const char *text)
{
    int fd = toll_os_create(path);
    assert_true(fd >= 0);
    assert_int_equal(toll_os_write(fd, text, strlen(text)), strlen(text));
    assert_true(toll_os_close(fd));
}

static void expect(const char *path, const char *text)
{
    char got[64];
    toll_os_info info;
    int fd = toll_os_open_to_read(path, &info);
    assert_true(fd >= 0);
    assert_int_equal(info.kind, TOLL_OS_REGULAR);
    assert_int_equal(info.size, strlen(text));
    assert_int_equal(toll_os_read(fd, got, sizeof got), strlen(text));
    assert_memory_equal(got, text, strlen(text));
    assert_int_equal(toll_os_read(fd, got, sizeof got), 0);
    assert_true(toll_os_close(fd));
}

static void test_a_name_at_the_end_of_a_path(void **state)
{
    (void)state;
    assert_string_equal(toll_os_file_name("a/b.c/d"), "d");
    assert_string_equal(toll_os_file_name("a/b/"), "");
    assert_string_equal(toll_os_file_name("/"), "");
    assert_string_equal(toll_os_file_name("name"), "name");
#ifdef _WIN32
    assert_string_equal(toll_os_file_name("C:\\a\\b"), "b");
    assert_string_equal(toll_os_file_name("C:b"), "b");
    assert_string_equal(toll_os_file_name("a\\b/c"), "c");
    assert_string_equal(toll_os_file_name("a/b\\c"), "c");
#endif
}

/* Each byte is what it was: no line end becomes another, and 0x1a ends nothing. A name may have
 * any characters. */
static void test_bytes_stay_what_they_are(void **state)
{
    char path[700];
    (void)state;
    snprintf(path, sizeof path, "%s-\xc3\xa9\xe6\x97\xa5", base);
    make(path, "a\nb\r\nc\x1a d\n");
    expect(path, "a\nb\r\nc\x1a d\n");
    toll_os_delete(path);
}

static void test_a_file_is_replaced(void **state)
{
    char old[700], new[700];
    toll_os_info info;
    (void)state;
    snprintf(old, sizeof old, "%s.old", base);
    snprintf(new, sizeof new, "%s.new", base);
    make(old, "old");
    assert_int_equal(toll_os_create(old), -1);
    assert_int_equal(errno, EEXIST);
    make(new, "newer");
    assert_true(toll_os_rename(new, old));
    expect(old, "newer");
    assert_false(toll_os_look(new, &info));
    assert_int_equal(errno, ENOENT);
    assert_true(toll_os_may_write(old));
    toll_os_delete(old);
    assert_false(toll_os_look(old, &info));
}

static void test_a_file_that_is_gone_when_closed(void **state)
{
    char path[512], got[8];
    toll_os_info info;
    const uint64_t far = UINT64_C(5) << 30; /* beyond what 32 bits count */
    (void)state;
    int fd = toll_os_create_scratch("toll-test-scratch", path, sizeof path);
    assert_true(fd >= 0);
    assert_true(toll_os_write_at(fd, "beyond", 6, 100));
    assert_true(toll_os_write_at(fd, "begin", 5, 0));
    assert_true(toll_os_read_at(fd, got, 6, 100));
    assert_memory_equal(got, "beyond", 6);
    assert_true(toll_os_read_at(fd, got, 5, 0));
    assert_memory_equal(got, "begin", 5);
    assert_false(toll_os_read_at(fd, got, 7, 100));
    assert_false(toll_os_read_at(fd, got, 1, far));
    assert_true(toll_os_close(fd));
    assert_false(toll_os_look(path, &info));
}

/* It is the same by another path, and no file in it is. */
static void expect_which(const char *folder, const toll_os_info *info)
{
    toll_os_info other;
    char path[720];
    assert_true(info->file != 0);
    snprintf(path, sizeof path, "%s/.", folder);
    assert_true(toll_os_look(path, &other));
    assert_true(toll_os_is_same(info, &other));
    assert_true(toll_os_look(base, &other));
    assert_false(toll_os_is_same(info, &other));
    other = (toll_os_info){ .file = 0 };
    assert_false(toll_os_is_same(&other, &other));
}

/* The folder for temporary files is one, and lists a file that is in it. */
static void test_folders(void **state)
{
    toll_os_info info;
    toll_os_folder folder;
    const char *name;
    char path[700];
    unsigned found = 0;
    (void)state;
    make(base, "");
    snprintf(path, sizeof path, "%.*s", (int)(toll_os_file_name(base) - base), base);
    assert_true(toll_os_look(path, &info));
    assert_int_equal(info.kind, TOLL_OS_FOLDER);
    expect_which(path, &info);
    assert_int_equal(toll_os_open_to_read(path, &info), -1);
    assert_int_equal(errno, EISDIR);
    assert_true(toll_os_folder_open(&folder, path));
    while ((name = toll_os_folder_next(&folder)))
        found += strcmp(name, toll_os_file_name(base)) == 0;
    assert_int_equal(errno, 0);
    toll_os_folder_close(&folder);
    assert_int_equal(found, 1);
    toll_os_delete(base);
    assert_false(toll_os_folder_open(&folder, base));
}

#ifdef _WIN32

static void expect_real(const char *real)
{
    char got[8];
    toll_os_info info;
    int fd = toll_os_open_real(real, &info);
    assert_true(fd >= 0);
    assert_int_equal(info.kind, TOLL_OS_REGULAR);
    assert_int_equal(toll_os_read(fd, got, sizeof got), 4);
    assert_memory_equal(got, "real", 4);
    assert_true(toll_os_close(fd));
}

/* Either separator may follow the real path of a folder. Another path of the file is not real. */
static void test_a_real_path_has_either_separator(void **state)
{
    char folder[TOLL_OS_PATH_SIZE], path[TOLL_OS_PATH_SIZE + 700];
    const char *name = toll_os_file_name(base);
    toll_os_info info;
    (void)state;
    make(base, "real");
    snprintf(path, sizeof path, "%.*s.", (int)(name - base), base);
    assert_true(toll_os_real_path(path, folder));
    snprintf(path, sizeof path, "%s\\%s", folder, name);
    expect_real(path);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    expect_real(path);
    snprintf(path, sizeof path, "%s/./%s", folder, name);
    assert_int_equal(toll_os_open_real(path, &info), -1);
    assert_int_equal(errno, ELOOP);
    toll_os_delete(base);
}

#endif

static void test_the_clock_moves_on(void **state)
{
    uint64_t first = toll_os_clock_ns(), now = first;
    (void)state;
    while (now == first)
        now = toll_os_clock_ns();
    assert_true(now > first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_name_at_the_end_of_a_path),
        cmocka_unit_test(test_bytes_stay_what_they_are),
        cmocka_unit_test(test_a_file_is_replaced),
        cmocka_unit_test(test_a_file_that_is_gone_when_closed),
        cmocka_unit_test(test_folders),
#ifdef _WIN32
        cmocka_unit_test(test_a_real_path_has_either_separator),
#endif
        cmocka_unit_test(test_the_clock_moves_on),
    };
    return cmocka_run_group_tests(tests, choose_base, NULL);
}

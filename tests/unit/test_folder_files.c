/* test_folder_files.c - cli/folder_files.h: a folder with too many names for the buffer is listed
 * in parts, in the same order. */
#include "support.h"

#include "cli/folder_files.h"
#include "support_folder.h"

enum { FILES = 200, FOLDERS = 3, PATH_SIZE = 64 };

/* Paths below test_folder, in order. The last files are in folders that are in one another. */
static char paths[FILES][PATH_SIZE];
static const char *const folders[FOLDERS] = { "5d", "5d/x", "5d/x/9" };

static void create(const char *path)
{
    int fd = toll_os_create(test_path(path));
    assert_true(fd >= 0 && toll_os_close(fd));
}

/* By the bytes of names, of one folder after the other: a slash is less than any byte of a name. */
static int compare_paths(const void *a, const void *b)
{
    const char *x = a, *y = b;
    while (*x && *x == *y)
        x++, y++;
    int left = *x == '/' ? 1 : (unsigned char)*x, right = *y == '/' ? 1 : (unsigned char)*y;
    return left - right;
}

static int make_tree(void **state)
{
    if (test_make_folder(state) != 0)
        return -1;
    for (unsigned i = 0; i < FOLDERS; i++)
        assert_int_equal(test_make_one_folder(test_path(folders[i])), 0);
    for (uint32_t i = 0, n = 1; i < FILES; i++) { /* names of 1 to 10 digits, some in a folder */
        n = n * 1664525 + 1013904223;
        uint32_t in = n >> 28;
        snprintf(paths[i], PATH_SIZE, "%s%s%u", in < FOLDERS ? folders[in] : "",
                 in < FOLDERS ? "/" : "", i < 10 ? i : n);
        create(paths[i]);
    }
    create(".hidden");
    qsort(paths, FILES, PATH_SIZE, compare_paths);
    return 0;
}

static int remove_tree(void **state)
{
    for (unsigned i = 0; i < FILES; i++)
        toll_os_delete(test_path(paths[i]));
    toll_os_delete(test_path(".hidden"));
    for (unsigned i = FOLDERS; i-- > 0;)
        rmdir(test_path(folders[i]));
    return test_remove_folder(state);
}

static size_t names_in_memory(const toll_folder_files *files)
{
    size_t count = 0;
    for (size_t i = 0; i < files->depth; i++)
        count += files->levels[i].count;
    return count;
}

/* Go through the tree; *most: how many names there were in memory at once. */
static toll_status go_through(const toll_allocator *a, size_t room, size_t *most)
{
    static toll_folder_files files;
    toll_mem mem = toll_mem_from(a);
    const char *path;
    unsigned next = 0;
    *most = 0;
    toll_folder_files_init(&files, &mem, room);
    toll_status status = toll_folder_files_enter(&files, test_folder, NULL);
    while (!status) {
        toll_os_info info;
        status = toll_folder_files_next(&files, &path, NULL);
        if (status || !path)
            break;
        if (names_in_memory(&files) > *most)
            *most = names_in_memory(&files);
        assert_true(toll_os_look(path, &info));
        if (info.kind == TOLL_OS_FOLDER) {
            status = toll_folder_files_enter(&files, path, NULL);
            continue;
        }
        assert_true(next < FILES);
        assert_string_equal(path + strlen(test_folder) + 1, paths[next++]);
    }
    if (!status)
        assert_int_equal(next, FILES);
    toll_folder_files_free(&files);
    return status;
}

static void test_folder_order_does_not_depend_on_the_room(void **state)
{
    size_t most;
    (void)state;
    assert_ok(go_through(NULL, 1 << 20, &most));
    assert_true(most > FILES / 2);
    for (size_t room = 0; room < 2000; room += 250) {
        assert_ok(go_through(NULL, room, &most));
        assert_true(most <= room / 26 + 1 + FOLDERS); /* a name takes 26 bytes or more */
    }
}

static toll_status go_through_with_little_room(const toll_allocator *a, void *user)
{
    size_t most;
    (void)user;
    return go_through(a, 3000, &most);
}

static void test_folder_every_allocation(void **state)
{
    (void)state;
    test_every_allocation(go_through_with_little_room, NULL);
}

#ifndef _WIN32 /* where tests make no links */

/* A link to a folder around it is refused, and the listing goes on after it. */
static void test_folder_of_a_loop_is_refused(void **state)
{
    static toll_folder_files files;
    toll_mem mem = toll_mem_from(NULL);
    toll_error error = { TOLL_OK, "" };
    const char *path;
    unsigned found = 0, loops = 0;
    (void)state;
    assert_int_equal(symlink("..", test_path("5d/x/0up")), 0);
    toll_folder_files_init(&files, &mem, 1 << 20);
    assert_ok(toll_folder_files_enter(&files, test_folder, err));
    for (;;) {
        toll_os_info info;
        assert_ok(toll_folder_files_next(&files, &path, err));
        if (!path)
            break;
        assert_true(toll_os_look(path, &info));
        if (info.kind != TOLL_OS_FOLDER) {
            found++;
        } else if (toll_folder_files_enter(&files, path, &error) != TOLL_OK) {
            assert_int_equal(error.status, TOLL_E_UNSUPPORTED);
            assert_non_null(strstr(error.text, "5d/x/0up: is passed over"));
            loops++;
        }
    }
    toll_folder_files_free(&files);
    assert_int_equal(unlink(test_path("5d/x/0up")), 0);
    assert_int_equal(found, FILES);
    assert_int_equal(loops, 1);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folder_order_does_not_depend_on_the_room),
        cmocka_unit_test(test_folder_every_allocation),
#ifndef _WIN32
        cmocka_unit_test(test_folder_of_a_loop_is_refused),
#endif
    };
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}

/* test_source_roots.c - which files may be shown as source: those of the project, and of folders
 * that were named, but nothing hidden in them, and nothing that the kernel makes. */
#include "support.h"

#include "cli/source_roots.h"
#include "support_folder.h"

static char start[4096], root[4096]; /* where the test began; the real path of its folder */

static const char *const folders[] = { "proj",  "proj/.git", "proj/sub",  "proj/.hidden",
                                       "projx", "other",     "other/.git" };
enum { FOLDERS = sizeof folders / sizeof *folders };

static int set_up(void **state)
{
    if (!getcwd(start, sizeof start) || test_make_folder(state) ||
        !toll_os_real_path(test_folder, root))
        return -1;
    for (int i = 0; i < FOLDERS; i++)
        if (test_make_one_folder(test_path(folders[i])))
            return -1;
    return chdir(test_path("proj/sub"));
}

static int tear_down(void **state)
{
    if (chdir(start))
        return -1;
    for (int i = FOLDERS; i-- > 0;)
        if (rmdir(test_path(folders[i])))
            return -1;
    return test_remove_folder(state);
}

static bool has(const toll_source_roots *roots, const char *name)
{
    char path[8192];
    snprintf(path, sizeof path, "%s/%s", root, name);
    return toll_source_roots_have(roots, *name == '/' ? name : path);
}

/* Which of the files may be shown, as "1" and "0". */
static void expect(const toll_settings *s, const char *expected)
{
    static const char *const files[] = { "proj/a.c",        "proj/sub/a.b.c",   "proj/.env",
                                         "proj/sub/.x/a.c", "proj/.hidden/a.c", "proj/.hidden/.y",
                                         "projx/a.c",       "other/a.c",        "a.c",
                                         "/devel/a.c",      "/dev/shm/a.c",     "/dev/null",
                                         "/proc/self/maps", "/sys/a",           "/process/a.c" };
    enum { FILES = sizeof files / sizeof *files };
    toll_source_roots roots;
    char found[FILES + 1] = "";
    toll_allocator mem = toll_c_allocator();
    assert_ok(toll_source_roots_begin(&roots, s, &mem, err));
    for (int i = 0; i < FILES; i++)
        found[i] = has(&roots, files[i]) ? '1' : '0';
    assert_string_equal(found, expected);
    toll_source_roots_free(&roots);
}

static void test_the_project(void **state)
{
    (void)state;
    expect(&(toll_settings){ .output = NULL }, "110000000000000");
}

static void test_folders_that_are_named(void **state)
{
    (void)state;
    const char *other[] = { "nowhere", "../../other" }, *hidden[] = { "../.hidden" },
               *maps[] = { "no map", "/build=../../other", "/x=" };
    expect(&(toll_settings){ .source_dirs = { other, 1, 1 } }, "110000000000000");
    expect(&(toll_settings){ .source_dirs = { other, 2, 2 } }, "110000010000000");
    expect(&(toll_settings){ .source_dirs = { hidden, 1, 1 } }, "110010000000000");
    expect(&(toll_settings){ .prefix_maps = { maps, 1, 1 } }, "110000000000000");
    expect(&(toll_settings){ .prefix_maps = { maps, 3, 3 } }, "110000010000000");
}

static void test_the_project_of_a_script(void **state)
{
    (void)state;
    expect(&(toll_settings){ .script = "../../other/run.lua" }, "110000010000000");
    expect(&(toll_settings){ .script = "run.lua" }, "110000000000000");
    expect(&(toll_settings){ .script = "/run.lua" }, "110000000000000");
}

static void test_everything_but_the_kernels(void **state)
{
    (void)state;
    expect(&(toll_settings){ .source_outside = 1 }, "111111111110001");
}

static toll_status begin(const toll_allocator *a, void *user)
{
    const char *dirs[] = { "../.hidden", "../../other" };
    const toll_settings s = { .source_dirs = { dirs, 2, 2 }, .script = "../../other/run.lua" };
    toll_source_roots roots;
    toll_status status = toll_source_roots_begin(&roots, &s, a, NULL);
    (void)user;
    toll_source_roots_free(&roots);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    test_every_allocation(begin, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_project),
        cmocka_unit_test(test_folders_that_are_named),
        cmocka_unit_test(test_the_project_of_a_script),
        cmocka_unit_test(test_everything_but_the_kernels),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* test_sbf_folder.c - a folder of traces that cannot be read completely, and which folders are
 * read. This program replaces functions of the system: its `readdir` fails like that of a damaged
 * disk, of a lost network, or for an inode number that does not fit a 32-bit program. */
#include "support.h"

#include "sbf/sbf_programs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int error; /* that it fails with; 0: the folder is empty */

struct dirent *readdir(DIR *folder)
{
    (void)folder;
    if (error)
        errno = error;
    return NULL;
}

static void expect(const char *folder, toll_status status, const char *text)
{
    toll_error err = { TOLL_OK, "" };
    toll_profile *p;
    errno = ENOENT; /* of something before */
    assert_int_equal(toll_profile_load(NULL, folder, "sbf-trace", NULL, NULL, &p, &err), status);
    assert_null(p);
    assert_non_null(strstr(err.text, text));
}

static void test_sbf_a_folder_that_cannot_be_read(void **state)
{
    char folder[] = "/tmp/toll_sbf_XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(folder));
    expect(folder, TOLL_E_NOT_FOUND, ": no *.regs file is in this folder");
    assert_int_equal(toll_sbf_sniff_folder(folder), 0);
    error = EOVERFLOW;
    expect(folder, TOLL_E_IO, ": cannot read the folder: Value too large for defined data type");
    assert_int_equal(toll_sbf_sniff_folder(folder), 1); /* so that its reader says why */
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(toll_sbf_sniff_folder(folder), 0);
}

/* --- folders of a project ----------------------------------------------------------------------*/

static unsigned looks, opened; /* at folders named target; of them */
static unsigned levels;        /* of the project, below the root of the file system */

/* Every folder seems to have a `target`, which is itself; the folder above the root is the root.
 * (qemu, which emulates other processors, has another folder for it.) */
int stat(const char *restrict path, struct stat *restrict st)
{
    static const char end[] = "/target";
    unsigned level = levels;
    size_t size = strlen(path), n = sizeof end - 1;
    if (size < n || strcmp(path + size - n, end) != 0)
        return lstat(path, st);
    looks++;
    for (const char *up = path; level && (up = strstr(up, "/..")) != NULL; up += 3)
        level--;
    *st = (struct stat){ .st_mode = S_IFDIR, .st_dev = 1, .st_ino = 1 + level };
    return 0;
}

DIR *opendir(const char *path)
{
    static const char end[] = "/target/deploy";
    size_t size = strlen(path), n = sizeof end - 1;
    bool is_targets = size >= n && strcmp(path + size - n, end) == 0;
    opened += is_targets;
    int fd = open(is_targets ? "/" : path, O_RDONLY | O_DIRECTORY);
    return fd >= 0 ? fdopendir(fd) : NULL;
}

/* Of a project that is `deep` levels below the root. */
static void expect_read_once(const char *project, unsigned deep)
{
    const toll_format_options options = { .size = sizeof options };
    const toll_solana_options own = { .project = project };
    const toll_mem mem = toll_mem_from(NULL);
    toll_strtab strings;
    toll_sbf_programs programs;
    toll_sbf_programs_init(&programs, &mem);
    toll_strtab_init(&strings, &mem);
    programs.own = &own;
    programs.options = &options;
    programs.strings = &strings;
    looks = opened = 0;
    levels = deep;
    error = 0;
    assert_true(toll_sbf_find_deployed(&programs));
    assert_int_equal(opened, levels + 1);
    assert_int_equal(looks, TOLL_SBF_MOST_TARGETS);
    assert_true(toll_sbf_find_twins(&programs, "a.so"));
    assert_true(toll_sbf_find_twins(&programs, "b.so"));
    assert_int_equal(looks, TOLL_SBF_MOST_TARGETS);
    toll_strtab_free(&strings);
    toll_sbf_programs_free(&programs);
}

static void test_sbf_folders_of_a_project_are_read_once(void **state)
{
    char folder[] = "/tmp/toll_sbf_XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(folder));
    expect_read_once("/", 0);
    expect_read_once(folder, 2);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbf_a_folder_that_cannot_be_read),
        cmocka_unit_test(test_sbf_folders_of_a_project_are_read_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

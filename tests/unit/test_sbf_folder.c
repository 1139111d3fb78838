/* test_sbf_folder.c - a folder of traces that cannot be read to its end. `readdir` is replaced for
 * this program: the system's fails so for a damaged disk, a network that is gone, or an inode
 * number that a 32-bit program has no room for. */
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include "solana/solana.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_sbf_a_folder_that_cannot_be_read) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

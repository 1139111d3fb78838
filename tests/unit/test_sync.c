/* test_sync.c - a machine may stop at any time: a file's data is on the disk before it gets its
 * name, and the name before the commit returns. The test replaces calls of the system. */
#define _GNU_SOURCE /* syscall */
#include "support.h"
#include "support_folder.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char calls[64]; /* f: a file, d: a folder was synced, r: renamed */
static int fails_at;   /* the sync that fails with EIO, from 1; 0: none */

static void note(char what)
{
    calls[strlen(calls)] = what;
}

int fsync(int fd)
{
    struct stat st;
    if (fails_at && --fails_at == 0) {
        errno = EIO;
        return -1;
    }
    assert_int_equal(fstat(fd, &st), 0);
    note(S_ISDIR(st.st_mode) ? 'd' : 'f');
    return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
    note('r');
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static toll_status save(const char *path, int is_synced, toll_error *e)
{
    toll_output *out;
    memset(calls, 0, sizeof calls);
    assert_ok(toll_output_open(NULL, path, 0, &out, err));
    toll_output_set_sync(out, is_synced);
    toll_output_printf(out, "text");
    toll_status status = toll_output_commit(out, e);
    toll_output_free(out);
    return status;
}

static void test_the_bytes_come_before_the_name(void **state)
{
    (void)state;
    const char *path = test_path("synced");
    assert_ok(save(path, 1, err));
    assert_string_equal(calls, "frd");
    assert_int_equal(unlink(path), 0);
}

static void test_no_sync_waits_for_nothing(void **state)
{
    (void)state;
    const char *path = test_path("unsynced");
    assert_ok(save(path, 0, err));
    assert_string_equal(calls, "r");
    assert_int_equal(unlink(path), 0);
}

static void test_options_of_a_profile(void **state)
{
    (void)state;
    toll_profile *p;
    const char *path = test_path("profile.folded");
    toll_format_options o = { .size = sizeof o, .no_sync = 1 };
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "", NULL, err));
    memset(calls, 0, sizeof calls);
    assert_ok(toll_profile_save(p, path, err));
    assert_ok(toll_profile_save_as(p, NULL, path, NULL, &o, err));
    assert_string_equal(calls, "frdr");
    toll_profile_free(p);
    assert_int_equal(unlink(path), 0);
}

/* A disk that fails leaves the old file. */
static void test_a_sync_that_fails(void **state)
{
    (void)state;
    toll_error e;
    char message[400];
    const char *path = test_path("failed");
    fails_at = 1;
    assert_int_equal(save(path, 1, &e), TOLL_E_IO);
    snprintf(message, sizeof message, "%s: cannot write to the disk: Input/output error", path);
    assert_string_equal(e.text, message);
    assert_string_equal(calls, "");
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(rmdir(test_folder), 0); /* and nothing else is there */
    assert_int_equal(test_make_one_folder(test_folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_bytes_come_before_the_name),
        cmocka_unit_test(test_no_sync_waits_for_nothing),
        cmocka_unit_test(test_options_of_a_profile),
        cmocka_unit_test(test_a_sync_that_fails),
    };
    return cmocka_run_group_tests(tests, test_make_folder, test_remove_folder);
}

#else

int main(void)
{
    printf("skipped: needs Linux\n");
    return 0;
}

#endif

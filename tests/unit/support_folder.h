/* support_folder.h - a folder for the files of a test, on any system. cmocka's groups call these
 * functions: they make it before the tests, and remove it after them. */
#ifndef TOLL_TESTS_SUPPORT_FOLDER_H
#define TOLL_TESTS_SUPPORT_FOLDER_H

#include "base/os.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char test_folder[160];

static inline int test_make_one_folder(const char *path)
{
#ifdef _WIN32
    return mkdir(path);
#else
    return mkdir(path, 0700);
#endif
}

/* Make the folder. Its name is that of a temporary file which existed a moment ago. Another test
 * that runs at the same time may use the name by then: then try the next one. */
static inline int test_make_folder(void **state)
{
    enum { TRIES = 1000 };
    (void)state;
    for (int i = 0; i < TRIES; i++) {
        int fd = toll_os_create_scratch("toll-test", test_folder, sizeof test_folder);
        if (fd < 0 || !toll_os_close(fd))
            return -1;
        if (test_make_one_folder(test_folder) == 0)
            return 0;
    }
    return -1;
}

static inline const char *test_path(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%.90s", test_folder, name);
    return path;
}

static inline int test_remove_folder(void **state)
{
    toll_os_folder folder;
    const char *name;
    (void)state;
    if (!toll_os_folder_open(&folder, test_folder))
        return -1;
    while ((name = toll_os_folder_next(&folder)))
        if (name[0] != '.')
            toll_os_delete(test_path(name));
    toll_os_folder_close(&folder);
    return rmdir(test_folder);
}

#endif
